"""Verifying a draw from its bundle, in the seven steps of fairness section 10."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import List, Optional

from .bundle import Bundle
from .chains import QUICKNET, Chain, chain_of
from .history import (
    SECONDS_BEFORE_ROUND,
    History,
    close_in_time,
    history_of,
    openings,
    read_witness_lines,
    witness_dates,
)
from .log import Log, Logged, free_ticket_problem, read_log
from .notes import SignatureLine
from .prizes import count_matches, tier_results
from .receipts import check_receipts, compare_signed, genuine, read_receipts
from .report import FAILED, PASSED, UNCHECKED, Report, listed
from .sampler import Step, draw_key, mask_of, sample, seed_hash, stream
from .statements import LOG, Statement, StatementError, parse_rules
from .tree import ENTRY_BYTES, entries_root

SALES_SECONDS = 300
"""The least time between the end of sales and the start of a draw."""


@dataclass
class Facts:
    """What the steps so far have established and the later ones build on."""

    bundle: Bundle
    log: Log
    key: Optional[str]
    """The operator's key, or its fingerprint, as the caller knows it."""
    username: Optional[str]
    witness_lines: List[SignatureLine]
    history: Optional[History] = None
    chain: Optional[Chain] = None
    rules: Optional[Statement] = None
    sealed: Optional[bytes] = None
    """The published entries, once they are known to be those that were sealed."""

    @property
    def close(self) -> Optional[Logged]:
        return self.history.close if self.history else None


def verify(bundle: Bundle, key: Optional[str] = None, username: Optional[str] = None) -> Report:
    """Verifies a bundle. Never raises on its content.

    `key` is the operator's public key in hex and `username` the player's own name, where the caller knows them from
    elsewhere; they win over what the bundle says. The key may be given by its fingerprint, the SHA-256 of it in hex.
    What a bundle says of its owner's memory is the word of whoever saved it: it can fail a check, but never pass one.
    """
    own = bundle.own
    facts = Facts(
        bundle=bundle,
        log=read_log(bundle.log, key if key is not None and _is_key(key) else None),
        key=key,
        username=username if username is not None else own.username if own else None,
        witness_lines=read_witness_lines(list(bundle.witnesses)),
    )
    report = Report(bundle.game, bundle.draw)
    _check_log(facts, report)
    _check_open(facts, report)
    _check_close(facts, report)
    _check_beacon(facts, report)
    _check_numbers(facts, report)
    _check_prizes(facts, report)
    check_receipts(
        report,
        facts.log,
        facts.history,
        bundle.own.receipts if bundle.own else (),
        facts.username,
        facts.sealed,
    )
    return report


def _is_key(text: str) -> bool:
    return len(text) == 64 and all(character in "0123456789abcdef" for character in text)


# Step 1


def _check_log(facts: Facts, report: Report) -> None:
    log, count = facts.log, len(facts.bundle.log)
    empty = None if count else "the bundle holds no log"
    report.expect("log", "readable", "Every statement is written as the protocol says",
                  empty or listed(log.unreadable), f"{count} statements of {log.operator}")
    report.expect("log", "signatures", "Every statement is signed by the operator's key in force",
                  empty or listed(log.unsigned), f"{len(log.statements)} signatures")
    report.expect("log", "chain", "The statements form one chain without gaps, and time never runs back",
                  empty or listed(log.unchained), f"seq 0 to {len(log.statements) - 1}")
    report.expect("log", "seeds", "No seed was committed twice", listed(log.repeated_seeds))
    _check_fork(facts, report)
    _check_key(facts, report)


def _check_key(facts: Facts, report: Report) -> None:
    """The key known from before is the first one of the log: it vouches for all that follow."""
    title = "The operator's key is the one known from before"
    log, own = facts.log, facts.bundle.own
    prints = "\n".join(f"key {key}, fingerprint {_fingerprint(key)}" for _, key in log.keys)
    begun = bool(log.statements) and log.statements[0].statement.type == LOG
    first = log.keys[0][1] if begun else None
    claimed = own.key if own else None
    if facts.key is not None:
        right = first is not None and facts.key in (first, _fingerprint(first))
        problem = None if right else f"the first key of this log is not the known one, {facts.key}\n{prints}"
        report.expect("log", "key", title, problem, prints)
    elif claimed is None:
        report.add("log", "key", title, UNCHECKED, f"no key known from before was given\n{prints}")
    elif claimed == first:
        said = "the file says that it is: that is the word of whoever saved it"
        report.add("log", "key", title, UNCHECKED, f"{said}\n{prints}")
    else:
        problem = f"the file says that the operator's key was {claimed}; it is not the first key of this log"
        report.add("log", "key", title, FAILED, f"{problem}\n{prints}")


def _fingerprint(key: str) -> str:
    return sha256(bytes.fromhex(key)).hexdigest()


def _check_fork(facts: Facts, report: Report) -> None:
    """What was seen or handed out elsewhere must be in this log: two statements with one `seq` are proof of fraud."""
    title = "Nothing seen or signed elsewhere contradicts this log"
    own = facts.bundle.own
    if own is None or not (own.sights or any(receipt.close is not None for receipt in own.receipts)):
        report.add("log", "fork", title, UNCHECKED, "there is no own record to compare with")
        return
    logged = facts.log.hashes()
    found, signed = compare_signed([it.close for it in own.receipts if it.close is not None], facts.log)
    problems = [f"the own record holds {sight.hash}, which is not in this log"
                for sight in own.sights if sight.hash not in logged] + signed
    if problems or found:
        report.expect("log", "fork", title, listed(problems), f"{found} signed statements from elsewhere are in it")
    else:
        said = f"{len(own.sights)} statements that the file says were seen are in it"
        report.add("log", "fork", title, UNCHECKED, f"{said}: that is the word of whoever saved it")


# Step 2


def _check_open(facts: Facts, report: Report) -> None:
    bundle = facts.bundle
    opened = openings(facts.log, bundle.game, bundle.draw)
    problem = "the log has no open statement of this draw" if not opened else None
    if len(opened) > 1:
        problem = "the draw was opened more than once: seq " + ", ".join(str(logged.seq) for logged in opened)
    detail = f"open {opened[0].hash}, seq {opened[0].seq}" if opened else ""
    report.expect("open", "once", "The draw was opened, once", problem, detail)
    if not opened:
        return
    statement = opened[0].statement
    facts.chain, chain_problem = chain_of(facts.log, statement)
    facts.history = history_of(facts.log, opened[0], facts.chain, facts.witness_lines)
    _check_chain(facts, statement, chain_problem, report)
    early = statement["start"] - statement["close"] >= SALES_SECONDS
    report.expect("open", "times", f"Sales end at least {SALES_SECONDS} seconds before the draw",
                  None if early else "sales end later", f"close {statement['close']}, start {statement['start']}")
    _check_round(facts, facts.history, report)
    _check_rules(facts, statement, report)
    _check_older_than_receipts(facts, statement, report)


def _check_chain(facts: Facts, opened: Statement, problem: Optional[str], report: Report) -> None:
    title, log = "The beacon chain is known", facts.log
    if facts.chain is None and problem is None:
        missing = f"the log states no chain {opened['chain']} before the draw was opened"
        incomplete = bool(log.unreadable or log.unchained)
        report.add("open", "chain", title, UNCHECKED if incomplete else FAILED, missing)
    else:
        report.expect("open", "chain", title, problem, f"chain {opened['chain']}")


def _check_round(facts: Facts, history: History, report: Report) -> None:
    title, opened = "The round follows from the start", history.opened.statement
    if facts.chain is None:
        report.add("open", "round", title, UNCHECKED, "the chain is not known")
    else:
        right = facts.chain.round_at(opened["start"])
        report.expect("open", "round", title,
                      None if right == opened["round"] else f"it is {right}, not {opened['round']}",
                      f"start {opened['start']}, round {right}")
    report.expect("open", "postponed", "The draw was postponed by the rules, or not at all",
                  listed(history.postpone_problems),
                  f"{history.postpones} times, start {history.start}, round {history.round}")
    if history.void is not None:
        _check_void(facts, history, history.void, report)


def _check_void(facts: Facts, history: History, void: Logged, report: Report) -> None:
    title = "The draw was declared void by the rules"
    detail = f"seq {void.seq}, reason {void.statement['reason']}"
    problems = list(history.void_problems)
    if history.void_if_empty:
        receipts = read_receipts(facts.bundle.own.receipts if facts.bundle.own else ())
        if any(genuine(receipt, facts.log, history) for receipt in receipts):
            problems.append(f"seq {void.seq} gives up a draw that somebody is in, by a receipt, before the third miss")
    if history.void_if_empty and not problems:
        rule = "only a draw that nobody is in may be void at the first miss; whether anybody was cannot be told here"
        report.add("open", "void", title, UNCHECKED, f"{rule}\n{detail}")
    else:
        report.expect("open", "void", title, listed(problems), detail)


def _check_rules(facts: Facts, opened: Statement, report: Report) -> None:
    title = "The rules are those the draw was opened with"
    text = facts.bundle.rules
    if text is None:
        report.add("open", "rules", title, UNCHECKED, "the bundle holds no rules")
        return
    problem: Optional[str] = None
    found = sha256(text.encode("utf-8", "replace")).hexdigest()
    try:
        facts.rules = parse_rules(text)
        differing = [name for name in ("game", "pick", "pool") if facts.rules[name] != opened[name]]
        if differing:
            problem = f"the rules have another {' and '.join(differing)} than the draw"
    except StatementError as error:
        problem = f"the rules are not written as the protocol says: {error}"
    if found != opened["rules"]:
        problem = f"the rules in the bundle have the hash {found}, the draw names {opened['rules']}"
    if problem is not None:
        facts.rules = None
    report.expect("open", "rules", title, problem, f"rules {found}")


def _check_older_than_receipts(facts: Facts, opened: Statement, report: Report) -> None:
    title = "The draw was opened before any of the own receipts"
    receipts = read_receipts(facts.bundle.own.receipts if facts.bundle.own else ())
    times = [receipt.statement["time"] for receipt in receipts if receipt.statement is not None]
    if not times:
        report.add("open", "receipts", title, UNCHECKED, "there are no own receipts")
        return
    problem = None if opened["time"] <= min(times) else f"a receipt is dated {min(times)}, before {opened['time']}"
    report.expect("open", "receipts", title, problem, f"opened {opened['time']}, first receipt {min(times)}")


# Step 3


def _check_close(facts: Facts, report: Report) -> None:
    history, close = facts.history, facts.close
    if history is None or close is None:
        reason = "the draw was not opened" if history is None else "the log has no close of this draw"
        report.add("close", "once", "The draw was closed, once", UNCHECKED, reason)
        return
    report.expect("close", "once", "The draw was closed, once, for the round in force",
                  listed(history.close_problems), f"close {close.hash}, seq {close.seq}")
    _check_time(facts, history, close, report)
    values, opened = close.statement, history.opened.statement
    computed = seed_hash(bytes.fromhex(values["seed"])).hex()
    report.expect("close", "seed", "The seed is the one committed to before the first sale",
                  None if computed == opened["seedhash"] else f"it gives {computed}, not {opened['seedhash']}",
                  f"seed {values['seed']}\nseedhash {computed}")
    _check_entries(facts, history, close, report)
    _check_witnesses(facts, history, close, report)
    _check_seen(facts, history, close, report)


def _check_time(facts: Facts, history: History, close: Logged, report: Report) -> None:
    title = f"Sales had ended, and the round was due {SECONDS_BEFORE_ROUND} seconds later at least"
    if facts.chain is None:
        report.add("close", "time", title, UNCHECKED, "the chain is not known")
        return
    ended, time = history.opened.statement["close"], close.statement["time"]
    due = facts.chain.due(close.statement["round"])
    detail = f"sales ended {ended}, committed {time}, round {close.statement['round']} due {due}"
    right = ended <= time and close_in_time(close, facts.chain)
    report.expect("close", "time", title, None if right else detail, detail)


def _check_entries(facts: Facts, history: History, close: Logged, report: Report) -> None:
    titles = {
        "order": "The entries ascend strictly",
        "lines": "Each entry is a line of this game, paid or free",
        "count": "Their number and the number of free ones are right",
        "root": "Their tree has the root of the close",
    }
    entries, values = facts.bundle.entries, close.statement
    if entries is None:
        for id, title in titles.items():
            report.add("close", id, title, UNCHECKED, "the bundle holds no entries")
        return
    if len(entries) % ENTRY_BYTES != 0:
        for id, title in titles.items():
            outcome = FAILED if id in ("count", "root") else UNCHECKED
            report.add("close", id, title, outcome, f"{len(entries)} bytes are no whole number of entries")
        return
    report.expect("close", "order", titles["order"], order_problem(entries))
    opened = history.opened.statement
    report.expect("close", "lines", titles["lines"], line_problem(entries, opened["pick"], opened["pool"]))
    count = len(entries) // ENTRY_BYTES
    free = sum(entries[at] == 1 for at in range(16, len(entries), ENTRY_BYTES))
    right = (count, free) == (values["entries"], values["free"])
    counted = f"{count} entries, {free} of them free"
    report.expect("close", "count", titles["count"],
                  None if right else f"{counted}; the close says {values['entries']} and {values['free']}", counted)
    root = entries_root(bytes.fromhex(history.opened.hash), entries).hex()
    facts.sealed = entries if root == values["root"] else None
    report.expect("close", "root", titles["root"],
                  None if root == values["root"] else f"they give {root}, the close says {values['root']}",
                  f"root {root}")


def order_problem(entries: bytes) -> Optional[str]:
    """The first entry whose id is not above that of the one before it, if there is one (fairness section 7)."""
    last = b""
    for at in range(0, len(entries), ENTRY_BYTES):
        id = entries[at : at + 16]
        if at > 0 and id <= last:
            return f"entry {at // ENTRY_BYTES} ({id.hex()}) does not follow the one before it"
        last = id
    return None


def line_problem(entries: bytes, pick: int, pool: int) -> Optional[str]:
    """The first entry of an unknown kind or without exactly `pick` numbers of the pool (fairness section 6)."""
    above = -1 << pool
    for at in range(0, len(entries), ENTRY_BYTES):
        mask = int.from_bytes(entries[at + 17 : at + 25], "big")
        if entries[at + 16] > 1:
            return f"entry {at // ENTRY_BYTES} is of the unknown kind {entries[at + 16]}"
        if mask & above or bin(mask).count("1") != pick:
            return f"entry {at // ENTRY_BYTES} is not {pick} numbers of {pool}"
    return None


def _check_witnesses(facts: Facts, history: History, close: Logged, report: Report) -> None:
    title = "The witnesses the draw asks for signed the close in time"
    rule = history.opened.statement["witness"]
    if rule.needed == 0:
        report.add("close", "witnesses", title, PASSED, "this draw asks for none")
        return
    if facts.chain is None:
        report.add("close", "witnesses", title, UNCHECKED, "the chain is not known")
        return
    before = facts.chain.due(close.statement["round"]) - SECONDS_BEFORE_ROUND
    dates = witness_dates(rule, close, facts.witness_lines)
    seen = ", ".join(f"{name} at {date}" for name, date in dates.items()) or "none"
    detail = f"{rule.needed} needed before {before}: {seen}"
    if sum(date < before for date in dates.values()) >= rule.needed:
        report.add("close", "witnesses", title, PASSED, detail)
    elif history.result is not None:
        report.add("close", "witnesses", title, FAILED, detail)
    else:
        report.add("close", "witnesses", title, UNCHECKED, f"{detail}; the draw has no result yet")


def _check_seen(facts: Facts, history: History, close: Logged, report: Report) -> None:
    title = "Somebody else saw the close before its round was due"
    if facts.chain is None:
        report.add("close", "seen", title, UNCHECKED, "the chain is not known")
        return
    due = facts.chain.due(close.statement["round"])
    dates = witness_dates(history.opened.statement["witness"], close, facts.witness_lines)
    date, name = min(((date, name) for name, date in dates.items()), default=(due, ""))
    own = facts.bundle.own
    sights = [sight.seen_at for sight in own.sights if sight.hash == close.hash] if own else []
    if date < due:
        report.add("close", "seen", title, PASSED, f"witness {name} saw it at {date}, the round was due {due}")
    elif sights:
        said = f"the file says that it was first seen at {min(sights)}, the round was due {due}"
        report.add("close", "seen", title, UNCHECKED, f"{said}: that is the word of whoever saved it")
    else:
        late = f"first seen at {date}, when the round was due ({due})" if dates else "no witness tells when it was seen"
        report.add("close", "seen", title, UNCHECKED, late)


# Step 4


def _check_beacon(facts: Facts, report: Report) -> None:
    bundle, history, beacon = facts.bundle, facts.history, facts.bundle.beacon
    result = history.result if history else None
    title = "The beacon's round is the round of the draw"
    if history is None or (beacon is None and result is None):
        report.add("beacon", "round", title, UNCHECKED, "the beacon's answer is not in the bundle")
        return
    in_force = facts.close.statement["round"] if facts.close else history.round
    if beacon is None:
        report.add("beacon", "round", title, UNCHECKED, "only the result tells the beacon's signature")
    else:
        report.expect("beacon", "round", title,
                      None if beacon.round == in_force else f"round {beacon.round}, but the draw uses {in_force}",
                      f"round {in_force}")
    signature = _signature(facts)
    shape = "The signature is 48 bytes in lowercase hex"
    report.expect("beacon", "form", shape, None if signature is not None else "it is not", signature or "")
    if bundle.beacon is not None and result is not None:
        same = bundle.beacon.signature == result.statement["signature"]
        report.expect("beacon", "same", "The result names this signature",
                      None if same else f"the result names {result.statement['signature']}")
    report.add("beacon", "signature", "The signature is valid for chain and round", UNCHECKED,
               "not checkable here (this program leaves the pairing to fairball-verify)")
    public = "The chain is public: drand's quicknet"
    if facts.chain is not None and facts.chain.public:
        report.add("beacon", "public", public, PASSED, f"chain {QUICKNET.hash}")
    else:
        report.add("beacon", "public", public, UNCHECKED, "private: shows the arithmetic, not the honesty")


def _signature(facts: Facts) -> Optional[str]:
    """The beacon's signature in hex, from the bundle or else from the result, if it has the right form."""
    result = facts.history.result if facts.history else None
    found = facts.bundle.beacon.signature if facts.bundle.beacon else result.statement["signature"] if result else ""
    well_formed = len(found) == 96 and all(character in "0123456789abcdef" for character in found)
    return found if well_formed else None


# Step 5


def _check_numbers(facts: Facts, report: Report) -> None:
    title = "The numbers follow from the seed, the sealed entries and the beacon"
    history, close, signature = facts.history, facts.close, _signature(facts)
    if history is not None and history.result is not None:
        report.expect("numbers", "result", "There is one result, of the close in force, dated after the round",
                      listed(history.result_problems), f"seq {history.result.seq}")
    if history is None or close is None or signature is None:
        missing = "the beacon's signature" if history and close else "the close"
        outcome = FAILED if history is not None and history.result is not None else UNCHECKED
        report.add("numbers", "derived", title, outcome, f"they cannot be computed: {missing} is missing")
        return
    opened, values = history.opened, close.statement
    randomness = sha256(bytes.fromhex(signature)).digest()
    key = draw_key(
        bytes.fromhex(values["seed"]),
        bytes.fromhex(opened.hash),
        bytes.fromhex(close.hash),
        values["round"],
        randomness,
    )
    balls, steps = sample(stream(key), opened.statement["pick"], opened.statement["pool"])
    report.numbers = balls
    derivation = f"randomness {randomness.hex()}\nkey {key.hex()}\n" + "\n".join(map(_told, steps))
    if history.void is not None:
        report.add("numbers", "derived", title, UNCHECKED, f"the draw is void\n{derivation}")
    elif history.result is None:
        report.add("numbers", "derived", title, UNCHECKED, f"the log has no result yet\n{derivation}")
    else:
        said = list(history.result.statement["numbers"])
        problem = None if said == balls else f"the result says {said}, they are {balls}\n{derivation}"
        report.expect("numbers", "derived", title, problem, derivation)


def _told(step: Step) -> str:
    start = f"byte {step.byte:02x} = {step.byte}"
    if step.ball is None:
        return f"{start}, not below {step.limit}: thrown away"
    place = f"{step.byte} mod {step.remaining} = {step.byte % step.remaining}"
    return f"{start} below {step.limit}: {place}: ball {step.ball}"


# Step 6


def _check_prizes(facts: Facts, report: Report) -> None:
    history, close = facts.history, facts.close
    title = "Winners and amounts of every tier are right"
    if history is not None and history.void is not None:
        report.add("prizes", "tiers", title, UNCHECKED, "the draw is void")
    elif history is None or close is None or history.result is None:
        report.add("prizes", "tiers", title, UNCHECKED, "the log has no result of this draw")
    elif facts.rules is None or report.numbers is None or facts.sealed is None:
        report.add("prizes", "tiers", title, UNCHECKED, "rules, numbers or entries are missing or wrong")
    else:
        _check_tiers(history, close, facts.rules, facts.sealed, report)
    title = "No more free entries were used than free tickets won in this game"
    if not facts.log.statements or facts.log.statements[0].statement.type != LOG:
        report.add("prizes", "free", title, UNCHECKED, "the log is not there from its first statement")
    else:
        report.expect("prizes", "free", title, free_ticket_problem(facts.log, facts.bundle.game))


def _check_tiers(history: History, close: Logged, rules: Statement, entries: bytes, report: Report) -> None:
    values, pick = close.statement, history.opened.statement["pick"]
    currency, rate = values["rate"]
    drawn = report.numbers or []
    counts = count_matches(entries, mask_of(drawn), pick)
    computed = tier_results(
        rules["tier"],
        counts,
        pool=values["pool"],
        bankroll=values["bankroll"],
        floor=values["floor"],
        rate=rate,
    )
    said = history.result.statement["tier"] if history.result else []
    lines = "\n".join(f"tier {t.matches} {t.kind} {t.winners} {t.each}" for t in computed)
    problem = None if said == computed else f"the result says other tier lines than those computed:\n{lines}"
    priced = rules["price"][0]
    report.expect("prizes", "rate", "The rate is of the currency that the prizes are in",
                  None if currency == priced else f"the rate is of {currency}, the prizes are in {priced}",
                  f"{rate} satoshis a {currency}")
    report.expect("prizes", "tiers", "Winners and amounts of every tier are right", problem, lines)
