"""The checks of a draw's plays (sections 6, 9, 11): leaves, root, revocations, counts, batches, rates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Optional, Sequence

from .draw import Sealed
from .errors import Malformed
from .findings import BROKEN, FAIL, PASS, UNKNOWN, Findings
from .hashing import ZERO
from .plays import MAX_LINES, SECTION, Count, LeafRules, Record, Section, read_leaf, read_records, read_section
from .statements import MAX_RATE, MIN_RATE, Statement, tiers_of
from .tree import root_of


@dataclass
class Counted:
    """The available plays of a draw. `whole`: no section is missing; `trusted`: root and grammar of the leaves hold."""

    count: Optional[Count] = None
    sections: Dict[int, Section] = field(default_factory=dict)
    total: int = 0
    whole: bool = False
    trusted: bool = False
    file: Optional[bytes] = None
    records: List[Record] = field(default_factory=list)

    def hash_at(self, index: int) -> Optional[bytes]:
        """The leaf hash at an index, if its section is available."""
        section = self.sections.get(index // SECTION)
        if section is None or index % SECTION >= len(section.hashes):
            return None
        return section.hashes[index % SECTION]

    def has_section_of(self, index: int) -> bool:
        return index // SECTION in self.sections


def count_plays(sealed: Sealed) -> Counted:
    """Judges `plays.*` and `money.stake`, as far as the leaves are available."""
    opened, close, found = sealed.opened, sealed.close, sealed.opened.found
    counted = Counted(total=-(-close.number("size") // SECTION))
    problem = _read_sections(sealed, counted)
    opened.report.sections_counted = (len(counted.sections), counted.total)
    _root(sealed, counted, problem)
    shown = found.status("plays.root") != UNKNOWN
    if counted.sections and shown or counted.whole:
        _leaves(sealed, counted)
    counted.trusted = found.passed("plays.root") and (found.status("plays.leaves") == PASS)
    if not counted.whole:
        counted.trusted = counted.trusted and bool(counted.sections)
        why = f"only {len(counted.sections)} of {counted.total} sections were counted here"
        for check in ("plays.leaves", "plays.revoked", "plays.counts", "plays.rate", "money.stake"):
            found.add(check, UNKNOWN, why)
    if counted.count is not None:
        _counts(sealed, counted, counted.count)
    _sold(sealed, counted)
    return counted


def _read_sections(sealed: Sealed, counted: Counted) -> str:
    """Reads the available plays; returns the problem with them."""
    plays, size = sealed.opened.draw.plays, sealed.close.number("size")
    if plays is not None:
        counted.file = plays.sections
        for number, data in plays.parts:
            if number >= counted.total or number in counted.sections:
                return f"there is no section {number}, or it is here twice"
            try:
                section = read_section(number, data)
            except Malformed as error:
                return str(error)
            if len(section.leaves) != min(SECTION, size - number * SECTION):
                return f"section {number} has not the leaves of a tree of {size}"
            counted.sections[number] = section
        if plays.sections is not None:
            try:
                counted.records = read_records(plays.sections, len(tiers_of(sealed.opened.rules)))
            except Malformed as error:
                return str(error)
    counted.whole = len(counted.sections) == counted.total
    return ""


def _root(sealed: Sealed, counted: Counted, problem: str) -> None:
    found, root = sealed.opened.found, bytes.fromhex(sealed.close["root"])
    if problem:
        counted.sections.clear()
        counted.whole = False
        counted.file, counted.records = None, []
        found.add("plays.root", BROKEN, problem)
        return
    if counted.file is not None:
        records = counted.records
        if len(records) != counted.total:
            found.add("plays.root", BROKEN, "the file of sections has not the sections of this draw")
            return
        if root_of([record.root for record in records]) != root:
            found.add("plays.root", BROKEN, "the file of sections does not lead to the root of the close")
            return
        if any(section.root != records[number].root for number, section in counted.sections.items()):
            found.add("plays.root", BROKEN, "the leaves do not lead to the root of their section")
            return
        found.add("plays.root", PASS)
    elif counted.whole:
        own = root_of([counted.sections[number].root for number in range(counted.total)])
        found.judge("plays.root", own == root, "the leaves do not lead to the root of the close", BROKEN)
    else:
        why = f"only {len(counted.sections)} of {counted.total} sections were counted here"
        found.add("plays.root", UNKNOWN, why)


def _leaves(sealed: Sealed, counted: Counted) -> None:
    rules, found = sealed.opened.rules, sealed.opened.found
    limit = min(rules.numbers("limit")[0], MAX_LINES)
    keep = LeafRules(bytes.fromhex(sealed.opened.open.hash), rules.number("pick"), rules.number("pool"), limit)
    try:
        leaves = [
            read_leaf(data, index, keep)
            for number, section in sorted(counted.sections.items())
            for index, data in enumerate(section.leaves, number * SECTION)
        ]
        found.add("plays.leaves", PASS)
    except Malformed as error:
        leaves = []
        found.add("plays.leaves", FAIL, str(error))
    counted.count = Count(leaves, rules)
    if counted.count.twice is not None:
        found.add("plays.leaves", FAIL, f"leaf {counted.count.twice} is a play that stands before it already")


def _counts(sealed: Sealed, counted: Counted, count: Count) -> None:
    close, found = sealed.close, sealed.opened.found
    _rates(count, close.rate()[1], found)
    if not counted.whole:
        return
    words = close["revoked"].split(" ")
    same = count.revoked_list() == (int(words[0]), words[1]) and count.wrong_revocation is None
    found.judge("plays.revoked", same, "the revoked plays are not those that the close says")
    sums = (count.lines, count.free, count.carried)
    stated = (close.number("lines"), close.number("free"), close.number("carried"))
    found.judge("plays.counts", sums == stated, f"lines, free and carried are {sums} and not {stated}")
    stake = close.number("stake")
    found.judge("money.stake", count.stake == stake, f"the stakes add up to {count.stake} and not {stake}")


def _rates(count: Count, rate: int, found: Findings) -> None:
    found.add("plays.rate", PASS)
    for play in count.plays.values():
        if play.rate == 0:
            continue
        usual = MIN_RATE <= play.rate <= MAX_RATE and rate <= 4 * play.rate and play.rate <= 4 * rate
        if not usual:
            found.add("plays.rate", FAIL, f"the rate of leaf {play.index} is far from that of the close")
            return


def _sold(sealed: Sealed, counted: Counted) -> None:
    """The batch that the close names, and every other available one, must be a prefix of the plays."""
    opened, close, found = sealed.opened, sealed.close, sealed.opened.found
    name = opened.open.hash
    batches = [(index, one) for index, one in opened.log.of_kind("sold") if one["open"] == name]
    before = [(index, one) for index, one in batches if index < sealed.index]
    if close["sold"] != ZERO:
        named = [index for index, one in before if one.hash == close["sold"]]
        if not named:
            found.add("plays.sold", BROKEN, "the batch that the close names is not here")
            return
        last = before[-1][0] == named[0]
    else:
        last = not before
    found.judge("plays.sold", last, "the close does not name the last batch")
    for _, batch in batches:
        size = batch.number("size")
        if size > close.number("size"):
            found.add("plays.sold", FAIL, "a batch has more leaves than the close")
        elif counted.whole:
            same = root_of(_first(counted, size)).hex() == batch["root"]
            found.judge("plays.sold", same, "a batch is no prefix of the plays of the close")
            if same and counted.count is not None and found.status("plays.leaves") == PASS:
                right = counted.count.stake_of(size) == batch.number("stake")
                found.judge("plays.sold", right, "the stake of a batch is another")
    if batches and not counted.whole:
        why = f"only {len(counted.sections)} of {counted.total} sections were counted here"
        found.add("plays.sold", UNKNOWN, why)


def _first(counted: Counted, size: int) -> Sequence[bytes]:
    hashes: List[bytes] = []
    for number in range(-(-size // SECTION)):
        hashes.extend(counted.sections[number].hashes)
    return hashes[:size]


def named_batch(sealed: Sealed) -> Optional[Statement]:
    """The statement whose rate the close is compared with: the batch it names, or the `open` if it names none."""
    if sealed.close["sold"] == ZERO:
        return sealed.opened.open
    known = sealed.opened.log.find(sealed.close["sold"], "sold")
    return known[1] if known and known[1]["open"] == sealed.opened.open.hash else None
