"""The chain of a game's states (section 9)."""

from __future__ import annotations

from typing import Optional

from .findings import BROKEN, FAIL, Findings
from .hashing import ZERO
from .log import Log
from .money import FIRST, State, state_of
from .statements import Statement


def opening_of(log: Log, statement: Statement) -> Optional[Statement]:
    """The `open` that a close, result or void belongs to, if it is known."""
    if statement.kind == "result":
        close = log.find(statement["close"], "close")
        return opening_of(log, close[1]) if close else None
    known = log.find(statement["open"], "open")
    return known[1] if known else None


def judge_last(
    log: Log, opening: Statement, index: int, statement: Statement, found: Findings, check: str
) -> Optional[State]:
    """The state before a statement, which its `last` names. None if that is not known or not of this game."""
    digest = statement["last"]
    if digest == ZERO:
        _judge_skipped(log, opening, -1, index, statement, found, check)
        return FIRST
    known = log.find(digest, "close", "result", "void")
    if known is None:
        found.add(check, BROKEN, "the statement with the state before is not here")
        return None
    before = opening_of(log, known[1])
    if before is None:
        found.add(check, BROKEN, "the draw of the statement with the state before is not here")
        return None
    if before["game"] != opening["game"]:
        found.add(check, FAIL, "the state before is that of another game")
        return None
    if known[0] >= index:
        found.add(check, FAIL, "the state before is that of a later statement")
        return None
    _judge_skipped(log, opening, known[0], index, statement, found, check)
    return state_of(known[1])


def _judge_skipped(
    log: Log, opening: Statement, after: int, index: int, statement: Statement, found: Findings, check: str
) -> None:
    """A statement of the game between `last` and the one that names it has a newer state, unless it does not count.

    A further close is not judged: it repeats the `last` of the postponed close (section 7).
    """
    closes = [one for at, one in log.of_kind("close") if at < index and one["open"] == opening.hash]
    if any(one["last"] == statement["last"] for one in closes) and statement.kind == "close":
        return
    for at, other in log.of_kind("close", "result", "void"):
        if not after < at < index:
            continue
        draw = opening_of(log, other)
        if draw is None or draw["game"] != opening["game"]:
            continue
        if other.kind == "close" and not _counts(log, at, other, index):
            continue
        found.add(check, FAIL, "a newer state of the game is passed over")


def _counts(log: Log, at: int, close: Statement, index: int) -> bool:
    """Whether a close is the first of its round, and was not postponed before an index."""
    for other_at, other in log.of_kind("close", "postpone"):
        if other["open"] != close["open"]:
            continue
        if other.kind == "postpone" and at < other_at < index:
            return False
        if other.kind == "close" and other_at < at and other["round"] == close["round"]:
            return False
    return True
