import unittest

from fairball.prizes import count_matches, tier_results
from fairball.sampler import mask_of
from fairball.statements import Tier, TierResult, parse_logged, parse_rules
from tests.support import FAIRNESS

RULES = parse_rules(FAIRNESS["rules"]["text"])["tier"]


def counts(**matches: int) -> "list[int]":
    return [matches.get(f"m{n}", 0) for n in range(65)]


class PrizesTest(unittest.TestCase):
    def test_agrees_with_the_worked_example(self) -> None:
        entries = bytes.fromhex(FAIRNESS["entries_bin"])
        found = count_matches(entries, mask_of(FAIRNESS["numbers"]), 6)
        self.assertEqual(found[:7], [2, 1, 1, 1, 0, 0, 0])
        close, result = (parse_logged(FAIRNESS[name]["text"]) for name in ("close", "result"))
        figures = {name: close[name] for name in ("pool", "bankroll", "floor")}
        self.assertEqual(tier_results(RULES, found, rate=close["rate"][1], **figures), result["tier"])

    def test_pays_the_jackpot_from_what_the_fixed_prizes_leave_or_the_floor(self) -> None:
        tiers = [Tier(3, "jackpot", 0), Tier(2, "fixed", 1000), Tier(1, "free", 0)]
        rows = [
            (counts(), 0, 0, [0, 1000, 0]),
            (counts(m3=3), 10_000, 0, [3333, 1000, 0]),
            (counts(m3=1, m2=2, m1=9), 10_000, 0, [8000, 1000, 0]),
            (counts(m3=1, m2=2), 1_000, 5_000, [5_000, 1000, 0]),
            (counts(m3=2), 0, 5_001, [2_500, 1000, 0]),
        ]
        for won, pool, floor, each in rows:
            found = tier_results(tiers, won, pool=pool, bankroll=5_000, floor=floor, rate=100)
            self.assertEqual([tier.each for tier in found], each)
            self.assertEqual([tier.winners for tier in found], [won[3], won[2], won[1]])

    def test_scales_fixed_prizes_down_together_where_pool_and_bankroll_do_not_cover_them(self) -> None:
        tiers = [Tier(4, "jackpot", 0), Tier(3, "fixed", 3000), Tier(2, "fixed", 100)]
        found = tier_results(tiers, counts(m4=1, m3=2, m2=10), pool=3_000, bankroll=500, floor=7, rate=100)
        self.assertEqual([tier.each for tier in found], [7, 1500, 50])
        found = tier_results(tiers, counts(m4=1, m3=2, m2=10), pool=3_001, bankroll=0, floor=7, rate=100)
        self.assertEqual([tier.each for tier in found], [3_001 - 2 * 1286 - 10 * 42, 1286, 42])

    def test_rounds_fixed_prizes_down(self) -> None:
        self.assertEqual(
            tier_results([Tier(1, "fixed", 199)], counts(m1=1), pool=10_000, bankroll=0, floor=0, rate=99),
            [TierResult(1, "fixed", 1, 197)],
        )

    def test_counts_matches_in_the_highest_numbers_too(self) -> None:
        entry = bytes(17) + mask_of([1, 16, 17, 32, 33, 48, 49, 64]).to_bytes(8, "big") + bytes(32)
        self.assertEqual(count_matches(entry, mask_of([1, 16, 17, 32, 33, 48, 49, 64]), 8)[8], 1)
        self.assertEqual(count_matches(entry, mask_of([2, 15, 18, 31, 34, 47, 50, 64]), 8)[1], 1)


if __name__ == "__main__":
    unittest.main()
