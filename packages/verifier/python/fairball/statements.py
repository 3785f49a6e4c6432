"""Statements, rules and receipts: the texts of the protocol, read to the letter (fairness section 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Callable, Dict, List, Tuple

MAX_STATEMENT_BYTES = 4096
MAX_RECEIPT_BYTES = 65536
U32_MAX = 2**32 - 1
U64_MAX = 2**64 - 1
MAX_DIGITS = 4000
"""More digits than any statement can use; a limit so that reading a number is never slow."""

LOG, KEY, CHAIN = "fairball/log/v1", "fairball/key/v1", "fairball/chain/v1"
OPEN, CLOSE, POSTPONE = "fairball/open/v1", "fairball/close/v1", "fairball/postpone/v1"
RESULT, VOID = "fairball/result/v1", "fairball/void/v1"
RULES, RECEIPT = "fairball/rules/v1", "fairball/receipt/v1"

SCHEME = "bls-unchained-g1-rfc9380"
ZERO_HASH = "0" * 64


class StatementError(ValueError):
    """A text that is not a statement of this protocol. Its message is for people."""


@dataclass(frozen=True)
class Statement:
    """A text that was read: its type, its exact bytes and its values by key; repeated lines are lists."""

    type: str
    text: str
    values: Dict[str, Any] = field(repr=False)

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    @property
    def hash(self) -> str:
        """The hash of the text, signatures left out (fairness section 3)."""
        return sha256(self.text.encode("ascii")).hexdigest()


@dataclass(frozen=True)
class WitnessRule:
    """How many of which witnesses must have signed a close (fairness section 5)."""

    needed: int
    keys: Tuple[Tuple[str, str], ...]
    """Pairs of a name and a public key in hex."""


@dataclass(frozen=True)
class Tier:
    """A prize tier of the rules; `minor` is set for fixed prizes only."""

    matches: int
    kind: str
    minor: int


@dataclass(frozen=True)
class TierResult:
    """A `tier` line of a result: how many won and what each of them gets, in satoshis."""

    matches: int
    kind: str
    winners: int
    each: int


@dataclass(frozen=True)
class ReceiptEntry:
    """An `entry` line of a receipt."""

    id: str
    kind: int
    numbers: Tuple[int, ...]


def _number(text: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]*", text) or len(text) > MAX_DIGITS:
        raise StatementError("is not a canonical decimal")
    return int(text)


def _between(lowest: int, highest: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = _number(text)
        if not lowest <= value <= highest:
            raise StatementError(f"is not between {lowest} and {highest}")
        return value

    return read


def _hex(size: int) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not re.fullmatch(r"[0-9a-f]*", text) or len(text) != 2 * size:
            raise StatementError(f"is not {size} bytes in lowercase hex")
        return text

    return read


def _text(text: str) -> str:
    return text


def _token(text: str) -> str:
    """A word that can be the name of a signed note: no space and no plus sign."""
    if " " in text or "+" in text:
        raise StatementError("is not a name without spaces and plus signs")
    return text


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise StatementError(f"is not one of {', '.join(words)}")
        return text

    return read


def _numbers(text: str) -> Tuple[int, ...]:
    """Distinct numbers from 1 to 64, separated by commas, in any order."""
    numbers = tuple(_between(1, 64)(part) for part in text.split(","))
    if len(set(numbers)) != len(numbers):
        raise StatementError("names a number twice")
    return numbers


def _ascending(text: str) -> Tuple[int, ...]:
    numbers = _numbers(text)
    if list(numbers) != sorted(numbers):
        raise StatementError("is not in ascending order")
    return numbers


def _amount_of_currency(text: str) -> Tuple[str, int]:
    parts = text.split(" ")
    if len(parts) != 2 or not parts[0]:
        raise StatementError("is not a currency and an amount")
    return parts[0], _number(parts[1])


def _witness(text: str) -> WitnessRule:
    if text == "0":
        return WitnessRule(0, ())
    parts = text.split(" ")
    if len(parts) != 2:
        raise StatementError("is neither 0 nor a count and a list of witnesses")
    needed = _number(parts[0])
    keys: List[Tuple[str, str]] = []
    for pair in parts[1].split(","):
        name, separator, key = pair.partition("=")
        if not name or not separator or "+" in name:
            raise StatementError("has a witness that is not name=key")
        keys.append((name, _hex(32)(key)))
    if len({name for name, _ in keys}) != len(keys) or len({key for _, key in keys}) != len(keys):
        raise StatementError("names a witness twice")
    if not 1 <= needed <= len(keys):
        raise StatementError("asks for more witnesses than it names")
    return WitnessRule(needed, tuple(keys))


def _tier_result(text: str) -> TierResult:
    parts = text.split(" ")
    if len(parts) != 4:
        raise StatementError("is not matches, kind, winners and amount")
    kind = _one_of("jackpot", "fixed", "free")(parts[1])
    return TierResult(_between(0, 64)(parts[0]), kind, _number(parts[2]), _number(parts[3]))


def _tier_rule(text: str) -> Tier:
    parts = text.split(" ")
    matches = _between(0, 64)(parts[0])
    if len(parts) == 3 and parts[1] == "fixed":
        return Tier(matches, "fixed", _number(parts[2]))
    if len(parts) == 2 and parts[1] in ("jackpot", "free"):
        return Tier(matches, parts[1], 0)
    raise StatementError("is not a tier")


def _split(text: str) -> Tuple[int, ...]:
    parts = tuple(_between(0, 100)(part) for part in text.split(" "))
    if len(parts) != 3 or sum(parts) != 100:
        raise StatementError("is not three percentages that make 100")
    return parts


def _receipt_entry(text: str) -> ReceiptEntry:
    parts = text.split(" ")
    if len(parts) != 3:
        raise StatementError("is not id, kind and numbers")
    return ReceiptEntry(_hex(16)(parts[0]), _between(0, 1)(parts[1]), _ascending(parts[2]))


Layout = Tuple[Tuple[str, Callable[[str], Any]], ...]

_HASH = _hex(32)
_TIME = _between(0, U64_MAX)
_ROUND = _between(1, U64_MAX)
_SIZE = _between(1, 64)
_COMMON: Layout = (("operator", _token), ("seq", _number), ("prev", _HASH), ("time", _TIME))

REPEATED = ("tier", "entry")
"""The keys whose lines repeat: one or more of them."""

LOGGED: Dict[str, Layout] = {
    LOG: _COMMON + (("key", _HASH),),
    KEY: _COMMON + (("key", _HASH),),
    CHAIN: _COMMON
    + (
        ("name", _text),
        ("hash", _HASH),
        ("public_key", _hex(96)),
        ("period", _between(1, U32_MAX)),
        ("genesis", _TIME),
        ("group_hash", _HASH),
        ("beacon_id", _text),
        ("scheme", _text),
    ),
    OPEN: _COMMON
    + (
        ("game", _text),
        ("draw", _number),
        ("pick", _SIZE),
        ("pool", _SIZE),
        ("close", _TIME),
        ("start", _TIME),
        ("chain", _HASH),
        ("round", _ROUND),
        ("seedhash", _HASH),
        ("rules", _HASH),
        ("witness", _witness),
    ),
    CLOSE: _COMMON
    + (
        ("open", _HASH),
        ("round", _ROUND),
        ("entries", _number),
        ("free", _number),
        ("root", _HASH),
        ("seed", _HASH),
        ("stake", _number),
        ("pool", _number),
        ("bankroll", _number),
        ("floor", _number),
        ("rate", _amount_of_currency),
    ),
    POSTPONE: _COMMON
    + (("open", _HASH), ("reason", _one_of("outage", "witness")), ("start", _TIME), ("round", _ROUND)),
    RESULT: _COMMON + (("close", _HASH), ("signature", _hex(48)), ("numbers", _numbers), ("tier", _tier_result)),
    VOID: _COMMON + (("open", _HASH), ("reason", _one_of("beacon", "outage"))),
}
"""The statements of the log, with their lines in order (the table of fairness section 3)."""

RULES_LAYOUT: Layout = (
    ("game", _text),
    ("pick", _SIZE),
    ("pool", _SIZE),
    ("price", _amount_of_currency),
    ("tier", _tier_rule),
    ("split", _split),
)
RECEIPT_LAYOUT: Layout = (
    ("operator", _token),
    ("time", _TIME),
    ("open", _HASH),
    ("order", _text),
    ("player", _text),
    ("secret", _HASH),
    ("entry", _receipt_entry),
)


def parse_logged(text: str) -> Statement:
    """A statement of the log (fairness section 3). Raises StatementError on anything else."""
    statement = _parse(text, LOGGED, MAX_STATEMENT_BYTES)
    if statement.type == OPEN and statement["pick"] > statement["pool"]:
        raise StatementError("pick is more than pool")
    return statement


def parse_rules(text: str) -> Statement:
    """The rules of a game (fairness section 3): tiers from the top, at most one jackpot. Raises StatementError."""
    rules = _parse(text, {RULES: RULES_LAYOUT}, MAX_STATEMENT_BYTES)
    matches = [tier.matches for tier in rules["tier"]]
    if rules["pick"] > rules["pool"]:
        raise StatementError("pick is more than pool")
    if matches[0] > rules["pick"] or any(a <= b for a, b in zip(matches, matches[1:])):
        raise StatementError("tier lines do not go down from the top")
    if sum(tier.kind == "jackpot" for tier in rules["tier"]) > 1:
        raise StatementError("there is more than one jackpot tier")
    return rules


def parse_receipt(text: str) -> Statement:
    """A player's receipt (fairness section 6). Raises StatementError on anything else."""
    return _parse(text, {RECEIPT: RECEIPT_LAYOUT}, MAX_RECEIPT_BYTES)


def _parse(text: str, layouts: Dict[str, Layout], max_bytes: int) -> Statement:
    if len(text) > max_bytes:
        raise StatementError(f"the text is longer than {max_bytes} bytes")
    if not re.fullmatch(r"[\x20-\x7e\n]*\n", text):
        raise StatementError("the text has other bytes than 0x20-0x7E and LF, or does not end with LF")
    lines = text[:-1].split("\n")
    layout = layouts.get(lines[0])
    if layout is None:
        raise StatementError("the first line names no known type")
    values: Dict[str, Any] = {}
    at = 1
    for key, read in layout:
        if key not in REPEATED:
            values[key] = _value(lines, at, key, read)
            at += 1
            continue
        values[key] = [_value(lines, at, key, read)]
        at += 1
        while at < len(lines) and lines[at].startswith(key + " "):
            values[key].append(_value(lines, at, key, read))
            at += 1
    if at != len(lines):
        raise StatementError(f"there are more lines than {lines[0]} has")
    return Statement(lines[0], text, values)


def _value(lines: List[str], at: int, key: str, read: Callable[[str], Any]) -> Any:
    line = lines[at] if at < len(lines) else ""
    found, separator, value = line.partition(" ")
    if found != key or not separator:
        raise StatementError(f"line {at + 1} is not '{key}'")
    if not value or value[0] == " " or value[-1] == " ":
        raise StatementError(f"the value of '{key}' is empty or has spaces around it")
    try:
        return read(value)
    except StatementError as error:
        raise StatementError(f"'{key}' {error}") from None
