import copy
import io
import json
import os
import random
import re
import tempfile
import time
import unittest
from base64 import b64decode, b64encode
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import fairball_verify
from fairball.bundle import BundleError, parse_bundle
from fairball.chains import QUICKNET
from fairball.report import FAILED, PASSED, STEPS, UNCHECKED, Report
from fairball.verify import verify
from tests.support import (
    DUE,
    FAIRNESS,
    GAME,
    OPERATOR_SEED,
    ROUND,
    SEED,
    SIGNATURE,
    START,
    Operator,
    document,
    example_entries,
    honest,
    public_key,
    receipt_note,
    sign_note,
    verified,
    witness_line,
)

KEY = public_key(OPERATOR_SEED).hex()
BUNDLES = Path(__file__).resolve().parents[2] / "bundles"
RANDOM_BUNDLES = int(os.environ.get("FAIRBALL_RANDOM_BUNDLES", "200"))


def outcomes(report: Report) -> Dict[str, str]:
    return {check.id: check.outcome for step in report.steps for check in step.checks}


def flipped(hexadecimal: str, bit: int) -> str:
    data = bytearray(bytes.fromhex(hexadecimal))
    data[bit // 8] ^= 1 << bit % 8
    return data.hex()


def signed_again(values: Dict[str, Any], seq: int, change: Callable[[str], str]) -> Dict[str, Any]:
    """The bundle of an operator that changed a statement and signed it, and all that follow, anew."""
    changed = copy.deepcopy(values)
    texts = [note.split("\n\n")[0] + "\n" for note in values["log"]]
    before = texts[seq]
    texts[seq] = change(before)
    assert texts[seq] != before, "the change changed nothing"
    for at in range(seq, len(texts)):
        old = sha256(values["log"][at].split("\n\n")[0].encode() + b"\n").hexdigest()
        new = sha256(texts[at].encode()).hexdigest()
        texts = [text if later <= at else text.replace(old, new) for later, text in enumerate(texts)]
        changed["own"]["sights"] = json.loads(json.dumps(changed["own"]["sights"]).replace(old, new))
    changed["log"] = [sign_note(text) for text in texts]
    changed["own"]["receipts"][0]["close"] = None
    return changed


class WorkedExampleTest(unittest.TestCase):
    def test_verifies_everything_of_the_worked_example_but_the_log_it_is_cut_from(self) -> None:
        own = {
            "key": FAIRNESS["operator"]["ed25519_public_key"],
            "username": "O'Hara_7",
            "sights": [{"hash": FAIRNESS["close"]["hash"], "seen_at": 1788201400}],
            "receipts": [
                {
                    "receipt": FAIRNESS["receipt"]["note"],
                    "close": FAIRNESS["close"]["note"],
                    "entries": [{"id": FAIRNESS["entries"][3]["id"], **FAIRNESS["paths"][3]}],
                }
            ],
        }
        values = {
            "format": "fairball/bundle/v1",
            "game": GAME,
            "draw": 17,
            "log": [FAIRNESS[name]["note"] for name in ("open", "close", "result")],
            "rules": FAIRNESS["rules"]["text"],
            "witnesses": [],
            "beacon": {"round": str(ROUND), "signature": SIGNATURE},
            "entries": b64encode(bytes.fromhex(FAIRNESS["entries_bin"])).decode(),
            "own": own,
        }
        report = verified(values, KEY)
        self.assertEqual(report.numbers, FAIRNESS["numbers"])
        self.assertEqual(report.failed(), ["log.chain", "log.key"])
        found = outcomes(report)
        self.assertEqual([id for id, outcome in found.items() if outcome == UNCHECKED],
                         ["close.seen", "beacon.signature", "prizes.free"])
        self.assertIn("log.signatures", verified(values).failed())
        self.assertEqual(found["log.signatures"], PASSED)


class HonestTest(unittest.TestCase):
    def test_passes_every_check_but_the_pairing_and_what_only_the_file_says(self) -> None:
        report = verified(honest(), KEY, "O'Hara_7")
        found = outcomes(report)
        self.assertEqual({id for id, outcome in found.items() if outcome != PASSED}, {"close.seen", "beacon.signature"})
        self.assertEqual([step.name for step in report.steps], list(STEPS))
        self.assertIn("leaves the pairing to fairball-verify", report.as_text())
        self.assertEqual(list(report.as_json()), ["game", "draw", "outcome", "steps", "numbers"])

    def test_says_what_cannot_be_checked_when_it_is_not_there(self) -> None:
        rows = [
            ({"entries": None}, {"close.order", "close.lines", "close.count", "close.root", "prizes.tiers"}),
            ({"rules": None}, {"open.rules", "prizes.tiers"}),
            ({"beacon": None}, {"beacon.round"}),
            ({"own": None}, {"log.fork", "open.receipts", "receipts.signature", "receipts.found", "receipts.owner",
                             "receipts.lines", "receipts.once", "receipts.close", "receipts.sealed"}),
        ]
        for missing, expected in rows:
            report = verified({**honest(), **missing})
            self.assertEqual(report.failed(), [], missing)
            left = {id for id, outcome in outcomes(report).items() if outcome == UNCHECKED}
            self.assertEqual(left, expected | {"log.key", "close.seen", "beacon.signature"}, missing)

    def test_follows_a_draw_from_opening_to_result(self) -> None:
        whole = honest()
        own = {**whole["own"], "sights": []}
        opened = verified({**whole, "log": whole["log"][:3], "beacon": None, "entries": None,
                           "own": {**own, "receipts": [{**own["receipts"][0], "close": None, "entries": []}]}})
        self.assertEqual(opened.failed(), [])
        self.assertEqual(outcomes(opened)["open.rules"], PASSED)
        self.assertEqual(outcomes(opened)["receipts.signature"], PASSED)
        self.assertEqual(outcomes(opened)["receipts.sealed"], UNCHECKED)
        sealed = verified({**whole, "log": whole["log"][:4], "beacon": None})
        self.assertEqual(sealed.failed(), [])
        self.assertEqual(outcomes(sealed)["receipts.sealed"], PASSED)
        self.assertIsNone(sealed.numbers)
        computable = verified({**whole, "log": whole["log"][:4]})
        self.assertEqual(computable.failed(), [])
        self.assertEqual(computable.numbers, verified(whole).numbers)

    def test_takes_a_key_change_and_receipts_signed_by_a_key_in_force_or_later(self) -> None:
        operator, new = Operator(), bytes([9] * 32)
        operator.state_quicknet(1785000001)
        opened = operator.open(1, 1785000002)
        operator.change_key(new, 1785950000)
        entries = example_entries(opened)
        closed = operator.close(opened, START - 596, entries)
        operator.result(opened, closed, START + 200, entries)
        for at, seed, right in ((1785900000, OPERATOR_SEED, True), (1785900000, new, True), (1786000000, new, True),
                                (1785950000, OPERATOR_SEED, True), (1786000000, OPERATOR_SEED, False)):
            own = {"key": KEY, "username": "O'Hara_7", "sights": [],
                   "receipts": [{"receipt": receipt_note(opened, 3, at, seed), "close": None, "entries": []}]}
            report = verified(document(operator, 1, entries, own=own))
            self.assertEqual(report.failed(), [] if right else ["receipts.signature"], (at, seed))
        self.assertEqual(verified(document(operator, 1, entries), KEY).failed(), [])
        self.assertEqual(verified(document(operator, 1, entries), public_key(new).hex()).failed(), ["log.key"])
        changed = document(operator, 1, entries)
        changed["log"][3] = "\n".join(changed["log"][3].split("\n")[:-2]) + "\n"
        self.assertEqual(verified(changed).failed(), ["log.signatures"])

    def test_verifies_100_000_entries_in_well_under_a_minute(self) -> None:
        operator = Operator()
        operator.state_quicknet(1785000001)
        opened = operator.open(1, 1785000002)
        line = (0b111111).to_bytes(8, "big") + bytes(32)
        entries = b"".join(n.to_bytes(16, "big") + b"\0" + line for n in range(100_000))
        closed = operator.close(opened, START - 596, entries)
        operator.result(opened, closed, START + 200, entries)
        started = time.perf_counter()
        report = verified(document(operator, 1, entries))
        self.assertEqual(report.failed(), [])
        self.assertLess(time.perf_counter() - started, 20)


class SingleBitTest(unittest.TestCase):
    def test_fails_on_every_bit_of_the_seed_the_root_and_the_numbers_though_signed_anew(self) -> None:
        whole = honest()
        root = re.search(r"root ([0-9a-f]+)", whole["log"][3])
        assert root is not None
        for bit in range(256):
            report = verified(signed_again(whole, 3, lambda t: t.replace(SEED.hex(), flipped(SEED.hex(), bit))))
            self.assertIn("close.seed", report.failed())
            report = verified(signed_again(whole, 3, lambda t: t.replace(root[1], flipped(root[1], bit))))
            self.assertIn("close.root", report.failed())
        numbers = verified(whole).numbers or []
        for place in range(len(numbers)):
            for bit in range(6):
                other = list(numbers)
                other[place] ^= 1 << bit
                wrong = ",".join(map(str, other))
                report = verified(signed_again(whole, 4, lambda t: re.sub("numbers .*", "numbers " + wrong, t)))
                self.assertEqual(report.outcome, FAILED, wrong)

    def test_fails_on_every_bit_of_the_entries(self) -> None:
        whole = honest()
        entries = b64decode(whole["entries"])
        for bit in range(8 * len(entries)):
            changed = b64encode(bytes.fromhex(flipped(entries.hex(), bit))).decode()
            self.assertIn("close.root", verified({**whole, "entries": changed}).failed())

    def test_fails_on_every_bit_of_the_beacon_signature(self) -> None:
        whole = honest()
        for bit in range(8 * 48):
            other = flipped(SIGNATURE, bit)
            report = verified({**whole, "beacon": {"round": str(ROUND), "signature": other}})
            self.assertTrue({"beacon.same", "numbers.derived"} <= set(report.failed()))
            report = verified({**signed_again(whole, 4, lambda t: t.replace(SIGNATURE, other)), "beacon": None})
            self.assertIn("numbers.derived", report.failed())

    def test_fails_on_every_digit_of_the_tier_lines_though_signed_anew(self) -> None:
        whole = honest()
        text = whole["log"][4]
        for found in re.finditer(r"[0-9]", text[text.index("tier 6") : text.index("\n\n")]):
            at = text.index("tier 6") + found.start()
            for digit in "0123456789":
                if digit != text[at]:
                    report = verified(signed_again(whole, 4, lambda t: t[:at] + digit + t[at + 1 :]))
                    self.assertTrue({"prizes.tiers", "log.readable"} & set(report.failed()), (at, digit))

    def test_fails_on_every_bit_of_every_statement_that_is_not_signed_anew(self) -> None:
        whole = honest()
        dice = random.Random(11)
        for seq in range(5):
            note = whole["log"][seq].encode()
            for bit in dice.sample(range(8 * len(note)), 150):
                data = bytearray(note)
                data[bit // 8] ^= 1 << bit % 8
                try:
                    text = data.decode()
                except UnicodeDecodeError:
                    continue
                log = whole["log"][:seq] + [text] + whole["log"][seq + 1 :]
                self.assertEqual(verified({**whole, "log": log}).outcome, FAILED, (seq, bit))


class DishonestTest(unittest.TestCase):
    def check(self, values: Dict[str, Any], *expected: str) -> None:
        self.assertEqual(verified(values).failed(), list(expected))

    def test_fails_where_the_log_is_not_one_chain(self) -> None:
        whole = honest()
        log = whole["log"]
        bare = {**whole, "own": None}
        self.check({**bare, "log": log[:1] + log[2:]}, "log.chain")
        self.check({**bare, "log": log + [log[4]]}, "log.chain", "numbers.result")
        self.check({**bare, "log": log[1:]}, "log.signatures", "log.chain")
        self.check({**bare, "log": []}, "log.readable", "log.signatures", "log.chain", "open.once")
        again = signed_again(whole, 4, lambda text: text.replace(f"time {START + 200}", f"time {START - 700}"))
        self.check(again, "log.chain", "numbers.result")

    def test_fails_where_the_operator_is_not_the_one_known_from_before(self) -> None:
        other = public_key(bytes([4] * 32)).hex()
        self.assertEqual(verified(honest(), other).failed(), ["log.key"])
        self.check({**honest(), "own": {**honest()["own"], "key": "not a key"}}, "log.key")
        self.check({**honest(), "own": {**honest()["own"], "key": other}}, "log.key")

    def test_takes_the_key_known_from_before_or_its_fingerprint_and_only_from_the_caller(self) -> None:
        own = {**honest()["own"], "key": None}
        for key in (KEY, sha256(bytes.fromhex(KEY)).hexdigest()):
            self.assertEqual(outcomes(verified(honest(), key))["log.key"], PASSED)
            self.assertEqual(outcomes(verified({**honest(), "own": own}, key))["log.key"], PASSED)
        said = verified(honest())
        self.assertEqual(outcomes(said)["log.key"], UNCHECKED)
        self.assertIn("the word of whoever saved it", said.as_text())

    def test_fails_where_the_known_key_only_came_after_another_one(self) -> None:
        stranger = Operator(seed=bytes([4] * 32))
        stranger.state_quicknet(1785000001)
        stranger.change_key(OPERATOR_SEED, 1785000001)
        opened = stranger.open(1, 1785000002)
        entries = example_entries(opened)
        stranger.close(opened, START - 596, entries)
        for key in (KEY, sha256(bytes.fromhex(KEY)).hexdigest()):
            self.assertEqual(verified(document(stranger, 1, entries), key).failed(), ["log.key"])
        said = {"key": KEY, "username": None, "sights": [], "receipts": []}
        self.check(document(stranger, 1, entries, own=said), "log.key")

    def test_fails_where_a_seed_or_a_draw_is_used_twice(self) -> None:
        operator = Operator()
        operator.state_quicknet(1785000001)
        operator.open(1, 1785000002)
        operator.open(2, 1785000003)
        self.check(document(operator, 1, beacon=None), "log.seeds")
        operator = Operator()
        operator.open(1, 1785000002)
        operator.open(1, 1785000003, seedhash="ab" * 32)
        self.check(document(operator, 1, beacon=None), "open.once")

    def test_fails_where_the_opening_breaks_a_rule(self) -> None:
        rows: List[Any] = [
            ({"round": ROUND + 1}, "open.round", "beacon.round"),
            ({"round": ROUND - 1}, "open.round", "beacon.round"),
            ({"close": START - 299}, "open.times"),
            ({"rules": "ab" * 32}, "open.rules"),
            ({"pool": 48}, "open.rules"),
            ({"chain": "ab" * 32}, "open.chain"),
        ]
        for changed, *expected in rows:
            operator = Operator()
            operator.open(1, 1785000002, **changed)
            self.check(document(operator, 1), *expected)

    def test_fails_where_a_chain_lends_its_name_to_another_key(self) -> None:
        for find, put in (("period 3", "period 2"), ("public_key 83", "public_key 84"), ("rfc9380", "rfc9381")):
            changed = signed_again(honest(), 1, lambda text: text.replace(find, put))
            self.assertIn("open.chain", verified(changed).failed())

    def test_calls_any_other_chain_private(self) -> None:
        chain = document(Operator(), 1)
        self.assertEqual(chain["own"], None)
        operator = Operator()
        key = "ab" * 96
        times = b"\0\0\0\x03" + (1785000000).to_bytes(8, "big")
        hash = sha256(times + bytes.fromhex(key) + bytes(32) + b"fairball-local")
        operator.append("fairball/chain/v1", 1785000001,
                        f"name local\nhash {hash.hexdigest()}\npublic_key {key}\nperiod 3\ngenesis 1785000000\n"
                        f"group_hash {'0' * 64}\nbeacon_id fairball-local\nscheme bls-unchained-g1-rfc9380\n")
        round = -((1785000000 - START) // 3) + 1
        opened = operator.open(1, 1785000002, chain=hash.hexdigest(), round=round)
        entries = example_entries(opened)
        operator.close(opened, START - 596, entries, round=round)
        report = verified(document(operator, 1, entries, beacon={"round": round, "signature": SIGNATURE}))
        self.assertEqual(report.failed(), [])
        self.assertEqual(outcomes(report)["beacon.public"], UNCHECKED)
        self.assertIn("private: shows the arithmetic, not the honesty", report.as_text())

    def test_fails_where_the_close_breaks_a_rule(self) -> None:
        rows: List[Any] = [
            (DUE - 60, {}),
            (DUE - 59, {}, "close.time"),
            (START - 596, {"entries": 6}, "close.count"),
            (START - 596, {"free": 1}, "close.count", "prizes.free"),
            (START - 596, {"round": ROUND + 1}, "close.once", "beacon.round"),
            (START - 601, {}, "close.time"),
        ]
        for at, changed, *expected in rows:
            operator = Operator()
            operator.state_quicknet(1785000001)
            opened = operator.open(1, 1785000002)
            entries = example_entries(opened)
            operator.close(opened, at, entries, **changed)
            self.check(document(operator, 1, entries), *expected)

    def test_fails_where_an_entry_is_no_line_of_the_game_or_out_of_order(self) -> None:
        operator = Operator()
        operator.state_quicknet(1785000001)
        opened = operator.open(1, 1785000002)
        entries = example_entries(opened)
        first, second = entries[:57], entries[57:114]
        rows = [
            (second + first, "close.order"),
            (first + first, "close.order"),
            (first[:16] + b"\x02" + first[17:], "close.lines"),
            (first[:17] + (0b11111).to_bytes(8, "big") + first[25:], "close.lines"),
            (first[:17] + (0b11111 | 1 << 49).to_bytes(8, "big") + first[25:], "close.lines"),
        ]
        for data, expected in rows:
            operator.log, operator.hashes = operator.log[:3], operator.hashes[:3]
            operator.close(opened, START - 596, data)
            self.check(document(operator, 1, data), expected)
        self.check(document(operator, 1, entries[:-1]), "close.count", "close.root")

    def test_fails_where_the_draw_is_closed_twice_or_goes_on_after_its_end(self) -> None:
        def closed() -> Any:
            operator = Operator()
            operator.state_quicknet(1785000001)
            opened = operator.open(1, 1785000002)
            entries = example_entries(opened)
            return operator, opened, entries, operator.close(opened, START - 596, entries)

        operator, opened, entries, _ = closed()
        operator.close(opened, START - 595, entries)
        self.check(document(operator, 1, entries), "close.once")
        operator, opened, entries, _ = closed()
        operator.append("fairball/postpone/v1", START - 500,
                        f"open {opened}\nreason outage\nstart {START + 900}\nround {ROUND + 300}\n")
        self.assertIn("open.postponed", verified(document(operator, 1, entries)).failed())
        operator, opened, entries, _ = closed()
        operator.append("fairball/void/v1", START + 7 * 86400 - 1, f"open {opened}\nreason beacon\n")
        self.check(document(operator, 1, entries), "open.void")
        operator, opened, entries, close = closed()
        operator.append("fairball/void/v1", START + 7 * 86400, f"open {opened}\nreason beacon\n")
        self.check(document(operator, 1, entries))
        operator.result(opened, close, START + 7 * 86400, entries)
        self.check(document(operator, 1, entries), "numbers.result")
        operator, opened, entries, _ = closed()
        operator.append("fairball/void/v1", START - 500, f"open {opened}\nreason outage\n")
        self.check(document(operator, 1, entries), "open.void")
        for at, expected in ((DUE, []), (DUE - 1, ["numbers.result"])):
            operator, opened, entries, close = closed()
            operator.result(opened, close, at, entries)
            self.check(document(operator, 1, entries), *expected)

    def test_follows_a_postponement_and_fails_where_its_round_does_not(self) -> None:
        for start, round, good in ((1788203040, 31799892, True), (1788203040, 31799893, False),
                                   (1788203100, 31799912, False), (1788202980, 31799872, False)):
            operator = Operator()
            operator.state_quicknet(1785000001)
            opened = operator.open(1, 1785000002)
            operator.append("fairball/postpone/v1", 1788202100,
                            f"open {opened}\nreason outage\nstart {start}\nround {round}\n")
            entries = example_entries(opened)
            operator.close(opened, 1788202200, entries, round=round)
            report = verified(document(operator, 1, entries, beacon=None))
            self.assertEqual(report.failed(), [] if good else ["open.postponed"], (start, round))

    def test_counts_only_witnesses_that_signed_this_close_in_time(self) -> None:
        alice, bob = bytes([1] * 32), bytes([2] * 32)
        rule = f"2 alice={public_key(alice).hex()},bob={public_key(bob).hex()}"
        operator = Operator()
        operator.state_quicknet(1785000001)
        opened = operator.open(1, 1785000002, witness=rule)
        entries = example_entries(opened)
        closed = operator.close(opened, START - 596, entries)
        operator.result(opened, closed, START + 200, entries)
        text = operator.log[3].split("\n\n")[0] + "\n"
        good = [witness_line("alice", alice, text, DUE - 61), witness_line("bob", bob, text, DUE - 400)]
        rows = [
            (good, []),
            ([line.rstrip("\n") for line in good], []),
            (good[:1], ["close.witnesses"]),
            ([good[0], good[0]], ["close.witnesses"]),
            ([good[0], witness_line("bob", bob, text, DUE - 60)], ["close.witnesses"]),
            ([good[0], witness_line("bob", bob, operator.log[2].split("\n\n")[0] + "\n", 1)], ["close.witnesses"]),
            ([good[0], witness_line("bob", alice, text, DUE - 400)], ["close.witnesses"]),
            (["nonsense", *good], []),
        ]
        for lines, expected in rows:
            report = verified(document(operator, 1, entries, witnesses=lines))
            self.assertEqual(report.failed(), expected)
            self.assertEqual(outcomes(report)["close.seen"], PASSED)
        for date, expected in ((START - 657, ["close.witnesses"]), (START - 656, []), (5, ["close.witnesses"])):
            lines = [witness_line(name, seed, text, date) for name, seed in (("alice", alice), ("bob", bob))]
            report = verified(document(operator, 1, entries, witnesses=lines))
            self.assertEqual(report.failed(), expected, date)
            self.assertEqual(outcomes(report)["close.seen"], UNCHECKED if expected else PASSED, date)
            self.assertEqual(verified(document(operator, 1, entries, witnesses=lines + good)).failed(), [], date)
        late = verified(document(operator, 1, entries, witnesses=[witness_line("bob", bob, text, DUE)]))
        self.assertEqual(outcomes(late)["close.seen"], UNCHECKED)

    def test_fails_where_the_own_record_holds_a_statement_the_log_lacks(self) -> None:
        whole = honest()
        whole["own"]["sights"].append({"hash": "ab" * 32, "seen_at": 1788201400})
        self.check(whole, "log.fork")

    def test_takes_nothing_as_seen_because_the_file_says_so(self) -> None:
        whole = honest()
        self.assertEqual(outcomes(verified(whole))["close.seen"], UNCHECKED)
        self.assertIn("the word of whoever saved it", verified(whole).as_text())
        self.assertEqual(outcomes(verified(whole))["log.fork"], PASSED)
        for close in (None, sign_note(whole["log"][3].split("\n\n")[0] + "\n", bytes([4] * 32))):
            whole["own"]["receipts"][0]["close"] = close
            self.assertEqual(outcomes(verified(whole))["log.fork"], UNCHECKED)
            self.check(whole)

    def test_fails_a_postponement_that_comes_too_early_or_with_a_reason_that_was_none(self) -> None:
        alice = f"1 alice={public_key(bytes([1] * 32)).hex()}"
        rows: List[Any] = [
            ("outage", DUE - 60, 0, False, False), ("outage", DUE - 59, 0, False, True),
            ("witness", DUE - 59, 0, False, False), ("witness", DUE - 59, 0, True, False),
            ("witness", DUE - 59, alice, True, True), ("witness", DUE - 60, alice, True, True),
            ("witness", DUE - 61, alice, True, False), ("witness", DUE - 59, alice, False, False),
            ("outage", DUE - 59, alice, True, False), ("outage", DUE - 60, alice, False, True),
            ("outage", START - 599, alice, False, False),
        ]
        for reason, at, witness, is_sealed, good in rows:
            operator = Operator()
            operator.state_quicknet(1785000001)
            opened = operator.open(1, 1785000002, witness=witness)
            entries = example_entries(opened) if is_sealed else None
            if entries is not None:
                operator.close(opened, START - 596, entries)
            start = -(-(at + 900) // 60) * 60
            operator.append("fairball/postpone/v1", at, f"open {opened}\nreason {reason}\nstart {start}\n"
                                                        f"round {QUICKNET.round_at(start)}\n")
            found = outcomes(verified(document(operator, 1, entries, beacon=None)))["open.postponed"]
            self.assertEqual(found, PASSED if good else FAILED, (reason, at, witness, is_sealed))

    def test_fails_a_draw_void_for_the_beacon_that_was_never_sealed(self) -> None:
        operator = Operator()
        operator.state_quicknet(1785000001)
        opened = operator.open(1, 1785000002)
        operator.append("fairball/void/v1", START + 8 * 86400, f"open {opened}\nreason beacon\n")
        self.check(document(operator, 1, beacon=None), "open.void")

    def test_lets_only_a_draw_that_nobody_is_in_be_void_before_the_third_miss(self) -> None:
        def given_up(at: int, witness: Any = 0, entries: Optional[bytes] = None) -> Any:
            operator = Operator()
            operator.state_quicknet(1785000001)
            opened = operator.open(1, 1785000002, witness=witness)
            if entries is not None:
                operator.close(opened, START - 596, entries)
            operator.append("fairball/void/v1", at, f"open {opened}\nreason outage\n")
            return operator, opened

        def outcome(values: Dict[str, Any]) -> str:
            report = verified(values)
            self.assertLessEqual(set(report.failed()), {"open.void", "receipts.signature", "receipts.found"})
            return outcomes(report)["open.void"]

        self.assertEqual(outcome(document(given_up(DUE - 60)[0], beacon=None)), FAILED)
        operator, opened = given_up(DUE - 59)
        self.assertEqual(outcome(document(operator, beacon=None)), UNCHECKED)
        other = bytes([4] * 32)
        for note, expected in ((receipt_note(opened, 3), FAILED), (receipt_note("ab" * 32, 3), UNCHECKED),
                               (receipt_note(opened, 3, seed=other), UNCHECKED), ("no note", UNCHECKED)):
            own = {"key": None, "username": None, "sights": [],
                   "receipts": [{"receipt": note, "close": None, "entries": []}]}
            self.assertEqual(outcome(document(operator, beacon=None, own=own)), expected)
        alice = f"1 alice={public_key(bytes([1] * 32)).hex()}"
        self.assertEqual(outcome(document(given_up(DUE - 59, alice, b"")[0], beacon=None)), UNCHECKED)
        entries = example_entries(opened)
        self.assertEqual(outcomes(verified(document(given_up(DUE - 59, alice, entries)[0], beacon=None)))["open.void"],
                         FAILED)

    def test_fails_where_an_entry_stands_in_the_receipts_of_two_orders(self) -> None:
        whole = honest()
        given = whole["own"]["receipts"][0]
        opened = sha256(whole["log"][2].split("\n\n")[0].encode() + b"\n").hexdigest()
        second = {**given, "receipt": receipt_note(opened, 3, order="another order")}
        rows: List[Any] = [([given, given],), ([given, second], "receipts.once"),
                           ([given, {**given, "receipt": receipt_note(opened, 3, 1785900001)}],)]
        for receipts, *expected in rows:
            self.check({**whole, "own": {**whole["own"], "receipts": receipts}}, *expected)
        text = given["receipt"].split("\n\n")[0] + "\n"
        other = "entry " + "ab" * 16
        secret = text.replace("order 5", "order 6").replace(f"entry {FAIRNESS['entries'][3]['id']}", other)
        player = text.replace("O'Hara_7", "O'Hara_8")
        for changed in (secret, player):
            values = {**whole, "own": {**whole["own"], "receipts": [given, {**given, "receipt": sign_note(changed)}]}}
            self.assertIn("receipts.once", verified(values).failed())

    def test_leaves_a_receipt_open_whose_key_the_log_does_not_hold(self) -> None:
        whole = honest()
        given = whole["own"]["receipts"][0]
        text = given["receipt"].split("\n\n")[0] + "\n"
        unknown = sign_note(text, bytes([4] * 32))
        forged = sign_note(text.replace("time 1785900000", "time 1785900001")).split("\n\n")[1]
        rows = [(unknown, UNCHECKED), (unknown + forged, FAILED), (text + "\n" + forged, FAILED),
                (sign_note(text, bytes([4] * 32), "lottery.other"), FAILED)]
        for note, expected in rows:
            report = verified({**whole, "own": {**whole["own"], "receipts": [{**given, "receipt": note}]}})
            self.assertEqual(outcomes(report)["receipts.signature"], expected)
            self.assertEqual(report.failed(), ["receipts.signature"] if expected == FAILED else [])
        self.assertIn("the log here may end too early", verified(
            {**whole, "own": {**whole["own"], "receipts": [{**given, "receipt": unknown}]}}).as_text())

    def test_fails_where_free_entries_were_not_won(self) -> None:
        operator = Operator()
        operator.state_quicknet(1785000001)
        opened = operator.open(1, 1785000002)
        entries = example_entries(opened, [1, 0, 0, 0, 0])
        operator.close(opened, START - 596, entries)
        self.check(document(operator, 1, entries), "prizes.free")

    def test_lets_free_entries_be_used_that_an_earlier_draw_won(self) -> None:
        operator = Operator()
        operator.state_quicknet(1785000001)
        first = operator.open(1, 1785000002)
        entries = example_entries(first)
        operator.result(first, operator.close(first, START - 596, entries), START + 200, entries)
        for place, expected in ((1, []), (2, ["prizes.free"])):
            second = operator.open(1 + place, START + 10_000 * place, seedhash="0" * 63 + str(place))
            free = example_entries(second, [1, 0, 0, 0, 0])
            operator.close(second, START + 10_000 * place + 1, free)
            report = verified(document(operator, 1, entries))
            self.assertEqual(report.failed(), expected)

    def test_fails_where_a_receipt_is_not_honoured(self) -> None:
        whole = honest()
        opened = sha256(whole["log"][2].split("\n\n")[0].encode() + b"\n").hexdigest()

        def with_receipt(change: Callable[[str], str], **fields: Any) -> Dict[str, Any]:
            values = copy.deepcopy(whole)
            given = values["own"]["receipts"][0]
            given["receipt"] = sign_note(change(given["receipt"].split("\n\n")[0] + "\n"))
            given.update(fields)
            return values

        entry = FAIRNESS["entries"][3]["id"]
        path = whole["own"]["receipts"][0]["entries"][0]
        rows: List[Any] = [
            (with_receipt(lambda t: t.replace("1,2,3,4,5,6", "1,2,3,4,5,7")), "receipts.sealed"),
            (with_receipt(lambda t: t.replace(" 0 1,2", " 1 1,2")), "receipts.sealed"),
            (with_receipt(lambda t: t.replace("secret 22", "secret 23")), "receipts.sealed"),
            (with_receipt(lambda t: t.replace("1,2,3,4,5,6", "1,2,3,4,5")), "receipts.lines", "receipts.sealed"),
            (with_receipt(lambda t: t.replace(f"entry {entry}", "entry " + "ab" * 16)), "receipts.sealed"),
            (with_receipt(lambda t: t.replace("2222\nentry", f"2222\nentry {entry} 0 1,2,3,4,5,6\nentry")),
             "receipts.lines"),
            (with_receipt(lambda t: t.replace(opened, "ab" * 32)), "receipts.found"),
            (with_receipt(lambda t: t.replace("O'Hara_7", "O'Hara_8")), "receipts.owner", "receipts.sealed"),
            (with_receipt(lambda t: t.replace("operator lottery.example", "operator lottery.other")),
             "receipts.signature"),
            (with_receipt(lambda t: t.replace("time 1785900000", "time 1785779999")), "open.receipts"),
            (with_receipt(lambda t: t, entries=[{**path, "index": 2}]), "receipts.sealed"),
            (with_receipt(lambda t: t, entries=[{**path, "size": 6}]), "receipts.sealed"),
            (with_receipt(lambda t: t, entries=[{**path, "path": path["path"][:-1]}]), "receipts.sealed"),
            (with_receipt(lambda t: t, entries=[{**path, "path": ["zz"]}]), "receipts.sealed"),
            (with_receipt(lambda t: t, close="no note"), "receipts.close"),
            (with_receipt(lambda t: t, entries=[]),),
            (with_receipt(lambda t: t, receipt="no note"), "receipts.signature"),
        ]
        for values, *expected in rows:
            self.check(values, *expected)

    def test_fails_where_the_operator_signed_another_close_for_a_player(self) -> None:
        whole = honest()
        text = whole["log"][3].split("\n\n")[0] + "\n"
        whole["own"]["receipts"][0]["close"] = sign_note(text.replace("stake 9600", "stake 9601"))
        report = verified(whole)
        self.assertEqual(report.failed(), ["log.fork", "receipts.close"])
        self.assertIn("signed another statement", report.as_text())

    def test_finds_the_own_entry_by_its_path_where_the_entries_are_not_there(self) -> None:
        whole = {**honest(), "entries": None}
        self.assertEqual(outcomes(verified(whole))["receipts.sealed"], PASSED)
        whole["own"]["receipts"][0]["entries"][0]["path"].reverse()
        self.check(whole, "receipts.sealed")


class HostileTest(unittest.TestCase):
    def test_refuses_files_that_are_no_bundles_with_a_sentence(self) -> None:
        good = json.dumps(honest())
        texts = ["", "{", "[]", "null", "1", '"x"', "{}", "[" * 100_000, '{"a":' * 100_000, good[:-1], "\ufeff" + good,
                 good.replace('"bitcoin-lotto"', "7"), good.replace('"draw": 1', '"draw": -1'),
                 good.replace('"draw": 1', '"draw": 1.5'), good.replace('"draw": 1', '"draw": true'),
                 good.replace('"draw": 1', '"draw": ' + "9" * 10_000), good.replace('"draw": 1', '"draw": NaN'),
                 good.replace('"draw": 1', '"draw": 1, "draw": 1'), good.replace('"seen_at": 1', '"seen_at": "x'),
                 good.replace("bundle/v1", "bundle/v2")]
        for text in texts:
            self.assertRaises(BundleError, parse_bundle, text)
        for name in ("game", "draw", "log", "witnesses"):
            self.assertRaises(BundleError, parse_bundle, json.dumps({**honest(), name: None}))
        for name, value in (("entries", "AAF="), ("entries", 5), ("log", [1]), ("rules", 1), ("beacon", []),
                            ("beacon", {}), ("own", 1), ("own", {}), ("witnesses", [None])):
            self.assertRaises(BundleError, parse_bundle, json.dumps({**honest(), name: value}))

    def test_never_raises_whatever_the_bundle_says(self) -> None:
        dice = random.Random(3)
        odd = [None, True, -1, 0, 10**19, "", "0", "\ud800", "\u2014", "x" * 70_000, [], {}, "ab" * 32, "AAAA"]
        for _ in range(RANDOM_BUNDLES):
            values: Any = honest()
            for _ in range(dice.randrange(1, 4)):
                at: Any = values
                key: Any = dice.choice(list(at))
                while isinstance(at[key], (dict, list)) and at[key] and dice.random() < 0.9:
                    at = at[key]
                    key = dice.choice(list(at)) if isinstance(at, dict) else dice.randrange(len(at))
                if isinstance(at[key], str) and at[key] and dice.random() < 0.6:
                    place = dice.randrange(len(at[key]))
                    character = dice.choice("\n 0aZ/+=,\u2014\ud800\0")
                    at[key] = at[key][:place] + character + at[key][place + dice.randrange(3) :]
                else:
                    at[key] = dice.choice(odd)
            try:
                report = verify(parse_bundle(json.dumps(values)), dice.choice([None, KEY]), dice.choice([None, "x"]))
            except BundleError:
                continue
            report.as_text().encode("ascii")
            json.dumps(report.as_json()).encode("ascii")

    def test_prints_nothing_that_commands_a_terminal(self) -> None:
        whole = {**honest(), "game": "\x1b[2J\u202egame\r"}
        self.assertNotRegex(verified(whole).as_text(), "[\x00-\x09\x0b-\x1f\x7f-\uffff]")


class BundlesTest(unittest.TestCase):
    """The bundles that both implementations are run against, made by the other one."""

    pairing = {
        "result-signature-wrong.bundle.json": set(),
        "beacon-signature-wrong.bundle.json": {"beacon.same", "numbers.derived"},
        "beacon-round-wrong.bundle.json": {"beacon.round", "beacon.same", "numbers.derived"},
    }
    """Where only the pairing tells which signature is wrong, what is seen without it at least."""

    def test_fails_what_the_other_implementation_fails_and_nothing_else(self) -> None:
        index = json.loads((BUNDLES / "index.json").read_text("utf-8"))
        self.assertGreater(len(index), 50)
        for described in index:
            with self.subTest(described["file"]):
                report = fairball_verify.verify_file(str(BUNDLES / described["file"]))
                found = set(report.failed())
                if described["file"] in self.pairing:
                    self.assertIn("beacon.signature", described["failed"])
                    self.assertLessEqual(self.pairing[described["file"]], found)
                elif described["steps"] == ["log"]:
                    # Each program goes on in its own way behind a place where a log is broken.
                    self.assertLessEqual(set(described["failed"]), found)
                else:
                    self.assertEqual(found, set(described["failed"]))
                    self.assertEqual([step.name for step in report.steps if step.outcome == FAILED],
                                     described["steps"])


    def test_leaves_open_what_only_a_file_says_and_what_cannot_be_told(self) -> None:
        for file, expected in (("memory-in-file", ["log.fork", "log.key", "close.seen"]),
                               ("void-at-first-miss", ["open.void"])):
            report = fairball_verify.verify_file(str(BUNDLES / f"{file}.bundle.json"))
            self.assertEqual([outcomes(report)[id] for id in expected], [UNCHECKED] * len(expected), file)


class CommandTest(unittest.TestCase):
    def run_on(self, *arguments: str) -> Any:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = fairball_verify.main(arguments)
        return status, out.getvalue(), err.getvalue()

    def test_exits_0_where_nothing_failed_1_where_something_did_and_2_where_it_could_not_check(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            good, bad, broken = (os.path.join(folder, name) for name in ("good", "bad", "broken"))
            for path, text in ((good, json.dumps(honest())), (bad, json.dumps({**honest(), "rules": "x"})),
                               (broken, "\x00")):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            missing = os.path.join(folder, "missing")
            for paths, status in (([good], 0), ([bad], 1), ([broken], 2), ([missing], 2), ([folder], 2),
                                  ([good, bad], 1), ([good, broken], 2), ([broken, bad], 1)):
                self.assertEqual(self.run_on(*paths)[0], status, paths)
                self.assertEqual(self.run_on(*paths, "--json")[0], status, paths)
            status, out, _ = self.run_on(good, "--json", "--key", KEY, "--username", "O'Hara_7")
            self.assertEqual((status, json.loads(out)["outcome"]), (0, UNCHECKED))
            status, out, err = self.run_on(good, missing, "--json")
            self.assertEqual([list(one)[0] for one in json.loads(out)], ["game", "file"])
            self.assertIn("could not be checked", err)
            self.assertEqual(self.run_on(good, "--username", "somebody")[0], 1)
            self.assertEqual(self.run_on(good, "--key", "ab" * 32)[0], 1)
            self.assertEqual(self.run_on(good, "--key", sha256(bytes.fromhex(KEY)).hexdigest())[0], 0)


if __name__ == "__main__":
    unittest.main()
