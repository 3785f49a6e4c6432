"""Tests of the accepted and rejected forms of JSON, notes, policies and statements."""

import json
import unittest

from fairball.bundle import read_document, read_trust
from fairball.errors import Malformed
from fairball.notes import read_checkpoint, read_note
from fairball.policy import read_policy
from fairball.statements import read_statement
from fairball.strict_json import read_json
from tests.support import INDEX, bundle_bytes, vector

NOTE = vector("checkpoint.json")["note"]
POLICY = INDEX["policy_operator"]


class SatoshisTest(unittest.TestCase):
    def test_amounts_above_the_supply_of_bitcoin_are_rejected(self) -> None:
        most, texts = 2_100_000_000_000_000, vector("statements.json")
        for kind, line in (
            ("close", "pool {}"),
            ("close", "state 1 0 {} 0 0 0"),
            ("result", "left {}"),
            ("paid", f"draw {'00' * 32} {{}} 0"),
            ("solvency", "liability players {}"),
        ):
            name = line.split(" ")[0]
            before = next(row for row in texts[kind]["text"].split("\n") if row.startswith(f"{name} "))
            read_statement(texts[kind]["text"].replace(before, line.format(most), 1))
            with self.assertRaises(Malformed, msg=line):
                read_statement(texts[kind]["text"].replace(before, line.format(most + 1), 1))


class JsonTest(unittest.TestCase):
    def test_only_json_that_every_reader_reads_alike_is_accepted(self) -> None:
        read = read_json(b' {"a": [0, 9007199254740991, null, "\\u00e9"]} ')
        self.assertEqual(read, {"a": [0, 2**53 - 1, None, "é"]})
        for text in (
            b'{"a":1,"a":1}',
            b'{"a":1,"\\u0061":1}',
            b"[1.0]",
            b"[1e3]",
            b"[-0]",
            b"[-1]",
            b"[01]",
            b"[9007199254740992]",
            b"[NaN]",
            b"[Infinity]",
            b'["\\ud800"]',
            b'["a\x01"]',
            b"\xef\xbb\xbf[]",
            b'["\xff"]',
            b"[1,]",
            b"[] []",
            b"",
            b"[" * 17 + b"]" * 17,
            b"[" * 100_000,
            b'"\\ud83d',
        ):
            with self.assertRaises(Malformed, msg=text[:40]):
                read_json(text)
        self.assertEqual(read_json(b"[" * 16 + b"]" * 16), json.loads("[" * 16 + "]" * 16))
        self.assertEqual(read_json(b'["\\ud83d\\ude00", "[[[[[[[[[[[[[[[[[[[[["]')[0], "\U0001f600")

    def test_a_bundle_has_exactly_its_keys_and_keeps_its_limits(self) -> None:
        honest = json.loads(bundle_bytes("honest"))
        changes = [
            lambda value: value.pop("papers"),
            lambda value: value.update(draws=value["draws"] * 9),
            lambda value: value.update(statements=[]) or value.update(statements=None),
            lambda value: value["draws"][0].update(postpones=[value["draws"][0]["seal"]] * 3),
            lambda value: value["draws"][0]["seal"].update(start=True),
            lambda value: value["draws"][0].update(open=value["draws"][0]["open"].upper()),
            lambda value: value["draws"][0]["plays"]["parts"][0].update(leaves="AB=="),
            lambda value: value["statements"][0]["path"].extend(["00" * 32] * 64),
            lambda value: value.update(format="fairball/bundle/v1"),
        ]
        for number, change in enumerate(changes):
            value = json.loads(json.dumps(honest))
            change(value)
            with self.assertRaises(Malformed, msg=number):
                read_document(json.dumps(value).encode())

    def test_trust_may_omit_any_key_and_has_no_others(self) -> None:
        self.assertIsNone(read_trust(b"{}").policy)
        for text in (b'{"polycy": null}', b'{"key": "00"}', b'{"policy": "quorum"}', b'{"heads": ["x"]}', b"[]"):
            with self.assertRaises(Malformed):
                read_trust(text)


class NotesTest(unittest.TestCase):
    def test_a_checkpoint_has_three_lines_and_canonical_signature_lines(self) -> None:
        self.assertEqual(len(read_checkpoint(NOTE).note.signatures), 3)
        line = NOTE.split("\n")[4]
        for wrong in (
            NOTE.replace("\n5\n", "\n05\n"),
            NOTE.replace("\n5\n", "\n5\nextension\n"),
            NOTE.replace("fO0=", "fO1="),
            NOTE.replace("/fairball\n5", "/lottery\n5"),
            NOTE + line + "\n",
            NOTE[:-1],
            NOTE.replace("\n\n", "\n"),
            NOTE.replace("—", "-"),
            NOTE.replace("— w1", "—  w1"),
            NOTE.replace("\n", "\r\n"),
            NOTE + "x\n",
            NOTE.split("\n\n")[0] + "\n\n",
            NOTE + "".join(f"— w{number} AAAAAAAA\n" for number in range(100)),
        ):
            with self.assertRaises(Malformed, msg=wrong[:80]):
                read_checkpoint(wrong)

    def test_no_single_character_of_a_note_can_change_unnoticed(self) -> None:
        read = read_note(NOTE)
        for position in range(len(NOTE)):
            changed = NOTE[:position] + chr(ord(NOTE[position]) ^ 1) + NOTE[position + 1 :]
            try:
                self.assertNotEqual(read_note(changed), read)
            except Malformed:
                pass


class PolicyTest(unittest.TestCase):
    def test_policies_follow_the_grammar_strictly(self) -> None:
        self.assertEqual(read_policy("# nobody\n\n \tquorum  none \n").quorum, "none")
        lines = POLICY.splitlines(keepends=True)
        for wrong in (
            "",
            POLICY[:-1],
            POLICY + "quorum none\n",
            POLICY.replace("all-of-us 2", "all-of-us 4"),
            POLICY.replace("all-of-us 2", "all-of-us 0"),
            POLICY.replace("w1 w2 w3", "w1 w2 w4"),
            POLICY.replace("w1 w2 w3", "w1 w2 w2"),
            POLICY.replace("group", "Group"),
            POLICY.replace("+eddeb16d", "+eddeb16e"),
            POLICY.replace("+BK8G", "+AK8G"),
            POLICY.replace("witness w2", "witness w1"),
            POLICY.replace("witness w2", "witness none"),
            lines[0] + lines[0].replace("witness w1", "witness w4") + "quorum w1\n",
            "".join([lines[-1]] + lines[:-1]),
            POLICY + "#" * 16_384 + "\n",
        ):
            with self.assertRaises(Malformed, msg=wrong):
                read_policy(wrong)


class StatementsTest(unittest.TestCase):
    def test_no_statement_is_read_in_another_form(self) -> None:
        for name, one in vector("statements.json").items():
            if name == "policy":
                continue
            text = one["text"]
            lines = text.splitlines(keepends=True)
            wrong = [text + "more 1\n", text[:-1], text.replace("\n", "\r\n"), text + "\n", text.replace(" ", "  ", 1)]
            wrong += [text.replace("/v2", "/v1"), "".join(lines[:3]), text.replace(lines[1], lines[1] * 2)]
            wrong += ["".join([lines[0], lines[2], lines[1], *lines[3:]])]
            wrong += [text.replace(lines[1], lines[1][:-1] + " \n")]
            wrong += [text.replace(lines[1], lines[1][:-1] + "é\n"), text.replace("time 1", "time 01"), lines[0]]
            for changed in wrong:
                if changed != text:
                    with self.assertRaises(Malformed, msg=changed):
                        read_statement(changed)

    def test_rules_have_one_jackpot_falling_tiers_and_a_split_of_everything(self) -> None:
        text = vector("statements.json")["rules"]["text"]
        for old, new in (
            ("pick 5", "pick 36"),
            ("pool 36", "pool 65"),
            ("tier 5 jackpot", "tier 4 jackpot"),
            ("tier 2 free", "tier 3 free"),
            ("tier 2 free", "tier 2 jackpot"),
            ("split 80 5 15", "split 80 5 16"),
            ("price GBP 100", "price gbp 100"),
            ("limit 1000 1000", "limit 1000"),
        ):
            with self.assertRaises(Malformed, msg=new):
                read_statement(text.replace(old, new))


if __name__ == "__main__":
    unittest.main()
