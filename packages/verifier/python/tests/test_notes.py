import os
import random
import unittest

from fairball.notes import NoteError, canonical_base64, key_id, parse_note, signed_by, witness_time
from fairball.statements import StatementError, parse_logged, parse_receipt
from tests.support import FAIRNESS, OPERATOR, OPERATOR_SEED, public_key, sign_note, witness_line

PUBLIC_KEY = bytes.fromhex(FAIRNESS["operator"]["ed25519_public_key"])
NOTES = [FAIRNESS[name]["note"] for name in ("open", "close", "result", "receipt")]
MUTATIONS = int(os.environ.get("FAIRBALL_MUTATIONS", "10000"))
ALPHABET = "\n\r\t\x00 0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/=-,.\u2014\u00e9\ud800"


def accepted(note: str) -> bool:
    try:
        read = parse_note(note)
        (parse_receipt if read.text.startswith("fairball/receipt") else parse_logged)(read.text)
    except (NoteError, StatementError):
        return False
    return signed_by(read, OPERATOR, PUBLIC_KEY)


def mutated(note: str, dice: random.Random) -> str:
    at, way = dice.randrange(len(note)), dice.randrange(7)
    if way == 0:
        return note[:at] + chr(ord(note[at]) ^ 1 << dice.randrange(7)) + note[at + 1 :]
    if way == 1:
        return note[:at] + note[at + 1 :]
    if way == 2:
        return note[:at] + dice.choice(ALPHABET) + note[at:]
    if way == 3:
        return note[:at] + dice.choice(ALPHABET) + note[at + 1 :]
    if way == 4:
        return note[: at + 1] + note[at:]
    lines = note.split("\n")
    one, two = dice.randrange(len(lines)), dice.randrange(len(lines))
    if way == 5:
        lines[one], lines[two] = lines[two], lines[one]
    else:
        del lines[one]
    return "\n".join(lines)


class NotesTest(unittest.TestCase):
    def test_accepts_the_notes_of_the_worked_example(self) -> None:
        self.assertEqual(public_key(OPERATOR_SEED), PUBLIC_KEY)
        self.assertEqual(key_id(OPERATOR, PUBLIC_KEY).hex(), FAIRNESS["operator"]["key_id"])
        for note in NOTES:
            self.assertTrue(accepted(note))
        self.assertEqual(sign_note(FAIRNESS["open"]["text"]), FAIRNESS["open"]["note"])

    def test_accepts_no_mutated_note(self) -> None:
        dice = random.Random(5)
        made = 0
        while made < MUTATIONS:
            note = dice.choice(NOTES)
            changed = mutated(note, dice)
            if changed != note:
                made += 1
                self.assertFalse(accepted(changed), repr(changed))

    def test_refuses_every_single_bit_change_of_a_note(self) -> None:
        note = NOTES[3].encode()
        for bit in range(8 * len(note)):
            changed = bytearray(note)
            changed[bit // 8] ^= 1 << bit % 8
            try:
                text = changed.decode()
            except UnicodeDecodeError:
                continue
            self.assertFalse(accepted(text), bit)

    def test_ignores_signatures_of_others_and_refuses_a_wrong_one_of_the_operator(self) -> None:
        note, close = FAIRNESS["close"]["note"], FAIRNESS["close"]["text"]
        self.assertTrue(accepted(note + witness_line("alice", bytes(32), close, 1788201320)))
        wrong = sign_note(FAIRNESS["open"]["text"]).split("\n")[-2]
        self.assertFalse(accepted(note + wrong + "\n"))

    def test_refuses_base64_that_is_not_what_encoding_gives(self) -> None:
        self.assertEqual(canonical_base64("AAE="), b"\x00\x01")
        for text in ("AAF=", "AAE", "AAE==", "AA E=", "AAE=\n", "AAE-", "\u00e9AE=", "\ud800"):
            self.assertIsNone(canonical_base64(text), repr(text))

    def test_dates_a_witness_by_what_it_signed(self) -> None:
        text, seed = FAIRNESS["close"]["text"], bytes([7] * 32)
        key = public_key(seed)
        line = parse_note(FAIRNESS["close"]["note"] + witness_line("alice", seed, text, 1788201320)).lines[1]
        self.assertEqual(witness_time(line, "alice", key, text), 1788201320)
        self.assertIsNone(witness_time(line, "bob", key, text))
        self.assertIsNone(witness_time(line, "alice", PUBLIC_KEY, text))
        self.assertIsNone(witness_time(line, "alice", key, FAIRNESS["open"]["text"]))
        for bit in range(64):
            data = bytearray(line.data)
            data[bit // 8] ^= 1 << bit % 8
            self.assertIsNone(witness_time(type(line)("alice", line.key_id, bytes(data)), "alice", key, text))


if __name__ == "__main__":
    unittest.main()
