"""The log in a bundle: its head, its keys and its proven statements (sections 3, 4, 13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from . import ed25519
from .bundle import Bundle, Draw, Proven, Seal, Tail, Trust
from .errors import Malformed
from .findings import BROKEN, FAIL, PASS, UNKNOWN, Findings
from .hashing import H
from .notes import Checkpoint, Note, is_signed_by_log, read_checkpoint
from .statements import LOGGED, Statement, read_statement
from .tree import is_consistent, leads_to, leaf_hash, range_root

Indexed = Tuple[int, Statement]


@dataclass(frozen=True)
class Key:
    """A key of the log, with the index and time of the statement that names it."""

    index: int
    time: int
    key: bytes


@dataclass(frozen=True)
class SealedRange:
    """A valid seal: its checkpoint, and the statements from `start` up to it."""

    checkpoint: Checkpoint
    start: int
    statements: Tuple[Indexed, ...]


class Log:
    """The part of the log that a bundle proves."""

    def __init__(self, bundle: Bundle, trust: Trust, findings: Findings) -> None:
        self.findings = findings
        self.head: Optional[Checkpoint] = None
        self.origin = ""
        self.keys: List[Key] = []
        self.given: Dict[int, Statement] = {}
        """Statements of the bundle's own list, by index."""
        self.leaves: Dict[int, str] = {}
        """Every proven leaf, in the list or in a range."""
        self.statements: Dict[int, Statement] = {}
        """The proven leaves that are statements."""
        self.by_hash: Dict[str, Indexed] = {}
        self._read(bundle, trust)

    @property
    def is_usable(self) -> bool:
        return not self.findings.of(BROKEN)

    def _read(self, bundle: Bundle, trust: Trust) -> None:
        found = self.findings
        try:
            self.head = read_checkpoint(bundle.head)
            self.origin = self.head.origin
        except Malformed as error:
            found.add("log.head", BROKEN, str(error))
            return
        found.judge("log.head", bool(bundle.draws), "there is no draw in this file", BROKEN)
        found.add("log.member", PASS)
        found.add("log.order", PASS)
        for proven in sorted(bundle.statements, key=lambda item: item.index):
            self._member(proven, self.head)
        self._order()
        self._chain_of_keys(trust)
        signer = self.key_at(self.head.size)
        signed = signer is not None and is_signed_by_log(self.head.note, self.origin, signer)
        found.judge("log.head", signed, "the head is not signed by the key of the log in force at its size", BROKEN)
        found.add("log.remembered", PASS)
        self.remember(trust, self.head.size, self.head.root)

    def _member(self, proven: Proven, head: Checkpoint) -> None:
        data = proven.text.encode("utf-8")
        if not leads_to(head.root, leaf_hash(data), proven.index, head.size, proven.path):
            self.findings.add("log.member", BROKEN, f"statement {proven.index} does not lead to the head")
            return
        if proven.index in self.leaves:
            self.findings.add("log.member", BROKEN, f"statement {proven.index} is here twice")
            return
        statement = self._leaf(proven.index, proven.text)
        if statement is not None:
            self.given[proven.index] = statement

    def _leaf(self, index: int, text: str) -> Optional[Statement]:
        """Adds a proven leaf. A leaf that is not a statement of this log, or is at two indexes, fails."""
        self.leaves[index] = text
        try:
            statement = read_statement(text, LOGGED)
        except Malformed as error:
            self.findings.add("log.order", FAIL, f"leaf {index} of the log is no statement: {error}")
            return None
        if statement["log"] != self.origin:
            self.findings.add("log.member", BROKEN, f"leaf {index} of the log is a statement of another log")
        known = self.by_hash.get(statement.hash)
        if known is not None and known[0] != index:
            self.findings.add("log.order", FAIL, f"leaves {known[0]} and {index} of the log are equal")
        self.by_hash.setdefault(statement.hash, (index, statement))
        self.statements[index] = statement
        return statement

    def _order(self) -> None:
        times = [(index, statement.time) for index, statement in sorted(self.given.items())]
        for (_, earlier), (index, later) in zip(times, times[1:]):
            if later < earlier:
                self.findings.add("log.order", FAIL, f"statement {index} is dated before one that precedes it")

    def _chain_of_keys(self, trust: Trust) -> None:
        found = self.findings
        first = self.given.get(0)
        if first is None or first.kind != "log":
            found.add("log.keys", BROKEN, "leaf 0, which names the first key, is not here")
            return
        found.add("log.keys", PASS)
        promised = ""
        for index, statement in sorted(self.given.items()):
            if statement.kind == "log" and index > 0:
                found.add("log.keys", BROKEN, f"leaf {index} begins a log within the log")
                break
            if statement.kind not in ("log", "key"):
                continue
            key = bytes.fromhex(statement["key"])
            if index > 0 and H(key).hex() != promised:
                found.add("log.keys", BROKEN, f"the key of leaf {index} is not the one promised before")
                break
            if not ed25519.is_public_key(key):
                found.add("log.keys", BROKEN, f"the key of leaf {index} is no Ed25519 key")
                break
            promised = statement["next"]
            self.keys.append(Key(index, statement.time, key))
        known = trust.log_keys(self.origin)
        if known and all(key.key not in known for key in self.keys):
            found.add("log.keys", BROKEN, "the key known here is none of this log")

    def remember(self, trust: Trust, size: int, root: Optional[bytes]) -> None:
        """Compares the root at a size (None: the log is shorter) with the kept heads that the log signed."""
        for kept in trust.heads:
            if kept.origin != self.origin or kept.size != size or kept.root == root:
                continue
            if not self.is_signed(kept):
                why = f"a kept head of size {kept.size} with another root is not signed by this log"
                self.findings.add("log.remembered", BROKEN, why)
            elif root is None:
                self.findings.add("log.remembered", UNKNOWN, "the log that is served is shorter than a kept head")
            else:
                why = f"a head of size {kept.size} that was kept has another root: the log was rewritten"
                self.findings.add("log.remembered", FAIL, why)

    def key_at(self, size: int) -> Optional[bytes]:
        """The key in force at a size: the newest one announced before it."""
        keys = [key.key for key in self.keys if key.index < size]
        return keys[-1] if keys else None

    def is_signed(self, checkpoint: Checkpoint) -> bool:
        key = self.key_at(checkpoint.size)
        return key is not None and is_signed_by_log(checkpoint.note, self.origin, key)

    def is_signed_at(self, note: Note, time: int) -> bool:
        """Whether a paper is signed by the newest key announced at a time."""
        keys = [key.key for key in self.keys if key.time <= time]
        return bool(keys) and is_signed_by_log(note, self.origin, keys[-1])

    def of_kind(self, *kinds: str) -> List[Indexed]:
        """All proven statements of these kinds, by index."""
        return [(index, one) for index, one in sorted(self.statements.items()) if one.kind in kinds]

    def find(self, digest: str, *kinds: str) -> Optional[Indexed]:
        """The proven statement with this hash, if it is of one of these kinds."""
        known = self.by_hash.get(digest)
        return known if known is not None and known[1].kind in kinds else None

    # Ranges

    def sealed_range(self, seal: Seal) -> SealedRange:
        """Reads a seal: its range leads to its signed checkpoint, which the head continues.

        Raises Malformed with the reason.
        """
        checkpoint = read_checkpoint(seal.checkpoint)
        if self.head is None or checkpoint.origin != self.origin:
            raise Malformed("the sealing checkpoint is of another log")
        if not self.is_signed(checkpoint):
            raise Malformed("the sealing checkpoint is not signed by the key of the log")
        if seal.start + len(seal.statements) != checkpoint.size:
            raise Malformed("the range does not end at the sealing checkpoint")
        if range_root(seal.start, _hashes(seal.statements), seal.left) != checkpoint.root:
            raise Malformed("the range does not lead to the sealing checkpoint")
        head = self.head
        if not is_consistent(checkpoint.size, checkpoint.root, head.size, head.root, seal.consistency):
            raise Malformed("the head does not continue the sealing checkpoint")
        return SealedRange(checkpoint, seal.start, self._take_up(seal.start, seal.statements))

    def tail(self, sealed: SealedRange, tail: Tail) -> Tuple[Indexed, ...]:
        """The statements after a seal, which lead to the head. Raises Malformed with the reason."""
        size = sealed.checkpoint.size
        if not tail.statements:
            raise Malformed("the tail is empty")
        root = range_root(size, _hashes(tail.statements), tail.left)
        end = size + len(tail.statements)
        if self.head is None or root is None or end > self.head.size:
            raise Malformed("the tail does not continue the range")
        if range_root(size, [], tail.left) != sealed.checkpoint.root:
            raise Malformed("the tail does not continue the sealing checkpoint")
        if not is_consistent(end, root, self.head.size, self.head.root, tail.consistency):
            raise Malformed("the head does not continue the tail")
        return self._take_up(size, tail.statements)

    def _take_up(self, start: int, texts: Sequence[str]) -> Tuple[Indexed, ...]:
        taken: List[Indexed] = []
        for index, text in enumerate(texts, start):
            statement = self._leaf(index, text)
            if statement is not None:
                taken.append((index, statement))
        return tuple(taken)


def _hashes(texts: Sequence[str]) -> List[bytes]:
    return [leaf_hash(text.encode("utf-8")) for text in texts]


def is_in_order(statements: Sequence[Indexed]) -> bool:
    """Whether times never decrease."""
    return all(earlier.time <= later.time for (_, earlier), (_, later) in zip(statements, statements[1:]))


@dataclass
class DrawRange:
    """The ranges of a draw: its seal, its tail and its postponements, and their problems."""

    sealed: Optional[SealedRange] = None
    statements: Tuple[Indexed, ...] = ()
    problem: str = ""
    postpones: Tuple[SealedRange, ...] = ()
    postpone_problem: str = ""

    @property
    def end(self) -> int:
        """The index after the last statement of range and tail."""
        return self.statements[-1][0] + 1 if self.statements else 0


def read_ranges(log: Log, draw: Draw) -> DrawRange:
    """Reads all ranges of a draw. All proven statements must be known before any draw is judged."""
    ranges = DrawRange()
    try:
        if draw.seal is not None:
            ranges.sealed = log.sealed_range(draw.seal)
            ranges.statements = ranges.sealed.statements
            if draw.tail is not None:
                ranges.statements += log.tail(ranges.sealed, draw.tail)
        elif draw.tail is not None:
            raise Malformed("there is a tail without a seal")
    except Malformed as error:
        ranges.problem = str(error)
    try:
        ranges.postpones = tuple(log.sealed_range(seal) for seal in draw.postpones)
    except Malformed as error:
        ranges.postpone_problem = str(error)
    return ranges
