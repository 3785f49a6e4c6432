"""The checks of one draw: opening, sealing, end (sections 5, 7, 11). Plays, money and papers have their own modules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from .beacon import QUICKNET, Chain, chain_of
from .bundle import Draw, Sight, Trust
from .errors import Malformed
from .findings import BROKEN, FAIL, PASS, UNKNOWN, WAIT, DrawReport, Findings
from .hashing import H, ZERO, tag
from .log import DrawRange, Indexed, Log, SealedRange, is_in_order
from .money import after_void, state_of
from .policy import Policy, read_policy
from .state import judge_last
from .statements import MAX_RATE, MIN_RATE, Statement, read_statement

WEEK = 604_800
MONDAY = 259_200
"""Offset in seconds that, added to a time, makes weeks start on Monday, 00:00 UTC."""

MIN_CLOSES = 300
POSTPONED_BY = 900
BEACON_PATIENCE = 604_800
WITNESS_MARGIN = 60
MAX_POSTPONES = 2


@dataclass
class Opened:
    """A draw whose rules and beacon are available, with all data that later checks need."""

    log: Log
    trust: Trust
    draw: Draw
    found: Findings
    report: DrawReport
    index: int
    open: Statement
    rules: Statement
    chain: Chain
    policy: Optional[Policy]


@dataclass
class Sealed:
    """A draw with the judged close and its end."""

    opened: Opened
    range: SealedRange
    closes: Tuple[Indexed, ...]
    index: int
    close: Statement
    result_index: int
    result: Optional[Statement]
    is_void: bool = False
    is_given_up: bool = False


def open_draw(log: Log, trust: Trust, draw: Draw, texts: Dict[str, str], report: DrawReport) -> Optional[Opened]:
    """Judges the `open`. None if nothing further can be judged."""
    found = report.findings
    known = log.find(draw.open, "open")
    if known is None:
        found.add("open.form", BROKEN, "the statement that opens this draw is not here")
        return None
    index, opening = known
    found.add("open.form", PASS)
    _form(opening, found)
    rules = _rules(log, index, opening, texts, found)
    policy = _policy(opening, texts, found)
    chain = _chain(log, opening, found)
    report.private_beacon = chain is not None and chain.hash != QUICKNET.hash
    if rules is not None:
        _times(opening, rules, found)
    if chain is not None:
        right = chain.round_for(opening.number("start"))
        found.judge("open.round", opening.number("round") == right, f"the round of this start is {right}")
    if rules is None or chain is None:
        return None
    return Opened(log, trust, draw, found, report, index, opening, rules, chain, policy)


def _form(opening: Statement, found: Findings) -> None:
    found.judge("open.form", opening.number("draw") >= 1, "draws are numbered from 1", BROKEN)
    found.judge("open.form", MIN_RATE <= opening.rate()[1] <= MAX_RATE, "its rate is none", BROKEN)


def _rules(log: Log, index: int, opening: Statement, texts: Dict[str, str], found: Findings) -> Optional[Statement]:
    text = texts.get(opening["rules"])
    if text is None:
        found.add("open.rules", BROKEN, "the rules that this draw names are not here")
        return None
    try:
        rules = read_statement(text, frozenset(["rules"]))
    except Malformed as error:
        found.add("open.rules", FAIL, f"what this draw names as its rules is none: {error}")
        return None
    same = rules["game"] == opening["game"] and rules["version"] == opening["version"]
    found.judge("open.rules", same, "the rules are those of another game or version")
    games = [(at, one) for at, one in log.of_kind("game") if one["game"] == opening["game"]]
    announced = [(at, one) for at, one in games if _announces(one, opening)]
    if not announced:
        found.add("open.rules", BROKEN, "the statement that announced these rules is not here")
        return None
    at, game = ([item for item in announced if item[0] < index] or announced)[-1]
    _announcement(at, game, index, opening, found)
    for later_at, later in games:
        if at < later_at < index and later.number("from") <= opening.number("start"):
            found.add("open.rules", FAIL, "newer rules, or the end of the game, were announced for this start")
    return rules


def _announces(game: Statement, opening: Statement) -> bool:
    return game["version"] == opening["version"] and game["rules"] == opening["rules"]


def _announcement(at: int, game: Statement, index: int, opening: Statement, found: Findings) -> None:
    begins, reason = game.number("from"), game["reason"]
    notice = 0 if reason == "new" else WEEK
    found.judge("open.rules", at < index, "the rules were announced after the draw was opened")
    found.judge("open.rules", begins <= opening.number("start"), "the rules hold from a later time on")
    found.judge("open.rules", begins >= game.time + notice, "the rules were announced too late for their begin")
    found.judge("open.rules", reason != "new" or game["version"] == "1", "only the first version of a game is new")
    found.judge("open.rules", reason != "retire", "the game was retired")


def _policy(opening: Statement, texts: Dict[str, str], found: Findings) -> Optional[Policy]:
    text = texts.get(opening["policy"])
    if text is None:
        found.add("open.policy", BROKEN, "the policy that this draw names is not here")
        return None
    try:
        policy = read_policy(text)
    except Malformed as error:
        found.add("open.policy", BROKEN, str(error))
        return None
    found.add("open.policy", PASS)
    return policy


def _times(opening: Statement, rules: Statement, found: Findings) -> None:
    close, start, closes = opening.number("close"), opening.number("start"), rules.number("closes")
    found.judge("open.times", opening.time < close, "the draw was opened after the end of its sales")
    right = start - close == closes and closes >= MIN_CLOSES
    found.judge("open.times", right, "sales do not end as long before the start as the rules say")
    several = len(set(opening["sources"].split(","))) >= 2
    found.judge("open.times", several, "the draw names no two sources of its rate")
    weekly = str((start + MONDAY) % WEEK) in rules.all("at")
    found.judge("open.times", weekly, "the start is none of the week's times in the rules")


def _chain(log: Log, opening: Statement, found: Findings) -> Optional[Chain]:
    if opening["chain"] == QUICKNET.hash:
        found.add("beacon.chain", PASS)
        return QUICKNET
    stated = [one for _, one in log.of_kind("chain") if one["chain"] == opening["chain"]]
    if not stated:
        found.add("beacon.chain", BROKEN, "the statement that describes this draw's beacon is not here")
        return None
    chains = [chain for chain in map(chain_of, stated) if chain is not None]
    if not chains:
        found.add("beacon.chain", FAIL, "the beacon is not the one that its hash names")
        return None
    found.add("beacon.chain", UNKNOWN, "a private beacon")
    return chains[0]


# The range


class Timeline:
    """The closes and postponements of a draw in its range, up to its result or void."""

    def __init__(self, opened: Opened, ranges: DrawRange) -> None:
        name = opened.open.hash
        everything = opened.log.of_kind("close", "postpone", "void", "result")
        self.known_closes = {one.hash for _, one in everything if one.kind == "close" and one["open"] == name}
        self.known = [item for item in everything if self._belongs(item[1], name)]
        self.ends = [(index, one) for index, one in self.known if one.kind in ("result", "void")]
        self.end: Optional[Indexed] = None
        self.closes: List[Indexed] = []
        self.postpones: List[Indexed] = []
        self.newest: Optional[Indexed] = None
        for index, statement in ranges.statements:
            if not self._belongs(statement, name):
                continue
            if statement.kind in ("result", "void"):
                self.end = (index, statement)
                break
            self.newest = (index, statement)
            (self.closes if statement.kind == "close" else self.postpones).append((index, statement))
        self.first = ranges.statements[0][0] if ranges.statements else 0
        self.after = self.end[0] + 1 if self.end else ranges.end

    def _belongs(self, statement: Statement, name: str) -> bool:
        if statement.kind == "result":
            return statement["close"] in self.known_closes
        return statement.kind in ("close", "postpone", "void") and statement["open"] == name

    def put_off(self, index: int) -> bool:
        """Whether a postponement follows the statement at an index."""
        return any(later > index for later, _ in self.postpones)


def seal_draw(opened: Opened, ranges: DrawRange) -> Optional[Sealed]:
    """Judges range, postponements and sealing. None if the draw waits, is void unsealed, or cannot be judged."""
    found = opened.found
    timeline = Timeline(opened, ranges)
    if opened.draw.seal is None and not ranges.problem:
        if timeline.ends:
            found.add("seal.range", BROKEN, "the draw has an end, and the statements that lead to it are not here")
        else:
            found.add("seal.range", WAIT, "nothing of this draw is sealed yet")
        return None
    problem = ranges.problem or _range_problem(opened, ranges, timeline)
    if problem or ranges.sealed is None:
        found.add("seal.range", BROKEN, problem)
        return None
    found.add("seal.range", PASS)
    last_round = _postponed(opened, ranges, timeline)
    if timeline.end is not None and timeline.end[1].kind == "void":
        standing = _void(opened, ranges.sealed, timeline, last_round)
        if standing is None:
            return None
        index, close = standing
        given_up = timeline.end[1]["reason"] == "outage"
        closes = tuple(timeline.closes)
        void = Sealed(opened, ranges.sealed, closes, index, close, timeline.end[0], None, True, given_up)
        _judge_seal(void, timeline, last_round)
        return void
    if timeline.end is None and (timeline.newest is None or timeline.newest[1].kind == "postpone"):
        why = "the draw is put off, and not sealed again yet" if timeline.newest else "there is no close yet"
        found.add("seal.range", WAIT, why)
        return None
    sealed = _judged(opened, ranges.sealed, timeline)
    if sealed is None:
        found.add("seal.range", BROKEN, "the close that the result names is not in the range")
        return None
    _judge_seal(sealed, timeline, last_round)
    return sealed


def _judge_seal(sealed: Sealed, timeline: Timeline, last_round: Tuple[int, int]) -> None:
    _once(sealed, timeline, last_round)
    _seal(sealed)
    _seen(sealed)


def _range_problem(opened: Opened, ranges: DrawRange, timeline: Timeline) -> str:
    if not ranges.statements:
        return "the range is empty"
    start, first = ranges.statements[0]
    if start != 0 and first.time >= opened.open.number("close"):
        return "the range begins after the end of sales"
    read = [item for item in ranges.statements if item[0] < timeline.after]
    if not is_in_order(read):
        return "the times of the range go down"
    if timeline.ends and timeline.end is None:
        return "the draw has an end, and the range does not run on to it"
    return ""


def _postponed(opened: Opened, ranges: DrawRange, timeline: Timeline) -> Tuple[int, int]:
    """Judges the postponements; returns the round and start in force after them."""
    found, chain, trust = opened.found, opened.chain, opened.trust
    current, start = opened.open.number("round"), opened.open.number("start")
    if ranges.postpone_problem:
        found.add("open.postponed", BROKEN, f"a seal of a postponement: {ranges.postpone_problem}")
    seals: Dict[int, SealedRange] = {}
    in_range = {index for index, _ in timeline.postpones}
    for sealed in ranges.postpones:
        index, last = sealed.statements[-1] if sealed.statements else (-1, opened.open)
        if index != sealed.checkpoint.size - 1 or last.kind != "postpone" or index not in in_range:
            found.add("open.postponed", BROKEN, "a seal does not end at a postponement of the range")
        seals[index] = sealed
    if len(timeline.postpones) > MAX_POSTPONES:
        found.add("open.postponed", FAIL, "the draw was put off more than twice")
    for index, postpone in timeline.postpones:
        due = chain.due(current)
        earliest = -(-(postpone.time + POSTPONED_BY) // 60) * 60
        start = postpone.number("start")
        whole = start % 60 == 0 and start >= earliest
        found.judge("open.postponed", whole, "the new start is not a whole minute 900 s later")
        found.judge("open.postponed", start == earliest, "put off for longer than the rule asks for", UNKNOWN)
        current = postpone.number("round")
        found.judge("open.postponed", current == chain.round_for(start), "the new round does not follow from the start")
        seal, window = seals.get(index), (postpone.time - WITNESS_MARGIN, due)
        if seal is None or trust.policy is None or not trust.policy.is_met(seal.checkpoint, *window):
            late = postpone.time > due
            word = "put off after its round was known, by the operator's word"
            found.add("open.postponed", UNKNOWN, word if late else "put off, by the word of the operator")
    return current, start


def _judged(opened: Opened, sealed: SealedRange, timeline: Timeline) -> Optional[Sealed]:
    """The close to judge: the one that the result names, or else the first one of the last round."""
    closes = timeline.closes
    end_index, result = timeline.end if timeline.end else (0, None)
    if result is not None:
        chosen = [item for item in closes if item[1].hash == result["close"]]
    else:
        chosen = [item for item in closes if item[1]["round"] == closes[-1][1]["round"]]
    if not chosen:
        return None
    return Sealed(opened, sealed, tuple(closes), chosen[0][0], chosen[0][1], end_index, result)


def _once(sealed: Sealed, timeline: Timeline, last: Tuple[int, int]) -> None:
    found, opened = sealed.opened.found, sealed.opened
    found.add("seal.once", PASS)
    found.judge("seal.once", len(timeline.ends) <= 1, "the draw has more than one result or void")
    others = [item for item in timeline.known if item[1].kind == "close" and item not in timeline.closes]
    found.judge("seal.once", not others, "the draw has a close outside of the time for it")
    current = opened.open.number("round")
    seen: Dict[int, int] = {}
    for index, statement in sorted(timeline.closes + timeline.postpones, key=lambda item: item[0]):
        if statement.kind == "postpone":
            current = statement.number("round")
            continue
        its_round = statement.number("round")
        found.judge("seal.once", its_round == current, "a close is of another round than the one that holds")
        found.judge("seal.once", its_round not in seen, "there are two closes for one round")
        seen.setdefault(its_round, index)
    found.judge("seal.once", seen.get(sealed.close.number("round")) == sealed.index, "a second close is drawn")
    found.judge("seal.once", sealed.close.number("round") == last[0], "the draw was put off, and yet drawn")
    newest = timeline.closes[-1][1].number("round")
    found.judge("seal.once", newest == last[0], "the last close is not of the last round")
    contents = {(one["size"], one["root"], one["seed"]) for _, one in timeline.closes}
    found.judge("seal.once", len(contents) == 1, "a further close seals other plays or another seed")


def _seal(sealed: Sealed) -> None:
    opened, close, found = sealed.opened, sealed.close, sealed.opened.found
    seedhash = H(tag("fairball/seed/v2") + bytes.fromhex(close["seed"])).hex()
    found.judge("seal.seed", seedhash == opened.open["seedhash"], "the seed is not the one committed to")
    due = opened.chain.due(close.number("round"))
    found.judge("seal.time", close.time >= opened.open.number("close"), "the close is dated before the end of sales")
    late = close.time > due - WITNESS_MARGIN
    otherwise = FAIL if sealed.result is not None else UNKNOWN
    found.judge("seal.time", not late, "the close is dated later than 60 s before its round", otherwise)
    if opened.policy is None:
        found.add("seal.witnesses", BROKEN, "the policy of this draw is not here")
    elif opened.policy.asks_for_nobody:
        found.add("seal.witnesses", UNKNOWN, "this draw asks for no witness")
    else:
        met = _is_met(opened.policy, sealed)
        # A sealed draw that became void by outage lacks the cosignatures, so this is no fault.
        otherwise = UNKNOWN if sealed.is_given_up else BROKEN
        found.judge("seal.witnesses", met, "the witnesses of this draw did not cosign it in time", otherwise)


def _is_met(policy: Policy, sealed: Sealed) -> bool:
    due = sealed.opened.chain.due(sealed.close.number("round"))
    checkpoint = sealed.range.checkpoint
    window = (sealed.close.time - WITNESS_MARGIN, due - WITNESS_MARGIN)
    return checkpoint.size > sealed.index and policy.is_met(checkpoint, *window)


def _seen(sealed: Sealed) -> None:
    opened, found = sealed.opened, sealed.opened.found
    due = opened.chain.due(sealed.close.number("round"))
    sights: Sequence[Sight] = [one for one in opened.trust.sights if one.open == opened.open.hash and one.at < due]
    known = {close.hash for _, close in sealed.closes}
    other = any(sight.hash not in known for sight in sights)
    if other and sealed.result is None and not sealed.is_void:
        # The file may be older than the sight, which may be of a close after a later postponement.
        found.add("seal.seen", UNKNOWN, "another close was shown here, and this file does not reach the result")
    elif other:
        found.add("seal.seen", FAIL, "another close was shown here before the draw")
    elif any(sight.hash == sealed.close.hash for sight in sights):
        found.add("seal.seen", PASS)
    elif opened.trust.policy is not None and _is_met(opened.trust.policy, sealed):
        found.add("seal.seen", PASS)
    else:
        found.add("seal.seen", UNKNOWN, "nobody you trust saw it in time")


# Void


def _void(opened: Opened, sealed: SealedRange, timeline: Timeline, last: Tuple[int, int]) -> Optional[Indexed]:
    """Judges a void; returns the close that it ends, if one was not postponed."""
    if timeline.end is None:
        return None
    found = opened.found
    index, void = timeline.end
    if len(timeline.ends) > 1:
        found.add("seal.once", FAIL, "the draw has more than one result or void")
    standing = [(at, close) for at, close in timeline.closes if not timeline.put_off(at)]
    newest = standing[-1][1] if standing else None
    named = newest.hash if newest is not None else ZERO
    found.judge("void.state", void["close"] == named, "the void does not name the newest close that was not put off")
    before = judge_last(opened.log, opened.open, index, void, found, "void.state")
    if before is not None:
        expected = after_void(before, newest)
        found.judge("void.state", state_of(void) == expected, "the state after the void is not what follows")
        if newest is None:
            in_order = expected.closed == opened.open.number("draw")
            found.judge("void.state", in_order, "the draws of this game are not closed in order")
    _void_reason(opened, sealed, timeline, void, newest, last)
    return standing[-1] if standing else None


def _void_reason(
    opened: Opened,
    sealed: SealedRange,
    timeline: Timeline,
    void: Statement,
    newest: Optional[Statement],
    last: Tuple[int, int],
) -> None:
    found = opened.found
    index = timeline.end[0] if timeline.end else 0
    if void["reason"] == "beacon":
        found.judge("void.reason", newest is not None, "the draw had no close that could wait for the beacon")
        patient = void.time >= last[1] + BEACON_PATIENCE
        found.judge("void.reason", patient, "the beacon was given up before 7 days were over")
        found.add("void.reason", UNKNOWN, "given up for want of a beacon: look its round up")
        return
    policy, window = opened.trust.policy, (void.time - WITNESS_MARGIN, opened.chain.due(last[0]))
    if policy is None or sealed.checkpoint.size <= index or not policy.is_met(sealed.checkpoint, *window):
        word = "given up, and nobody you trust saw it before the round was known"
        found.add("void.reason", UNKNOWN, word)
        return
    found.add("void.reason", PASS)
