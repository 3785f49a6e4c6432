"""The prizes of a draw and the states of a game (section 9). All amounts are exact satoshis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, NamedTuple, Sequence, Tuple

from .statements import Statement, Tier


class State(NamedTuple):
    """Draws closed and settled, the pot, free tickets won and used, and paid lines carried over from void draws."""

    closed: int
    settled: int
    pot: int
    won: int
    used: int
    carried: int


FIRST = State(0, 0, 0, 0, 0, 0)


def state_of(statement: Statement) -> State:
    return State(*statement.numbers("state"))


def after_close(before: State, close: Statement) -> State:
    return before._replace(
        closed=before.closed + 1,
        pot=0,
        used=before.used + close.number("free"),
        carried=before.carried - close.number("carried"),
    )


def after_result(before: State, left: int, free_winners: int) -> State:
    return before._replace(settled=before.settled + 1, pot=before.pot + left, won=before.won + free_winners)


def after_void(before: State, close: "Statement | None") -> State:
    """The state after a void, with or without a close."""
    if close is None:
        return before._replace(closed=before.closed + 1, settled=before.settled + 1)
    lines, free = close.number("lines"), close.number("free")
    return before._replace(
        settled=before.settled + 1,
        pot=before.pot + close.number("pool"),
        used=before.used - free,
        carried=before.carried + lines - free,
    )


def share_of(stake: int, rules: Statement) -> int:
    """The pool's share of a stake: the rest after donation and fee, each rounded down."""
    _, donation, fee = rules.numbers("split")
    return stake - stake * donation // 100 - stake * fee // 100


def of_minor(minor: int, rate: int) -> int:
    """Satoshis for an amount in hundredths of the currency's unit, rounded down."""
    return minor * rate // 100


@dataclass(frozen=True)
class Prizes:
    each: Tuple[int, ...]
    left: int

    def won(self, winners: Sequence[int]) -> int:
        return sum(count * sats for count, sats in zip(winners, self.each))


def prizes(tiers: Sequence[Tier], winners: Sequence[int], close: Statement) -> Prizes:
    """Satoshis per winning line of each tier, and the amount that stays in the pot."""
    rate = close.rate()[1]
    pool, short = close.number("pool"), close.number("short")
    cover = max(close.number("cover") - short, 0)
    floor = close.number("floor") - max(short - close.number("cover"), 0)
    fixed = [of_minor(tier.minor, rate) if tier.kind == "fixed" else 0 for tier in tiers]
    total = sum(count * sats for count, sats in zip(winners, fixed))
    if total > pool + cover:
        fixed = [sats * (pool + cover) // total for sats in fixed]
        total = sum(count * sats for count, sats in zip(winners, fixed))
    rest = max(pool - total, 0)
    each: List[int] = list(fixed)
    left = rest
    jackpots = winners[0]
    if jackpots:
        jackpot = max(rest, floor)
        each[0] = jackpot // jackpots
        left = jackpot - jackpots * each[0]
    return Prizes(tuple(each), left)
