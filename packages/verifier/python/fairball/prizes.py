"""What the tiers of a draw pay, in satoshis (fairness section 8)."""

from __future__ import annotations

from typing import List, Sequence

from .statements import Tier, TierResult
from .tree import ENTRY_BYTES

BITS = [bin(value).count("1") for value in range(65536)]
"""How many bits are set in each number of 16 bits."""


def count_matches(entries: bytes, drawn: int, pick: int) -> List[int]:
    """How many entries have 0, 1, … matches with the mask of the drawn numbers."""
    counts = [0] * 65
    for at in range(17, len(entries), ENTRY_BYTES):
        both = int.from_bytes(entries[at : at + 8], "big") & drawn
        counts[BITS[both & 65535] + BITS[both >> 16 & 65535] + BITS[both >> 32 & 65535] + BITS[both >> 48]] += 1
    return counts


def tier_results(
    tiers: Sequence[Tier], counts: Sequence[int], *, pool: int, bankroll: int, floor: int, rate: int
) -> List[TierResult]:
    """The `tier` lines that follow from the rules, the winners and the figures of the close.

    `counts` says how many entries have n matches; amounts are satoshis, `rate` satoshis per unit of the currency.
    Fixed prizes are scaled down together where they come to more than pool and bankroll. Remainders are not paid.
    """
    each = {tier.matches: tier.minor * rate // 100 for tier in tiers if tier.kind == "fixed"}
    total = sum(counts[matches] * amount for matches, amount in each.items())
    if total > pool + bankroll:
        each = {matches: amount * (pool + bankroll) // total for matches, amount in each.items()}
        total = sum(counts[matches] * amount for matches, amount in each.items())
    jackpot = max(pool - min(total, pool), floor)
    results: List[TierResult] = []
    for tier in tiers:
        winners = counts[tier.matches]
        amount = each.get(tier.matches, 0)
        if tier.kind == "jackpot" and winners > 0:
            amount = jackpot // winners
        results.append(TierResult(tier.matches, tier.kind, winners, amount))
    return results
