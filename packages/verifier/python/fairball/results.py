"""The checks of a draw's beacon, result and payments (sections 5, 8, 9, 10)."""

from __future__ import annotations

import re
from typing import List, Optional, Sequence

from .beacon import is_signature
from .counting import Counted
from .draw import Sealed
from .findings import BROKEN, FAIL, PASS, UNKNOWN, WAIT
from .hashing import H
from .money import Prizes, after_result, prizes, state_of
from .plays import SECTION
from .sampler import draw_key, draw_numbers, mask_of
from .state import judge_last
from .statements import Statement, tiers_of

SIGNATURE = re.compile(r"[0-9a-f]{96}")


def judge_result(sealed: Sealed, counted: Counted) -> None:
    """Judges `beacon.signature`, `result.*` and `paid.won`."""
    opened, close, found = sealed.opened, sealed.close, sealed.opened.found
    beacon = opened.draw.beacon
    if beacon is None and sealed.is_void:
        return
    if beacon is None:
        found.add("beacon.signature", WAIT, "the beacon's signature is not here yet")
        return
    valid = (
        beacon.round == close.number("round")
        and SIGNATURE.fullmatch(beacon.signature) is not None
        and is_signature(opened.chain, beacon.round, bytes.fromhex(beacon.signature))
    )
    why = "this is not the beacon's signature of the round"
    if not found.judge("beacon.signature", valid, why, BROKEN) or sealed.is_void:
        return
    signature = bytes.fromhex(beacon.signature)
    open_hash, close_hash = bytes.fromhex(opened.open.hash), bytes.fromhex(close.hash)
    key = draw_key(bytes.fromhex(close["seed"]), open_hash, close_hash, beacon.round, signature)
    numbers = draw_numbers(key, opened.rules.number("pick"), opened.rules.number("pool"))
    opened.report.numbers = tuple(numbers)
    if sealed.result is None:
        found.add("result.form", WAIT, "there is no result yet")
        return
    _form(sealed, sealed.result, beacon.signature)
    stated = sealed.result["numbers"].split(",")
    same = stated == [str(number) for number in numbers]
    found.judge("result.numbers", same, f"the numbers are {','.join(map(str, numbers))}")
    _winners(sealed, sealed.result, counted, numbers)


def _form(sealed: Sealed, result: Statement, signature: str) -> None:
    found = sealed.opened.found
    due = sealed.opened.chain.due(sealed.close.number("round"))
    found.judge("result.form", result["signature"] == signature, "the result has another signature than the beacon")
    found.judge("result.form", result.time >= due, "the result is dated before its round")


def _winners(sealed: Sealed, result: Statement, counted: Counted, numbers: Sequence[int]) -> None:
    found = sealed.opened.found
    drawn = mask_of(numbers)
    winners: Optional[List[int]] = None
    _sections(sealed, result, counted, drawn)
    if counted.whole and counted.trusted and counted.count is not None:
        winners = counted.count.winners(drawn)
    elif not counted.whole and counted.file is not None and found.status("result.sections") in (PASS, UNKNOWN):
        winners = [sum(column) for column in zip(*(record.winners for record in counted.records))]
    if found.status("plays.leaves") == FAIL or found.status("plays.root") == BROKEN:
        return
    if winners is None:
        why = f"only {len(counted.sections)} of {counted.total} sections were counted here"
        for check in ("result.sections", "result.tiers", "result.state"):
            found.add(check, UNKNOWN, why)
        return
    won = prizes(tiers_of(sealed.opened.rules), winners, sealed.close)
    _tiers(sealed, result, winners, won)
    _state(sealed, result, winners, won)
    _paid(sealed, won.won(winners))


def _sections(sealed: Sealed, result: Statement, counted: Counted, drawn: int) -> None:
    """The sections file must be the result's, and agree with the available leaves."""
    found, count = sealed.opened.found, counted.count
    if counted.file is not None and H(counted.file).hex() != result["sections"]:
        found.add("result.sections", BROKEN, "the file of sections is not the one that the result names")
        return
    if counted.whole and count is not None:
        records = [count.record(counted.sections[number], drawn) for number in range(counted.total)]
        same = H(b"".join(record.data() for record in records)).hex() == result["sections"]
        found.judge("result.sections", same, "the sections are not what their leaves add up to")
    elif counted.file is not None and found.passed("plays.root"):
        _file(sealed, counted, drawn)


def _file(sealed: Sealed, counted: Counted, drawn: int) -> None:
    """Checks the sections file if some sections are missing: it adds up, and agrees with the available leaves."""
    found, close, records = sealed.opened.found, sealed.close, counted.records
    size = close.number("size")
    for number, record in enumerate(records):
        right = record.section == number and record.leaves == min(SECTION, size - number * SECTION)
        found.judge("result.sections", right, "the file of sections has not the sections of this draw")
    sums = [sum(getattr(one, name) for one in records) for name in ("leaves", "lines", "free", "carried", "stake")]
    stated = [close.number(name) for name in ("size", "lines", "free", "carried", "stake")]
    found.judge("result.sections", sums == stated, "the sections do not add up to the close")
    count = counted.count
    if count is None:
        return
    if len(count.revocations) != int(close["revoked"].split(" ")[0]):
        found.add("result.sections", UNKNOWN, "a revocation in a section that is not here may concern these leaves")
        return
    same = all(records[number] == count.record(one, drawn) for number, one in counted.sections.items())
    found.judge("result.sections", same, "a section is not what its leaves add up to")


def _tiers(sealed: Sealed, result: Statement, winners: Sequence[int], won: Prizes) -> None:
    tiers = tiers_of(sealed.opened.rules)
    expected = tuple(
        f"{tier.matches} {tier.kind} {count} {sats}" for tier, count, sats in zip(tiers, winners, won.each)
    )
    same = result.all("tier") == expected
    sealed.opened.found.judge("result.tiers", same, f"winners and prizes are to be {'; '.join(expected)}")


def _state(sealed: Sealed, result: Statement, winners: Sequence[int], won: Prizes) -> None:
    opened, found = sealed.opened, sealed.opened.found
    found.judge("result.state", result.number("left") == won.left, f"what is left is {won.left}")
    before = judge_last(opened.log, opened.open, sealed.result_index, result, found, "result.state")
    if before is None:
        return
    free = sum(count for tier, count in zip(tiers_of(opened.rules), winners) if tier.kind == "free")
    expected = after_result(before, won.left, free)
    found.judge("result.state", state_of(result) == expected, "the state after the result is not what follows")


def _paid(sealed: Sealed, won: int) -> None:
    opened, found = sealed.opened, sealed.opened.found
    for _, statement in opened.log.of_kind("paid"):
        for line in statement.all("draw"):
            name, stated, paid = line.split(" ")
            if name == opened.open.hash:
                found.judge("paid.won", int(stated) == won, f"{won} satoshis were won and not {stated}")
                found.judge("paid.won", int(paid) <= int(stated), "more was paid than was won")
