"""The strict grammar of statements, rules and papers (section 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from .errors import Malformed
from .hashing import hash_text
from .notes import is_number

MAX_BYTES = 4096
MAX_LONG_BYTES = 65_535
LONG = frozenset(["paid", "code", "promise"])
MAX_SATS = 2_100_000_000_000_000
MAX_RATE = 2**32 - 1
MIN_RATE = 100

Reader = Callable[[str], bool]
Line = Tuple[str, str, Reader]
"""A key, its number of lines (`1`, `+` one or more, `*` any number), and the check of its value."""


def _matches(pattern: str) -> Reader:
    compiled = re.compile(pattern)
    return lambda value: compiled.fullmatch(value) is not None


def _words(*readers: Reader) -> Reader:
    def read(value: str) -> bool:
        words = value.split(" ")
        return len(words) == len(readers) and all(reader(word) for reader, word in zip(readers, words))

    return read


def _list_of(reader: Reader, most: int = 1000) -> Reader:
    def read(value: str) -> bool:
        parts = value.split(",")
        return len(parts) <= most and all(reader(part) for part in parts)

    return read


def _one_of(*words: str) -> Reader:
    return lambda value: value in words


def _quote(value: str) -> bool:
    host, equals, rest = value.partition("=")
    price, at, time = rest.partition("@")
    return bool(equals) and bool(at) and host_name(host) and is_number(price) and is_number(time)


def _tier_of_rules(value: str) -> bool:
    words = value.split(" ")
    if len(words) == 2:
        return is_number(words[0]) and words[1] in ("jackpot", "free")
    return len(words) == 3 and is_number(words[0]) and words[1] == "fixed" and is_number(words[2])


def _any(value: str) -> bool:
    return True


number: Reader = is_number


def sats(value: str) -> bool:
    return is_number(value) and int(value) <= MAX_SATS


hash_value: Reader = _matches(r"[0-9a-f]{64}")
hash_or_none = hash_value
"""A hash; Z means none."""
currency: Reader = _matches(r"[A-Z]{3}")
game_key: Reader = _matches(r"[a-z][a-z0-9-]{1,30}")
host_name: Reader = _matches(r"[!-+\--<>-?A-~]+")
"""Visible ASCII without the separators of a list of quotes: `,`, `=` and `@`."""
play_id: Reader = _matches(r"[0-9a-f]{32}")
word: Reader = _matches(r"[!-~]+")
money_rate = _words(currency, number)
state = _words(number, number, sats, number, number, number)
tier_of_result = _words(number, _one_of("jackpot", "fixed", "free"), number, sats)
_bitcoin = _words(_one_of("bitcoin"), word)
_lightning = _words(_one_of("lightning"), hash_value)


def payment(value: str) -> bool:
    return value == "none" or _bitcoin(value) or _lightning(value)


LOG_LINES: Tuple[Line, ...] = (("log", "1", word), ("time", "1", number))

SHAPES: Dict[str, Tuple[Line, ...]] = {
    "log": (
        ("key", "1", hash_value),
        ("next", "1", hash_value),
        ("after", "1", lambda value: value == "none" or _words(word, number, hash_value)(value)),
    ),
    "key": (("key", "1", hash_value), ("next", "1", hash_value)),
    "chain": (
        ("name", "1", _any),
        ("chain", "1", hash_value),
        ("public_key", "1", _matches(r"[0-9a-f]{192}")),
        ("period", "1", number),
        ("genesis", "1", number),
        ("group_hash", "1", hash_value),
        ("beacon_id", "1", _any),
        ("scheme", "1", _any),
    ),
    "game": (
        ("game", "1", game_key),
        ("version", "1", number),
        ("rules", "1", hash_value),
        ("from", "1", number),
        ("reason", "1", _one_of("new", "price", "prizes", "schedule", "retire")),
        ("pot_to", "1", lambda value: value == "none" or game_key(value)),
    ),
    "open": (
        ("game", "1", game_key),
        ("version", "1", number),
        ("draw", "1", number),
        ("close", "1", number),
        ("start", "1", number),
        ("chain", "1", hash_value),
        ("round", "1", number),
        ("seedhash", "1", hash_value),
        ("rules", "1", hash_value),
        ("rate", "1", money_rate),
        ("sources", "1", _list_of(host_name)),
        ("band", "1", number),
        ("policy", "1", hash_value),
    ),
    "sold": (
        ("open", "1", hash_value),
        ("size", "1", number),
        ("root", "1", hash_value),
        ("stake", "1", sats),
        ("rate", "1", money_rate),
    ),
    "close": (
        ("open", "1", hash_value),
        ("round", "1", number),
        ("sold", "1", hash_or_none),
        ("size", "1", number),
        ("root", "1", hash_value),
        ("lines", "1", number),
        ("free", "1", number),
        ("carried", "1", number),
        ("revoked", "1", _words(number, hash_value)),
        ("seed", "1", hash_value),
        ("stake", "1", sats),
        ("rate", "1", money_rate),
        ("quotes", "1", _list_of(_quote)),
        ("added", "1", sats),
        ("pool", "1", sats),
        ("floor", "1", sats),
        ("cover", "1", sats),
        ("short", "1", sats),
        ("last", "1", hash_or_none),
        ("state", "1", state),
    ),
    "postpone": (
        ("open", "1", hash_value),
        ("reason", "1", _one_of("outage", "witness")),
        ("start", "1", number),
        ("round", "1", number),
    ),
    "result": (
        ("close", "1", hash_value),
        ("signature", "1", _matches(r"[0-9a-f]{96}")),
        ("numbers", "1", _list_of(number, 64)),
        ("tier", "+", tier_of_result),
        ("left", "1", sats),
        ("sections", "1", hash_value),
        ("last", "1", hash_value),
        ("state", "1", state),
    ),
    "void": (
        ("open", "1", hash_value),
        ("close", "1", hash_or_none),
        ("reason", "1", _one_of("beacon", "outage")),
        ("last", "1", hash_or_none),
        ("state", "1", state),
    ),
    "paid": (
        ("size", "1", number),
        ("root", "1", hash_value),
        ("draw", "*", _words(hash_value, sats, sats)),
    ),
    "solvency": (
        ("accounts", "1", number),
        ("owed", "1", sats),
        ("root", "1", hash_value),
        ("liability", "+", _words(word, sats)),
        ("reserves", "1", sats),
        ("proof", "1", hash_value),
    ),
    "code": (
        ("version", "1", _any),
        ("commit", "1", _matches(r"[0-9a-f]{40}")),
        ("file", "+", lambda value: hash_value(value[:64]) and value[64:65] == " " and len(value) > 65),
    ),
    "rules": (
        ("game", "1", game_key),
        ("version", "1", number),
        ("pick", "1", number),
        ("pool", "1", number),
        ("price", "1", _words(currency, number)),
        ("tier", "+", _tier_of_rules),
        ("split", "1", _words(number, number, number)),
        ("floor", "1", number),
        ("cover", "1", number),
        ("limit", "1", _words(number, number)),
        ("closes", "1", number),
        ("at", "+", number),
    ),
    "promise": (
        ("order", "1", word),
        ("pay", "+", payment),
        ("sats", "1", sats),
        ("rate", "1", money_rate),
        ("confirmations", "1", number),
        ("expires", "1", number),
        ("play", "+", _words(hash_value, play_id, number, number, sats)),
        ("lines", "1", hash_value),
        ("payto", "1", hash_value),
        ("secret", "1", hash_value),
    ),
    "receipt": (
        ("order", "1", word),
        ("promise", "1", hash_value),
        ("open", "1", hash_value),
        ("play", "1", play_id),
        ("leaf", "1", hash_value),
        ("index", "1", number),
        ("statement", "1", hash_value),
        ("supersedes", "1", hash_or_none),
        ("reason", "1", _one_of("none", "late", "void", "reorg")),
    ),
}

LOGGED = frozenset(
    ["log", "key", "chain", "game", "open", "sold", "close", "postpone", "result", "void", "paid", "solvency", "code"]
)


@dataclass(frozen=True)
class Statement:
    """A parsed statement: its type, and the values of each key in order."""

    kind: str
    text: str
    values: Dict[str, Tuple[str, ...]]
    hash: str

    def __getitem__(self, key: str) -> str:
        return self.values[key][0]

    def all(self, key: str) -> Tuple[str, ...]:
        return self.values.get(key, ())

    def number(self, key: str) -> int:
        return int(self.values[key][0])

    def numbers(self, key: str) -> List[int]:
        """The numbers in a value of several words."""
        return [int(part) for part in self.values[key][0].split(" ")]

    def rate(self) -> Tuple[str, int]:
        """Currency and satoshis per whole unit."""
        code, amount = self.values["rate"][0].split(" ")
        return code, int(amount)

    @property
    def time(self) -> int:
        return int(self.values["time"][0])


@lru_cache(maxsize=65_536)
def read_statement(text: str, kinds: Optional[frozenset[str]] = None) -> Statement:
    """Parses a statement of one of these kinds (any, if none are named). Raises Malformed."""
    first, _, _ = text.partition("\n")
    match = re.fullmatch(r"fairball/([a-z]+)/v2", first)
    if match is None or match[1] not in SHAPES or (kinds is not None and match[1] not in kinds):
        raise Malformed("the first line names no statement that belongs here")
    kind = match[1]
    if len(text) > (MAX_LONG_BYTES if kind in LONG else MAX_BYTES):
        raise Malformed(f"the {kind} is too long")
    if not re.fullmatch(r"[\n -~]*\n", text):
        raise Malformed(f"the {kind} has a character it may not have, or its last line does not end")
    shape = SHAPES[kind] if kind == "rules" else LOG_LINES + SHAPES[kind]
    values = _values(kind, text[:-1].split("\n")[1:], shape)
    statement = Statement(kind, text, values, hash_text(text))
    problem = _PROBLEMS.get(kind, lambda _: None)(statement)
    if problem:
        raise Malformed(f"the {kind} {problem}")
    return statement


def _values(kind: str, lines: Sequence[str], shape: Sequence[Line]) -> Dict[str, Tuple[str, ...]]:
    values: Dict[str, Tuple[str, ...]] = {}
    position = 0
    for key, often, reader in shape:
        found: List[str] = []
        while position < len(lines) and (often != "1" or not found):
            name, space, value = lines[position].partition(" ")
            if name != key or not space:
                break
            if not value or value[0] == " " or value[-1] == " " or not reader(value):
                raise Malformed(f"the value of {key} in the {kind} is not of its form")
            found.append(value)
            position += 1
        if not found and often != "*":
            raise Malformed(f"the {kind} lacks {key} where it belongs")
        values[key] = tuple(found)
    if position != len(lines):
        raise Malformed(f"the {kind} has a line too many")
    return values


@dataclass(frozen=True)
class Tier:
    """A prize: the matches it needs, its kind, and for `fixed` its amount in minor units."""

    matches: int
    kind: str
    minor: int


def tiers_of(rules: Statement) -> List[Tier]:
    tiers = []
    for value in rules.all("tier"):
        words = value.split(" ")
        tiers.append(Tier(int(words[0]), words[1], int(words[2]) if len(words) == 3 else 0))
    return tiers


def _rules_problem(rules: Statement) -> Optional[str]:
    pick, pool = rules.number("pick"), rules.number("pool")
    if not 1 <= pick < pool <= 64:
        return "picks no numbers of 2 to 64"
    tiers = tiers_of(rules)
    if tiers[0].kind != "jackpot" or tiers[0].matches != pick or any(tier.kind == "jackpot" for tier in tiers[1:]):
        return "has no one jackpot, first and at all numbers"
    if any(later.matches >= tier.matches for tier, later in zip(tiers, tiers[1:])):
        return "has tiers whose matches do not fall"
    if sum(rules.numbers("split")) != 100:
        return "splits no 100 percent"
    return None


_PROBLEMS: Dict[str, Callable[[Statement], Optional[str]]] = {"rules": _rules_problem}
