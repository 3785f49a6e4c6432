import re
import unittest

from fairball.statements import StatementError, parse_logged, parse_receipt, parse_rules
from tests.support import FAIRNESS

OPEN = FAIRNESS["open"]["text"]
CLOSE = FAIRNESS["close"]["text"]
RESULT = FAIRNESS["result"]["text"]
RECEIPT = FAIRNESS["receipt"]["text"]
RULES = FAIRNESS["rules"]["text"]
KEY = "ab" * 32
OTHER = "cd" * 32


def swapped(text: str, at: int) -> str:
    lines = text.split("\n")
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "\n".join(lines)


class StatementsTest(unittest.TestCase):
    def test_reads_the_statements_of_the_worked_example_with_their_hashes(self) -> None:
        for name in ("open", "close", "result"):
            self.assertEqual(parse_logged(FAIRNESS[name]["text"]).hash, FAIRNESS[name]["hash"])
        self.assertEqual(parse_rules(RULES).hash, FAIRNESS["rules"]["hash"])
        self.assertEqual(parse_receipt(RECEIPT)["entry"][0].numbers, (1, 2, 3, 4, 5, 6))
        self.assertEqual(parse_logged(OPEN)["round"], 31799517)

    def test_refuses_everything_that_is_not_written_to_the_letter(self) -> None:
        refused = {
            "nothing": "",
            "no last line end": OPEN[:-1],
            "an empty line at the end": OPEN + "\n",
            "an empty line inside": OPEN.replace("seq", "\nseq"),
            "carriage returns": OPEN.replace("\n", "\r\n"),
            "a tab": OPEN.replace("draw 17", "draw\t17"),
            "a byte above 0x7E": OPEN.replace("bitcoin-lotto", "bitcoin-l\u00f6tto"),
            "the byte 0x7F": OPEN.replace("bitcoin-lotto", "bitcoin\x7flotto"),
            "the byte 0": OPEN.replace("bitcoin-lotto", "bitcoin\0lotto"),
            "a line separator of Unicode": OPEN.replace("draw 17\n", "draw 17\u2028"),
            "two spaces": OPEN.replace("draw 17", "draw  17"),
            "a space at the end": OPEN.replace("draw 17", "draw 17 "),
            "a space before": OPEN.replace("draw 17", " draw 17"),
            "no value": OPEN.replace("draw 17", "draw "),
            "no space": OPEN.replace("draw 17", "draw"),
            "a leading zero": OPEN.replace("draw 17", "draw 017"),
            "a plus sign": OPEN.replace("draw 17", "draw +17"),
            "a minus sign": OPEN.replace("draw 17", "draw -17"),
            "a decimal point": OPEN.replace("draw 17", "draw 17.0"),
            "an underscore": OPEN.replace("draw 17", "draw 1_7"),
            "digits of another script": OPEN.replace("draw 17", "draw \u0661\u0667"),
            "capital hex": OPEN.replace("chain 52db", "chain 52DB"),
            "short hex": OPEN.replace("chain 52", "chain "),
            "a key twice": OPEN.replace("draw 17\n", "draw 17\ndraw 17\n"),
            "a key missing": OPEN.replace("draw 17\n", ""),
            "a key more": OPEN + "more 1\n",
            "another order": swapped(OPEN, 6),
            "another type": OPEN.replace("open/v1", "open/v2"),
            "a space after the type": OPEN.replace("open/v1", "open/v1 "),
            "a pick of zero": OPEN.replace("pick 6", "pick 0"),
            "a pick above the pool": OPEN.replace("pick 6", "pick 50"),
            "a pool of 65": OPEN.replace("pool 49", "pool 65"),
            "a round of zero": OPEN.replace("round 31799517", "round 0"),
            "a round beyond u64": OPEN.replace("round 31799517", f"round {2**64}"),
            "more than 4096 bytes": OPEN.replace("bitcoin-lotto", "b" * 4096),
            "a receipt": RECEIPT,
            "the rules": RULES,
            "a result without tiers": RESULT[: RESULT.index("tier")],
            "a number twice": RESULT.replace("34,28", "28,28"),
            "a number above 64": RESULT.replace("34,28", "65,28"),
            "a number 0": RESULT.replace("34,28", "0,28"),
            "a comma at the end": RESULT.replace("26,25", "26,25,"),
            "an unknown kind of tier": RESULT.replace("free", "gift"),
            "a tier of five parts": RESULT.replace("free 1 0", "free 1 0 0"),
            "a tier between": RESULT.replace("numbers", "tier 6 jackpot 0 0\nnumbers"),
            "a short signature": RESULT.replace("signature b7", "signature "),
            "a rate without currency": CLOSE.replace("rate GBP 1200", "rate 1200"),
            "a rate of three parts": CLOSE.replace("rate GBP 1200", "rate GBP 1200 0"),
            "no witness rule": OPEN.replace("witness 0", "witness none"),
            "a witness without key": OPEN.replace("witness 0", "witness 1 alice"),
            "more needed than named": OPEN.replace("witness 0", f"witness 2 alice={KEY}"),
            "a count without need": OPEN.replace("witness 0", f"witness 0 alice={KEY}"),
            "a witness twice": OPEN.replace("witness 0", f"witness 2 alice={KEY},alice={OTHER}"),
            "a witness key twice": OPEN.replace("witness 0", f"witness 2 alice={KEY},bob={KEY}"),
            "an unknown reason": re.sub("game(.|\n)*", f"open {KEY}\nreason rain\n", OPEN).replace("open/", "void/"),
        }
        for name, text in refused.items():
            with self.subTest(name):
                self.assertRaises(StatementError, parse_logged, text)

    def test_takes_a_statement_of_exactly_4096_bytes(self) -> None:
        text = OPEN.replace("bitcoin-lotto", "b" * (4096 - len(OPEN) + len("bitcoin-lotto")))
        self.assertEqual(len(text), 4096)
        self.assertEqual(parse_logged(text).type, "fairball/open/v1")

    def test_reads_a_list_of_witnesses(self) -> None:
        rule = parse_logged(OPEN.replace("witness 0", f"witness 1 alice={KEY},bob={OTHER}"))["witness"]
        self.assertEqual((rule.needed, rule.keys), (1, (("alice", KEY), ("bob", OTHER))))

    def test_refuses_receipts_and_rules_that_are_not_written_to_the_letter(self) -> None:
        line = RECEIPT.split("\n")[-2] + "\n"
        refused = [
            RECEIPT.replace(line, ""),
            RECEIPT.replace(" 0 1,2", " 2 1,2"),
            RECEIPT.replace("1,2,3", "2,1,3"),
            RECEIPT.replace("e16a3cfd", "e16a3c"),
            RECEIPT + "more 1\n",
            RECEIPT + line * 1300,
        ]
        for text in refused:
            self.assertRaises(StatementError, parse_receipt, text)
        self.assertEqual(len(parse_receipt(RECEIPT + line * 900)["entry"]), 901)
        for text in [
            RULES.replace("tier 5 fixed 150000\ntier 4 fixed 5000", "tier 4 fixed 5000\ntier 5 fixed 150000"),
            RULES.replace("tier 5 fixed 150000", "tier 5 jackpot"),
            RULES.replace("tier 6 jackpot", "tier 7 jackpot"),
            RULES.replace("tier 6 jackpot", "tier 6 jackpot 0"),
            RULES.replace("tier 5 fixed 150000", "tier 5 fixed"),
            RULES.replace("split 80 5 15", "split 80 5 16"),
            RULES.replace("split 80 5 15", "split 80 20"),
        ]:
            self.assertRaises(StatementError, parse_rules, text)


if __name__ == "__main__":
    unittest.main()
