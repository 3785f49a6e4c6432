"""The operator's log: one chain of signed statements (fairness sections 3 and 10, step 1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, Iterable, List, Optional, Set, Tuple

from .notes import Note, NoteError, parse_note, signed_by
from .statements import (
    CLOSE,
    KEY,
    LOG,
    OPEN,
    RESULT,
    VOID,
    ZERO_HASH,
    Statement,
    StatementError,
    parse_logged,
)


@dataclass(frozen=True)
class Logged:
    """A statement at its place in the log. It may be in here although its signature was found wrong."""

    statement: Statement
    note: Note
    hash: str
    seq: int


@dataclass
class Log:
    """What a log says, with every problem found on the way; only a log without problems proves anything."""

    statements: List[Logged] = field(default_factory=list)
    keys: List[Tuple[int, str]] = field(default_factory=list)
    """Public keys in hex with the time from which each is in force, in order."""
    operator: Optional[str] = None
    unreadable: List[str] = field(default_factory=list)
    unsigned: List[str] = field(default_factory=list)
    unchained: List[str] = field(default_factory=list)
    repeated_seeds: List[str] = field(default_factory=list)

    def hashes(self) -> Set[str]:
        """The hashes of all statements."""
        return {logged.hash for logged in self.statements}

    def of_type(self, type: str) -> List[Logged]:
        """All statements of a type, in order."""
        return [logged for logged in self.statements if logged.statement.type == type]

    def keys_from(self, time: int) -> List[str]:
        """The keys in force at a time or later. In the second of a key change both are in force."""
        past = [at for at, (since, _) in enumerate(self.keys) if since < time]
        return [key for _, key in self.keys[past[-1] if past else 0 :]]


def read_log(notes: Iterable[str], trusted_key: Optional[str] = None) -> Log:
    """Reads notes in order and notes every departure from the rules of the log. Never raises on their content.

    `trusted_key` is used for signatures only where the log does not begin with its first statement.
    """
    log = Log()
    key: Optional[str] = None
    previous: Optional[Logged] = None
    seeds: Dict[str, int] = {}
    for place, text in enumerate(notes):
        try:
            note = parse_note(text)
            statement = parse_logged(note.text)
        except (NoteError, StatementError) as error:
            log.unreadable.append(f"note {place}: {error}")
            continue
        logged = Logged(statement, note, statement.hash, statement["seq"])
        if log.operator is None:
            log.operator = statement["operator"]
        if key is None:
            key = statement["key"] if statement.type == LOG else trusted_key
            if key is not None:
                log.keys.append((statement["time"], key))
        log.unchained.extend(_chain_problems(place, logged, previous, log.operator))
        log.unsigned.extend(_signature_problems(logged, key))
        if statement.type == KEY:
            key = statement["key"]
            log.keys.append((statement["time"], key))
        if statement.type == OPEN:
            if statement["seedhash"] in seeds:
                log.repeated_seeds.append(f"seq {seeds[statement['seedhash']]} and {logged.seq} have the same seedhash")
            seeds.setdefault(statement["seedhash"], logged.seq)
        log.statements.append(logged)
        previous = logged
    return log


def _chain_problems(place: int, logged: Logged, previous: Optional[Logged], operator: str) -> List[str]:
    """Where a statement does not continue the chain (fairness section 3)."""
    statement, problems = logged.statement, []
    if logged.seq != place:
        problems.append(f"the statement at place {place} has seq {logged.seq}")
    if (statement.type == LOG) != (place == 0):
        problems.append(f"seq {logged.seq} is {statement.type}: the log starts with {LOG}, once")
    if statement["operator"] != operator:
        problems.append(f"seq {logged.seq} names another operator")
    if statement["prev"] != (previous.hash if previous else ZERO_HASH):
        problems.append(f"seq {logged.seq} does not follow the statement before it: prev is not its hash")
    if previous is not None and statement["time"] < previous.statement["time"]:
        problems.append(f"the time of seq {logged.seq} is before that of the statement before it")
    return problems


def _signature_problems(logged: Logged, key: Optional[str]) -> List[str]:
    """Where a statement is not signed as it must be: by the key in force, and a key change by the next key too."""
    statement, operator = logged.statement, logged.statement["operator"]
    if key is None:
        return [f"seq {logged.seq}: the key is not known, as the log does not begin with {LOG}"]
    if not signed_by(logged.note, operator, bytes.fromhex(key)):
        return [f"seq {logged.seq} has no valid signature of the key in force"]
    if statement.type == KEY and not signed_by(logged.note, operator, bytes.fromhex(statement["key"])):
        return [f"seq {logged.seq} changes the key without a valid signature of the new one"]
    return []


def free_ticket_problem(log: Log, game: str) -> Optional[str]:
    """Where a game's draws used more free entries than its results so far had won (fairness section 10, step 6).

    At each close in force the free entries of all closes in force so far are at most the winners of `free` tiers in
    the results before it. Draws that ended void are left out: their entries move and are counted where they go.
    """
    opened = {logged.hash for logged in log.of_type(OPEN) if logged.statement["game"] == game}
    voided = {logged.statement["open"] for logged in log.of_type(VOID)}
    in_force: Dict[str, Logged] = {}
    for logged in log.of_type(CLOSE):
        if logged.statement["open"] in opened - voided:
            in_force[logged.statement["open"]] = logged
    closes = {logged.hash for logged in in_force.values()}
    unsettled = set(closes)
    used = won = 0
    for logged in log.statements:
        if logged.hash in closes:
            closes.discard(logged.hash)
            used += logged.statement["free"]
            if used > won:
                return f"at the close of seq {logged.seq}, {used} free entries had been used, but only {won} won"
        if logged.statement.type == RESULT and logged.statement["close"] in unsettled:
            unsettled.discard(logged.statement["close"])
            won += sum(tier.winners for tier in logged.statement["tier"] if tier.kind == "free")
    return None
