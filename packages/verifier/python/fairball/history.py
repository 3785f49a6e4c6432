"""The life of one draw as the log tells it: opened, perhaps postponed, closed, drawn or void (fairness section 9)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Optional

from .chains import DAY, Chain
from .log import Log, Logged
from .notes import NoteError, SignatureLine, parse_signature_line, witness_time
from .statements import CLOSE, OPEN, POSTPONE, RESULT, VOID, WitnessRule

SECONDS_BEFORE_ROUND = 60
POSTPONE_SECONDS = 900
MAX_POSTPONES = 2
WITNESS_CLOCK_SECONDS = 60
"""How far a witness's clock may be behind the operator's."""
VOID_DAYS = 7
FIGURES = ("entries", "free", "root", "seed", "stake", "pool", "bankroll", "floor", "rate")


@dataclass
class History:
    """What the log says of one draw, and where it broke the rules, by what broke them."""

    opened: Logged
    round: int
    start: int
    closes: List[Logged] = field(default_factory=list)
    postpones: int = 0
    result: Optional[Logged] = None
    void: Optional[Logged] = None
    void_if_empty: bool = False
    """Whether it was declared void for an outage before the third miss, as only a draw that nobody is in may be."""
    postpone_problems: List[str] = field(default_factory=list)
    void_problems: List[str] = field(default_factory=list)
    close_problems: List[str] = field(default_factory=list)
    result_problems: List[str] = field(default_factory=list)

    @property
    def close(self) -> Optional[Logged]:
        """The close in force: the last one."""
        return self.closes[-1] if self.closes else None


def openings(log: Log, game: str, draw: int) -> List[Logged]:
    """The open statements of a draw; there is one in an honest log."""
    return [
        logged
        for logged in log.of_type(OPEN)
        if logged.statement["game"] == game and logged.statement["draw"] == draw
    ]


def history_of(log: Log, opened: Logged, chain: Optional[Chain], witness_lines: List[SignatureLine]) -> History:
    """Walks the log from an open statement on. Without a known chain the times of rounds are left alone."""
    history = History(opened, opened.statement["round"], opened.statement["start"])
    for logged in log.statements:
        kind, values = logged.statement.type, logged.statement
        if kind == RESULT and any(close.hash == values["close"] for close in history.closes):
            _result(history, logged, chain)
        elif kind == POSTPONE and values["open"] == opened.hash:
            _postpone(history, log, logged, chain, witness_lines)
        elif kind == CLOSE and values["open"] == opened.hash:
            _close(history, logged, chain, witness_lines)
        elif kind == VOID and values["open"] == opened.hash:
            _void(history, logged, chain, witness_lines)
    return history


def _ended(history: History, logged: Logged) -> List[str]:
    if history.result is None and history.void is None:
        return []
    return [f"seq {logged.seq} came after the draw had ended"]


def _postpone(
    history: History, log: Log, logged: Logged, chain: Optional[Chain], witness_lines: List[SignatureLine]
) -> None:
    values, problems = logged.statement, history.postpone_problems
    problems.extend(_ended(history, logged))
    if _sealable(history, values["time"], chain):
        problems.append(f"seq {logged.seq} postpones the draw while it could still be sealed in time")
    if values["reason"] == "witness" and history.opened.statement["witness"].needed == 0:
        problems.append(f"seq {logged.seq} postpones for want of witnesses, but the draw asks for none")
    elif (values["reason"] == "witness") != (history.close is not None):
        sealed = "was" if history.close is not None else "was not"
        problems.append(f"seq {logged.seq} postpones with reason {values['reason']}, but the draw {sealed} sealed")
    history.postpones += 1
    if history.postpones > MAX_POSTPONES:
        problems.append(f"seq {logged.seq} postpones the draw a third time")
    if history.close is not None and close_is_valid(history, history.close, chain, witness_lines):
        problems.append(f"seq {logged.seq} postpones the draw although its close was valid")
    earliest = -(-(values["time"] + POSTPONE_SECONDS) // 60) * 60
    waiting = _other_draw_unfinished(log, history.opened, logged)
    if values["start"] % 60 != 0 or values["start"] < earliest or (values["start"] > earliest and not waiting):
        problems.append(
            f"seq {logged.seq} postpones to {values['start']}, but the first whole minute by the rule is {earliest}"
        )
    if chain is not None and chain.round_at(values["start"]) != values["round"]:
        problems.append(
            f"the round of the new start {values['start']} is {chain.round_at(values['start'])}, not {values['round']}"
        )
    history.start, history.round = values["start"], values["round"]


def _sealable(history: History, time: int, chain: Optional[Chain]) -> bool:
    """Whether a draw could still be sealed for the round in force at a time (fairness sections 5, 7 and 9).

    A close may be committed up to 60 seconds before the round is due; witnesses must have signed before that second.
    """
    if chain is None:
        return False
    latest = chain.due(history.round) - SECONDS_BEFORE_ROUND
    return time < latest or (time == latest and history.opened.statement["witness"].needed == 0)


def _other_draw_unfinished(log: Log, opened: Logged, postpone: Logged) -> bool:
    """Whether an earlier draw of the game had not ended at a postponement: the new start then waits for its end."""
    waiting: Dict[str, str] = {}
    for logged in log.statements:
        values = logged.statement
        if logged.seq >= postpone.seq:
            break
        if values.type == OPEN and values["game"] == opened.statement["game"]:
            if values["draw"] < opened.statement["draw"]:
                waiting[logged.hash] = logged.hash
        elif values.type == CLOSE and values["open"] in waiting:
            waiting[values["open"]] = logged.hash
        elif values.type == VOID:
            waiting.pop(values["open"], None)
        elif values.type == RESULT:
            waiting = {key: close for key, close in waiting.items() if close != values["close"]}
    return bool(waiting)


def _close(history: History, logged: Logged, chain: Optional[Chain], witness_lines: List[SignatureLine]) -> None:
    values, before, problems = logged.statement, history.close, history.close_problems
    problems.extend(_ended(history, logged))
    if values["round"] != history.round:
        problems.append(
            f"the close of seq {logged.seq} names round {values['round']}, but round {history.round} is in force"
        )
    if before is not None:
        if before.statement["round"] == history.round or close_is_valid(history, before, chain, witness_lines):
            problems.append(f"seq {logged.seq} closes the draw again, although the close of seq {before.seq} stands")
        changed = [key for key in FIGURES if before.statement[key] != values[key]]
        if changed:
            problems.append(f"seq {logged.seq} closes the draw again with another {', '.join(changed)}")
    history.closes.append(logged)


def _result(history: History, logged: Logged, chain: Optional[Chain]) -> None:
    values, close, problems = logged.statement, history.closes[-1], history.result_problems
    problems.extend(_ended(history, logged))
    if values["close"] != close.hash:
        problems.append(f"the result of seq {logged.seq} names a close no longer in force")
    if chain is not None and values["time"] < chain.due(close.statement["round"]):
        problems.append(f"the result of seq {logged.seq} is dated {values['time']}, before its round was due")
    history.result = history.result or logged


def _void(history: History, logged: Logged, chain: Optional[Chain], witness_lines: List[SignatureLine]) -> None:
    values, problems = logged.statement, history.void_problems
    problems.extend(_ended(history, logged))
    if values["reason"] == "beacon":
        if values["time"] < history.start + VOID_DAYS * DAY:
            problems.append(f"seq {logged.seq} declares the draw void before {VOID_DAYS} days had passed")
        if history.close is None:
            problems.append(f"seq {logged.seq} blames the beacon, but the draw was never sealed")
    else:
        _void_for_outage(history, logged, chain, witness_lines)
    history.void = logged


def _void_for_outage(
    history: History, logged: Logged, chain: Optional[Chain], witness_lines: List[SignatureLine]
) -> None:
    """At the third miss a draw is void; before that only one that nobody is in may be."""
    close, problems = history.close, history.void_problems
    if close is not None and close_is_valid(history, close, chain, witness_lines):
        problems.append(f"seq {logged.seq} declares an outage although the close was valid")
    if _sealable(history, logged.statement["time"], chain):
        problems.append(f"seq {logged.seq} declares an outage while the draw could still be sealed in time")
    if history.postpones < MAX_POSTPONES:
        history.void_if_empty = True
        if close is not None and close.statement["entries"] > 0:
            problems.append(f"seq {logged.seq} gives up a draw with entries at miss {history.postpones + 1} of 3")


def close_in_time(close: Logged, chain: Chain) -> bool:
    """Whether a close was committed at least 60 seconds before its round was due (fairness section 7)."""
    return close.statement["time"] <= chain.due(close.statement["round"]) - SECONDS_BEFORE_ROUND


def close_is_valid(history: History, close: Logged, chain: Optional[Chain], lines: List[SignatureLine]) -> bool:
    """Whether a close is in time and has its witnesses, as far as the known lines tell."""
    if chain is None or not close_in_time(close, chain):
        return False
    rule: WitnessRule = history.opened.statement["witness"]
    before = chain.due(close.statement["round"]) - SECONDS_BEFORE_ROUND
    dates = witness_dates(rule, close, lines)
    return sum(date < before for date in dates.values()) >= rule.needed


def read_witness_lines(lines: List[str]) -> List[SignatureLine]:
    """The lines that have the form of a signature, each once; others say nothing and are left out."""
    found: Dict[str, SignatureLine] = {}
    for line in lines:
        bare = line[:-1] if line.endswith("\n") else line
        try:
            found[bare] = parse_signature_line(bare)
        except NoteError:
            continue
    return list(found.values())


def witness_dates(rule: WitnessRule, close: Logged, lines: List[SignatureLine]) -> Dict[str, int]:
    """For each named witness that signed a close, when it did so first (fairness section 5).

    Nobody can sign a close before it is there: a date more than a minute before the close's own does not count.
    """
    earliest = close.statement["time"] - WITNESS_CLOCK_SECONDS
    dates: Dict[str, int] = {}
    for name, key in rule.keys:
        for line in [*close.note.lines, *lines]:
            date = witness_time(line, name, bytes.fromhex(key), close.statement.text)
            if date is not None and date >= earliest:
                dates[name] = min(date, dates.get(name, date))
    return dates
