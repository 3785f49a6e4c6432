"""The leaves of a draw, their sections and their totals (sections 6 and 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Set, Tuple, Union

from .errors import Malformed
from .hashing import H, u32, u64
from .statements import Statement, Tier, tiers_of
from .tree import leaf_hash, root_of

SECTION = 2**16
"""Leaves of a section; the last section can have fewer."""

MAX_LINES = 1000
PLAY, REVOCATION = 1, 2


@dataclass(frozen=True)
class Play:
    index: int
    play_id: bytes
    rate: int
    free: int
    masks: Tuple[int, ...]
    owner_tag: bytes

    def stake(self, minor: int) -> int:
        """⌈(n − free) × price × rate / 100⌉ satoshis."""
        return -(-(len(self.masks) - self.free) * minor * self.rate // 100)


@dataclass(frozen=True)
class Revocation:
    index: int
    play_id: bytes
    play_index: int


Leaf = Union[Play, Revocation]


def read_entries(data: bytes) -> List[bytes]:
    """The leaves of a section: `u16 length || data` each. Raises Malformed."""
    leaves = []
    position = 0
    while position < len(data):
        start = position + 2
        end = start + int.from_bytes(data[position:start], "big")
        if start > len(data) or end > len(data):
            raise Malformed("the entries of a section end within a leaf")
        leaves.append(data[start:end])
        position = end
    return leaves


@dataclass(frozen=True)
class LeafRules:
    """The requirements for the leaves of a draw."""

    open_hash: bytes
    pick: int
    pool: int
    limit: int


def read_leaf(data: bytes, index: int, rules: LeafRules) -> Leaf:
    """A play or a revocation of this draw. Raises Malformed."""
    if data[:32] != rules.open_hash or len(data) < 49:
        raise Malformed(f"leaf {index} is none of this draw")
    kind, play_id = data[32], data[33:49]
    if kind == REVOCATION:
        if len(data) != 90 or data[57] != 1:
            raise Malformed(f"leaf {index} is no revocation")
        return Revocation(index, play_id, int.from_bytes(data[49:57], "big"))
    if kind != PLAY or len(data) < 89:
        raise Malformed(f"leaf {index} is no play")
    free, count = int.from_bytes(data[53:55], "big"), int.from_bytes(data[55:57], "big")
    if len(data) != 89 + 8 * count or not 1 <= count <= rules.limit:
        raise Malformed(f"leaf {index} has a number of lines that it may not have")
    if free > count:
        raise Malformed(f"leaf {index} has more free lines than lines")
    masks = tuple(int.from_bytes(data[start : start + 8], "big") for start in range(57, 57 + 8 * count, 8))
    for mask in masks:
        if mask >> rules.pool or bin(mask).count("1") != rules.pick:
            raise Malformed(f"leaf {index} has a line that is not {rules.pick} numbers of {rules.pool}")
    return Play(index, play_id, int.from_bytes(data[49:53], "big"), free, masks, data[-32:])


@dataclass
class Section:
    """A section with its leaves."""

    number: int
    leaves: List[bytes]
    hashes: List[bytes]
    root: bytes


def read_section(number: int, data: bytes) -> Section:
    """Raises Malformed if the bytes are not entries."""
    leaves = read_entries(data)
    hashes = [leaf_hash(leaf) for leaf in leaves]
    return Section(number, leaves, hashes, root_of(hashes))


@dataclass(frozen=True)
class Record:
    """The record of one section in the sections file."""

    section: int
    root: bytes
    leaves: int
    lines: int
    free: int
    carried: int
    stake: int
    winners: Tuple[int, ...]

    def data(self) -> bytes:
        sums = b"".join(u64(min(value, 2**64 - 1)) for value in (self.lines, self.free, self.carried, self.stake))
        return u32(self.section) + self.root + u32(self.leaves) + sums + b"".join(u32(count) for count in self.winners)


def read_records(data: bytes, tiers: int) -> List[Record]:
    """The records of the sections file. Raises Malformed."""
    length = 72 + 4 * tiers
    if len(data) % length:
        raise Malformed("the file of sections ends within a record")
    return [_record(data[start : start + length], tiers) for start in range(0, len(data), length)]


def _record(data: bytes, tiers: int) -> Record:
    lines, free, carried, stake = (int.from_bytes(data[start : start + 8], "big") for start in range(40, 72, 8))
    winners = tuple(int.from_bytes(data[start : start + 4], "big") for start in range(72, 72 + 4 * tiers, 4))
    return Record(
        int.from_bytes(data[:4], "big"),
        data[4:36],
        int.from_bytes(data[36:40], "big"),
        lines,
        free,
        carried,
        stake,
        winners,
    )


class Count:
    """The plays of all available sections, and the revoked ones among them."""

    def __init__(self, leaves: Sequence[Leaf], rules: Statement) -> None:
        self.plays: Dict[int, Play] = {leaf.index: leaf for leaf in leaves if isinstance(leaf, Play)}
        self.revocations: List[Revocation] = [leaf for leaf in leaves if isinstance(leaf, Revocation)]
        self.by_id: Dict[bytes, Play] = {}
        self.twice: Optional[int] = None
        for play in self.plays.values():
            if play.play_id in self.by_id:
                self.twice = play.index
            self.by_id.setdefault(play.play_id, play)
        self.revoked: Set[int] = set()
        self.wrong_revocation: Optional[int] = None
        self.pairs: List[Tuple[int, int]] = []
        for revocation in self.revocations:
            self._revoke(revocation)
        self.minor = int(rules["price"].split(" ")[1])
        self.tiers: List[Tier] = tiers_of(rules)
        self.in_force = [play for play in self.plays.values() if play.index not in self.revoked]
        self.lines = sum(len(play.masks) for play in self.in_force)
        self.free = sum(play.free for play in self.in_force)
        self.carried = sum(len(play.masks) - play.free for play in self.in_force if play.rate == 0)
        self.stake = sum(play.stake(self.minor) for play in self.in_force)

    def stake_of(self, size: int) -> int:
        """The stake of the first leaves, less plays revoked among them, as a `sold` states it."""
        revoked = {play for play, revocation in self.pairs if revocation < size}
        paid = [play for index, play in self.plays.items() if index < size and index not in revoked]
        return sum(play.stake(self.minor) for play in paid)

    def _revoke(self, revocation: Revocation) -> None:
        play = self.plays.get(revocation.play_index)
        known = play is not None and play.play_id == revocation.play_id and play.index < revocation.index
        if not known or revocation.play_index in self.revoked:
            self.wrong_revocation = revocation.index
            return
        self.revoked.add(revocation.play_index)
        self.pairs.append((revocation.play_index, revocation.index))

    def revoked_list(self) -> Tuple[int, str]:
        """The number of revoked plays, and the hash of their list."""
        data = b"".join(u64(play) + u64(revocation) for play, revocation in sorted(self.pairs))
        return len(self.pairs), H(data).hex()

    def winners(self, drawn: int) -> List[int]:
        """Winning lines of each tier, by the mask of the numbers drawn."""
        return self._winners(self.in_force, drawn)

    def _winners(self, plays: Sequence[Play], drawn: int) -> List[int]:
        found = {tier.matches: 0 for tier in self.tiers}
        for play in plays:
            for mask in play.masks:
                matches = bin(mask & drawn).count("1")
                if matches in found:
                    found[matches] += 1
        return [found[tier.matches] for tier in self.tiers]

    def record(self, section: Section, drawn: int) -> Record:
        """The correct record of a section for the numbers drawn."""
        first = section.number * SECTION
        indexes = range(first, first + len(section.leaves))
        plays = [self.plays[index] for index in indexes if index in self.plays and index not in self.revoked]
        return Record(
            section.number,
            section.root,
            len(section.leaves),
            sum(len(play.masks) for play in plays),
            sum(play.free for play in plays),
            sum(len(play.masks) - play.free for play in plays if play.rate == 0),
            sum(play.stake(self.minor) for play in plays),
            tuple(self._winners(plays, drawn)),
        )
