"""A player's own receipts against the log and the sealed entries (fairness sections 6 and 10, step 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Set, Tuple

from .bundle import OwnReceipt, PathEntry
from .history import History
from .log import Log
from .notes import Note, NoteError, key_id, parse_note, signed_by
from .report import FAILED, PASSED, UNCHECKED, Report, listed
from .sampler import mask_of, owner_tag
from .statements import ReceiptEntry, Statement, StatementError, parse_logged, parse_receipt
from .tree import ENTRY_BYTES, leads_to, leaf_hash

TITLES = {
    "signature": "Every own receipt is signed by the operator",
    "found": "Every own receipt is for this draw",
    "owner": "Every own receipt names the own username",
    "lines": "Every entry is a line of this game, named once",
    "once": "No entry stands in two receipts",
    "close": "Every close that came with a receipt is a close of this draw",
    "sealed": "Every entry is sealed with the own numbers and under the own name",
}


@dataclass(frozen=True)
class ReadReceipt:
    """A receipt that was read, or why it could not be."""

    own: OwnReceipt
    note: Optional[Note]
    statement: Optional[Statement]
    problem: Optional[str]


def read_receipts(receipts: Sequence[OwnReceipt]) -> List[ReadReceipt]:
    """Reads the receipts of an own record. Never raises on their content."""
    found: List[ReadReceipt] = []
    for own in receipts:
        try:
            note = parse_note(own.receipt)
            found.append(ReadReceipt(own, note, parse_receipt(note.text), None))
        except (NoteError, StatementError) as error:
            found.append(ReadReceipt(own, None, None, str(error)))
    return found


def check_receipts(
    report: Report,
    log: Log,
    history: Optional[History],
    receipts: Sequence[OwnReceipt],
    username: Optional[str],
    sealed: Optional[bytes],
) -> None:
    """Adds the checks of step 7 to a report. `sealed` are the published entries, if they are those of the root."""
    if not receipts or history is None:
        reason = "there are no own receipts" if not receipts else "the draw was not opened"
        for id, title in TITLES.items():
            report.add("receipts", id, title, UNCHECKED, reason)
        return
    problems: Dict[str, List[str]] = {id: [] for id in TITLES}
    unknown_keys: List[str] = []
    unproved = 0
    read = read_receipts(receipts)
    problems["once"] = _shared(read)
    wanted = {entry.id for receipt in read if receipt.statement for entry in receipt.statement["entry"]}
    places = _places(sealed, wanted)
    count = 0
    for number, receipt in enumerate(read):
        name = f"receipt {number}"
        if receipt.statement is None or receipt.note is None:
            problems["signature"].append(f"{name}: {receipt.problem}")
            continue
        statement = receipt.statement
        outcome, reason = _signature(receipt.note, statement, log, history)
        if outcome == FAILED:
            problems["signature"].append(f"{name}: {reason}")
        elif outcome == UNCHECKED:
            unknown_keys.append(f"{name}: {reason}")
        if statement["open"] != history.opened.hash:
            problems["found"].append(f"{name} is for the draw opened by {statement['open']}")
        if username is not None and statement["player"] != username:
            problems["owner"].append(f"{name} names {statement['player']}, not {username}")
        ids = [entry.id for entry in statement["entry"]]
        if len(set(ids)) != len(ids):
            problems["lines"].append(f"{name} names an entry twice")
        close_problem = _close_problem(receipt.own, history)
        if close_problem is not None:
            problems["close"].append(f"{name}: {close_problem}")
        paths = {path.id: path for path in receipt.own.entries}
        for entry in statement["entry"]:
            count += 1
            at = f"{name}, entry {entry.id}"
            if not _is_line(entry, history):
                problems["lines"].append(f"{at} is not a line of this game")
            path = paths.get(entry.id)
            if history.close is None or (places is None and path is None):
                unproved += 1
                continue
            record = _record(statement, entry, history)
            if places is not None and sealed is not None:
                problems["sealed"].extend(f"{at} {it}" for it in _sealed_problems(places.get(entry.id), record, sealed))
            if path is not None:
                problems["sealed"].extend(f"{at} {it}" for it in _path_problems(path, record, history, places))
    for id, title in TITLES.items():
        found = problems[id]
        if found:
            report.expect("receipts", id, title, listed(found))
        elif id == "signature" and unknown_keys:
            report.add("receipts", id, title, UNCHECKED, listed(unknown_keys) or "")
        elif id == "owner" and username is None:
            report.add("receipts", id, title, UNCHECKED, "the own username is not known here")
        elif id == "close" and all(receipt.close is None for receipt in receipts):
            report.add("receipts", id, title, UNCHECKED, "no close came with them")
        elif id == "sealed" and (unproved or not count):
            report.add("receipts", id, title, UNCHECKED, f"for {unproved} entries there is neither seal nor path")
        else:
            report.add("receipts", id, title, PASSED, f"{len(receipts)} receipts, {count} entries")


def genuine(receipt: ReadReceipt, log: Log, history: History) -> bool:
    """Whether a receipt is one of this draw, signed by the operator."""
    statement, note = receipt.statement, receipt.note
    if statement is None or note is None or statement["open"] != history.opened.hash:
        return False
    return _signature(note, statement, log, history)[0] == PASSED


def _signature(note: Note, statement: Statement, log: Log, history: History) -> Tuple[str, str]:
    """Whether a receipt is signed for the operator, by the key in force at its time or by a later one; and if not, why.

    Nothing can be said of a key that the log does not hold: it may have come after the end of this log.
    """
    operator = history.opened.statement["operator"]
    if statement["operator"] != operator:
        return FAILED, f"it names the operator {statement['operator']}, not {operator}"
    if any(signed_by(note, operator, bytes.fromhex(key)) for key in log.keys_from(statement["time"])):
        return PASSED, ""
    known = {key_id(operator, bytes.fromhex(key)) for _, key in log.keys}
    used = {line.key_id for line in note.lines if line.name == operator}
    if used and not used & known:
        return UNCHECKED, "it is signed with a key that this log does not hold; the log here may end too early"
    return FAILED, "it has no valid signature of the operator"


def _shared(receipts: Sequence[ReadReceipt]) -> List[str]:
    """Entries and secrets that stand in receipts of two orders or two players; one receipt given twice is one."""
    first: Dict[str, Tuple[str, str]] = {}
    problems: List[str] = []
    for number, receipt in enumerate(receipts):
        if receipt.statement is None:
            continue
        statement = receipt.statement
        whose = (statement["order"], statement["player"])
        shared = [id for id in dict.fromkeys(entry.id for entry in statement["entry"])
                  if first.setdefault(f"entry {id}", whose) != whose]
        named = [f"entry {id}" for id in shared]
        if first.setdefault(f"secret {statement['secret']}", whose) != whose:
            named.append("its secret")
        problems += [f"receipt {number}: {it} stands in a receipt of another order or player too" for it in named]
    return problems


def _is_line(entry: ReceiptEntry, history: History) -> bool:
    opened = history.opened.statement
    return len(entry.numbers) == opened["pick"] and entry.numbers[-1] <= opened["pool"]


def _record(statement: Statement, entry: ReceiptEntry, history: History) -> bytes:
    """The 57 bytes under which an entry of a receipt must have been sealed (fairness section 6)."""
    open_hash, id = bytes.fromhex(history.opened.hash), bytes.fromhex(entry.id)
    tag = owner_tag(bytes.fromhex(statement["secret"]), open_hash, id, statement["player"])
    return id + bytes([entry.kind]) + mask_of(entry.numbers).to_bytes(8, "big") + tag


def _places(sealed: Optional[bytes], wanted: Set[str]) -> Optional[Dict[str, int]]:
    """The places of the wanted ids among the sealed entries."""
    if sealed is None:
        return None
    ids = {bytes.fromhex(id) for id in wanted}
    starts = range(0, len(sealed), ENTRY_BYTES)
    return {sealed[at : at + 16].hex(): at // ENTRY_BYTES for at in starts if sealed[at : at + 16] in ids}


def _sealed_problems(place: Optional[int], record: bytes, sealed: bytes) -> List[str]:
    if place is None:
        return ["is not among the sealed entries"]
    if sealed[place * ENTRY_BYTES : (place + 1) * ENTRY_BYTES] != record:
        return ["is sealed with another kind, other numbers or for another player"]
    return []


def _close_problem(own: OwnReceipt, history: History) -> Optional[str]:
    """Where the close that came with a receipt is not a close of this draw in this log."""
    if own.close is None:
        return None
    try:
        close = parse_logged(parse_note(own.close).text)
    except (NoteError, StatementError) as error:
        return f"the close given with it is not one: {error}"
    if any(known.hash == close.hash for known in history.closes):
        return None
    return f"the close given with it, {close.hash}, is not a close of this draw in this log"


def compare_signed(notes: Sequence[str], log: Log) -> Tuple[int, List[str]]:
    """How many of these notes are statements of this log, and those that its operator signed but did not put there."""
    found = 0
    problems: List[str] = []
    logged = log.hashes()
    for text in notes:
        try:
            note = parse_note(text)
            statement = parse_logged(note.text)
        except (NoteError, StatementError):
            continue
        signed = any(signed_by(note, statement["operator"], bytes.fromhex(key)) for _, key in log.keys)
        if not signed or statement["operator"] != log.operator:
            continue
        if statement.hash in logged:
            found += 1
        else:
            problems.append(f"the operator signed another statement with seq {statement['seq']}: {statement.hash}")
    return found, problems


def _path_problems(
    path: PathEntry, record: bytes, history: History, places: Optional[Dict[str, int]]
) -> List[str]:
    assert history.close is not None, "paths are checked against a close"
    close = history.close.statement
    if path.size != close["entries"]:
        return [f"has a path for {path.size} entries, the close says {close['entries']}"]
    if places is not None and places.get(path.id) != path.index:
        return ["has another index than its place among the sealed entries"]
    siblings = _hashes(path.path)
    leaf = leaf_hash(bytes.fromhex(history.opened.hash) + record)
    if siblings is None or not leads_to(bytes.fromhex(close["root"]), leaf, path.index, path.size, siblings):
        return ["has a path that does not lead to the sealed root"]
    return []


def _hashes(texts: Sequence[str]) -> Optional[Tuple[bytes, ...]]:
    if any(len(text) != 64 or any(c not in "0123456789abcdef" for c in text) for text in texts):
        return None
    return tuple(bytes.fromhex(text) for text in texts)
