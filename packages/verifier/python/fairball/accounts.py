"""The checks of a close's money (section 9)."""

from __future__ import annotations

from typing import List, Tuple

from .counting import named_batch
from .draw import Sealed
from .findings import FAIL, PASS, WARN
from .money import after_close, of_minor, share_of, state_of
from .state import judge_last
from .statements import MAX_RATE, MAX_SATS, MIN_RATE

QUOTE_AGE = 900


def judge_money(sealed: Sealed) -> None:
    """Judges `money.pool`, `.state`, `.free`, `.rate` and `.guarantee`."""
    opened, close, found = sealed.opened, sealed.close, sealed.opened.found
    before = judge_last(opened.log, opened.open, sealed.index, close, found, "money.state")
    if before is not None:
        pool = before.pot + close.number("added") + share_of(close.number("stake"), opened.rules)
        same = close.number("pool") == pool and pool <= MAX_SATS
        found.judge("money.pool", same, f"the pool is {close['pool']}, and what goes into it adds up to {pool}")
        expected = after_close(before, close)
        right = state_of(close) == expected and expected.carried >= 0
        found.judge("money.state", right, "the state after the close is not what follows from the one before")
        in_order = expected.closed == opened.open.number("draw")
        found.judge("money.state", in_order, "the draws of this game are not closed in order")
        if before.settled < before.closed:
            found.add("money.state", WARN, "an earlier draw of this game is not settled yet")
        found.judge("money.free", expected.used <= before.won, "more free tickets are used than were won")
    _rate(sealed)
    _guarantee(sealed)


def _quotes(sealed: Sealed) -> List[Tuple[str, int, int]]:
    """Host, price and time of each quote."""
    quotes = []
    for part in sealed.close["quotes"].split(","):
        host, _, rest = part.partition("=")
        price, _, time = rest.partition("@")
        quotes.append((host, int(price), int(time)))
    return quotes


def _rate(sealed: Sealed) -> None:
    opened, close, found = sealed.opened, sealed.close, sealed.opened.found
    found.add("money.rate", PASS)
    code, rate = close.rate()
    found.judge("money.rate", MIN_RATE <= rate <= MAX_RATE, "the rate is out of all bounds")
    found.judge("money.rate", code == opened.rules["price"].split(" ")[0], "the rate is of another currency")
    quotes = _quotes(sealed)
    hosts = [host for host, _, _ in quotes]
    known = set(opened.open["sources"].split(","))
    proper = len(hosts) >= 2 and len(set(hosts)) == len(hosts) and set(hosts) <= known
    found.judge("money.rate", proper, "the quotes are not of two or more of the sources")
    timely = all(close.time - QUOTE_AGE <= time <= close.time for _, _, time in quotes)
    found.judge("money.rate", timely, "a quote is not of the 900 s before the close")
    median = sorted(price for _, price, _ in quotes)[(len(quotes) - 1) // 2]
    found.judge("money.rate", rate == median, "the rate is not the lower median of the quotes")
    batch = named_batch(sealed)
    if batch is None:
        return
    reference_code, reference = batch.rate()
    found.judge("money.rate", reference_code == code, "the rate of the last batch is of another currency")
    if rate > 2 * reference or 2 * rate < reference:
        found.add("money.rate", FAIL, "the rate is more than twice or less than half of the last batch's")
    elif abs(rate - reference) * 100 > opened.open.number("band") * reference:
        found.add("money.rate", WARN, "the rate left its band: look it up")


def _guarantee(sealed: Sealed) -> None:
    rules, close, found = sealed.opened.rules, sealed.close, sealed.opened.found
    rate = close.rate()[1]
    floor, cover = of_minor(rules.number("floor"), rate), of_minor(rules.number("cover"), rate)
    same = (close.number("floor"), close.number("cover")) == (floor, cover)
    found.judge("money.guarantee", same, f"floor and cover are to be {floor} and {cover}")
    short = close.number("short")
    found.judge("money.guarantee", short <= floor + cover, "more is short than is guaranteed")
    if short > 0:
        found.add("money.guarantee", WARN, f"the operator is {short} satoshis short of what it guarantees")
