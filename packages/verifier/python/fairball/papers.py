"""Promises and receipts (section 10) and their checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from .bundle import Paper
from .counting import Counted
from .draw import Sealed
from .errors import Malformed
from .findings import BROKEN, FAIL, PASS, UNKNOWN, WARN, Findings
from .hashing import H, ZERO, mac, tag
from .log import Log
from .notes import Note, read_note
from .plays import Play
from .sampler import mask_of
from .statements import Statement, read_statement
from .tree import leads_to

UNSIGNED = "a paper is not signed by the key of its time"
PAPERS = frozenset(["promise", "receipt"])


@dataclass(frozen=True)
class Read:
    """A parsed paper."""

    paper: Paper
    note: Note
    statement: Statement


def read_papers(papers: Sequence[Paper], log: Log, findings: Findings) -> List[Read]:
    """The papers of a bundle; judges `papers.form`."""
    findings.add("papers.form", PASS)
    read: List[Read] = []
    for number, paper in enumerate(papers):
        try:
            note = read_note(paper.note)
            statement = read_statement(note.text, PAPERS)
            if statement["log"] != log.origin:
                raise Malformed("it is of another log")
            read.append(Read(paper, note, statement))
        except Malformed as error:
            findings.add("papers.form", BROKEN, f"paper {number}: {error}")
    return read


def is_paid_over_lightning(paper: Paper, promise: Statement) -> bool:
    return paper.preimage is not None and f"lightning {H(paper.preimage).hex()}" in promise.all("pay")


def is_shown_paid(paper: Paper, promise: Statement) -> bool:
    """Whether the bundle itself proves payment: by a preimage, or because nothing was due."""
    return "none" in promise.all("pay") or is_paid_over_lightning(paper, promise)


def judge_unread(papers: Sequence[Read], judged: Sequence[str], log: Log, findings: Findings) -> None:
    """Checks that papers of draws that are missing, or not judged that far, are signed as well."""
    for one in papers:
        if not any(_concerns(one.statement, name) for name in judged) and not _is_signed(one, log):
            findings.add(f"{one.statement.kind}.signature", BROKEN, UNSIGNED)


def _is_signed(one: Read, log: Log) -> bool:
    return log.is_signed_at(one.note, one.statement.time)


def judge_papers(sealed: Sealed, counted: Counted, papers: Sequence[Read]) -> None:
    """Judges the receipts and promises of one draw."""
    name = sealed.opened.open.hash
    log, found = sealed.opened.log, sealed.opened.found
    signed = [one for one in papers if _is_signed(one, log)]
    for one in papers:
        if _concerns(one.statement, name):
            found.judge(f"{one.statement.kind}.signature", one in signed, UNSIGNED, BROKEN)
    for one in signed:
        if one.statement.kind == "receipt" and one.statement["open"] == name:
            _Receipt(sealed, counted, signed, one).judge()
        elif one.statement.kind == "promise" and _concerns(one.statement, name):
            _promise(sealed, counted, signed, one)


def _concerns(statement: Statement, name: str) -> bool:
    if statement.kind == "receipt":
        return statement["open"] == name
    return any(line.startswith(name) for line in statement.all("play"))


class _Receipt:
    def __init__(self, sealed: Sealed, counted: Counted, signed: Sequence[Read], one: Read) -> None:
        self.found = sealed.opened.found
        self.sealed, self.counted, self.signed, self.one = sealed, counted, signed, one
        self.receipt, self.paper = one.statement, one.paper
        self.index = self.receipt.number("index")
        self.receipts = [other.statement for other in signed if other.statement.kind == "receipt"]
        self.superseded = any(other["supersedes"] == self.receipt.hash for other in self.receipts)

    def judge(self) -> None:
        self._leaf()
        self._owner()
        self._moved()

    def _play(self) -> Optional[Play]:
        """The play at the receipt's index, if the section is available and the leaf matches."""
        count = self.counted.count
        known = self.counted.hash_at(self.index)
        if count is None or known is None or known.hex() != self.receipt["leaf"]:
            return None
        return count.plays.get(self.index)

    def _leaf(self) -> None:
        found, receipt, counted = self.found, self.receipt, self.counted
        if found.status("plays.leaves") == FAIL or found.status("plays.root") == BROKEN:
            return
        here = found.passed("plays.root") and (
            counted.has_section_of(self.index) or self.index >= self.sealed.close.number("size")
        )
        if here:
            known = counted.hash_at(self.index)
            play = self._play()
            right = known is not None and known.hex() == receipt["leaf"]
            right = right and play is not None and play.play_id.hex() == receipt["play"]
            if not found.judge("receipt.leaf", right, "another leaf, or none, lies at the place of the receipt"):
                return
            if counted.count is not None and self.index in counted.count.revoked:
                found.add("receipt.leaf", WARN, "the play was revoked: its payment left the chain")
        else:
            statement = self.sealed.opened.log.find(receipt["statement"], "sold", "close")
            if statement is None or statement[1]["open"] != receipt["open"]:
                found.add("receipt.leaf", UNKNOWN, "neither its section nor its statement is here")
                return
            root, size = bytes.fromhex(statement[1]["root"]), statement[1].number("size")
            leads = leads_to(root, bytes.fromhex(receipt["leaf"]), self.index, size, self.paper.path)
            why = "the path of the receipt does not lead to its statement"
            if not found.judge("receipt.leaf", leads, why, UNKNOWN):
                return
        if self.superseded:
            found.add("receipt.leaf", UNKNOWN, "a later receipt supersedes this one")

    def _owner(self) -> None:
        found, paper, receipt = self.found, self.paper, self.receipt
        if paper.secret is None:
            found.add("receipt.owner", UNKNOWN, "the secret of the play is not here")
            return
        play_id = mac(paper.secret, tag("fairball/play/v2"))[:16].hex()
        if not found.judge("receipt.owner", play_id == receipt["play"], "the secret is not that of the play", BROKEN):
            return
        play = self._play()
        if paper.username is None or play is None:
            found.add("receipt.owner", UNKNOWN, "the name or the leaf is not here")
            return
        message = tag("fairball/owner/v2") + bytes.fromhex(receipt["open"]) + paper.username.encode("utf-8")
        if mac(paper.secret, message) != play.owner_tag:
            found.add("receipt.owner", UNKNOWN, "the play was bought under another name")

    def _moved(self) -> None:
        found, receipt = self.found, self.receipt
        found.add("receipt.moved", PASS)
        promise = _promise_of(receipt, self.signed)
        if promise is not None and _play_line(promise, receipt["open"], receipt["play"]) is None:
            said = receipt["supersedes"] != ZERO and receipt["reason"] != "none"
            found.judge("receipt.moved", said, "the play was moved here without a word")
        for other in self.receipts:
            if (other["open"], other["play"]) != (receipt["open"], receipt["play"]):
                continue
            if (other["index"], other["leaf"]) == (receipt["index"], receipt["leaf"]):
                continue
            linked = other["supersedes"] == receipt.hash or receipt["supersedes"] == other.hash
            found.judge("receipt.moved", linked, "two receipts of one play name unlike places")


def _promise_of(receipt: Statement, signed: Sequence[Read]) -> Optional[Statement]:
    for other in signed:
        if other.statement.kind == "promise" and other.statement.hash == receipt["promise"]:
            return other.statement
    return None


def _play_line(promise: Statement, name: str, play_id: str) -> Optional[Tuple[int, int, int]]:
    """Position, lines and free lines of a play in a promise."""
    for position, line in enumerate(promise.all("play")):
        words = line.split(" ")
        if words[0] == name and words[1] == play_id:
            return position, int(words[2]), int(words[3])
    return None


def _promise(sealed: Sealed, counted: Counted, signed: Sequence[Read], one: Read) -> None:
    found, promise, name = sealed.opened.found, one.statement, sealed.opened.open.hash
    if found.status("plays.leaves") == FAIL or found.status("plays.root") == BROKEN:
        return
    if not is_shown_paid(one.paper, promise):
        found.add("promise.kept", UNKNOWN, "that it was paid is not shown here")
        return
    if not counted.whole or counted.count is None or not counted.trusted:
        found.add("promise.kept", UNKNOWN, "not all plays of the draw are here")
        return
    masks = _promised_masks(one)
    found.add("promise.kept", PASS)
    for position, line in enumerate(promise.all("play")):
        words = line.split(" ")
        if words[0] != name:
            continue
        play = counted.count.by_id.get(bytes.fromhex(words[1]))
        if play is None:
            if _is_moved(promise, words[1], signed):
                found.add("promise.kept", UNKNOWN, "a receipt says that a play was moved")
            else:
                found.add("promise.kept", FAIL, "a play that was paid is not in the draw")
            continue
        same = (len(play.masks), play.free) == (int(words[2]), int(words[3])) and play.rate == promise.rate()[1]
        found.judge("promise.kept", same, "a play has other lines, free lines or another rate than promised")
        if masks is not None and masks.get(position) != play.masks:
            found.add("promise.kept", FAIL, "a play has other lines than promised")
        if play.index in counted.count.revoked:
            found.add("promise.kept", FAIL, "a play was revoked though no bitcoin payment could be undone")


def _is_moved(promise: Statement, play_id: str, signed: Sequence[Read]) -> bool:
    """Whether a receipt in a draw that the promise does not name supersedes the promise or this play's receipt."""
    receipts = [one.statement for one in signed if one.statement.kind == "receipt"]
    own = {one.hash for one in receipts if one["promise"] == promise.hash and one["play"] == play_id}
    return any(
        one["promise"] == promise.hash and one["reason"] != "none" and one["supersedes"] in own | {promise.hash}
        for one in receipts
    )


def _promised_masks(one: Read) -> Optional[Dict[int, Tuple[int, ...]]]:
    """The lines of a promise by the position of their play, if the paper reveals them; None otherwise."""
    text = one.paper.lines
    if text is None or one.paper.secret is None:
        return None
    commitment = H(tag("fairball/lines/v2") + one.paper.secret + text.encode("utf-8")).hex()
    if commitment != one.statement["lines"]:
        return None
    masks: Dict[int, Tuple[int, ...]] = {}
    for position, play in enumerate(text.split("\n")):
        lines = []
        for line in play.split(";"):
            numbers = line.split(",")
            if not all(number.isascii() and number.isdigit() and 1 <= int(number) <= 64 for number in numbers):
                return None
            lines.append(mask_of([int(number) for number in numbers]))
        masks[position] = tuple(lines)
    return masks
