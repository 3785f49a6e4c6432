"""Bundles, evidence and trust files, in exactly the shapes of sections 11 and 12."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence, Set, Tuple, TypeVar

from .errors import Malformed
from .hashing import HEX64, base64_bytes
from .notes import Checkpoint, read_checkpoint
from .policy import Policy, read_policy
from .strict_json import read_json

BUNDLE_FORMAT = "fairball/bundle/v2"
EVIDENCE_FORMAT = "fairball/evidence/v2"
MAX_RANGE = 10_000
CHECK_ID = re.compile(r"[a-z]+\.[a-z]+")

T = TypeVar("T")


@dataclass(frozen=True)
class Proven:
    """A text that claims to be the leaf at an index of the log."""

    index: int
    text: str
    path: Tuple[bytes, ...]


@dataclass(frozen=True)
class Seal:
    """A checkpoint, the statements that lead to it from `start` on, and the proof from it to the head."""

    checkpoint: str
    start: int
    left: Tuple[bytes, ...]
    statements: Tuple[str, ...]
    consistency: Tuple[bytes, ...]


@dataclass(frozen=True)
class Tail:
    """The statements after the seal's checkpoint, and the proof from their last one to the head."""

    left: Tuple[bytes, ...]
    statements: Tuple[str, ...]
    consistency: Tuple[bytes, ...]


@dataclass(frozen=True)
class Beacon:
    round: int
    signature: str


@dataclass(frozen=True)
class Plays:
    """The sections file, or None, and the entries of some sections by number."""

    sections: Optional[bytes]
    parts: Tuple[Tuple[int, bytes], ...]


@dataclass(frozen=True)
class Draw:
    open: str
    postpones: Tuple[Seal, ...]
    seal: Optional[Seal]
    tail: Optional[Tail]
    beacon: Optional[Beacon]
    plays: Optional[Plays]


@dataclass(frozen=True)
class Paper:
    """A promise or receipt, with the data that opens it."""

    note: str
    secret: Optional[bytes]
    username: Optional[str]
    lines: Optional[str]
    path: Tuple[bytes, ...]
    preimage: Optional[bytes]


@dataclass(frozen=True)
class Bundle:
    head: str
    statements: Tuple[Proven, ...]
    texts: Tuple[str, ...]
    draws: Tuple[Draw, ...]
    papers: Tuple[Paper, ...]


@dataclass(frozen=True)
class Evidence:
    kind: str
    failed: Tuple[str, ...]
    bundle: Optional[Bundle]
    notes: Tuple[str, ...]
    key: bytes


@dataclass(frozen=True)
class Sight:
    """A close that the verifier fetched itself, with the time."""

    open: str
    hash: str
    at: int


@dataclass(frozen=True)
class Trust:
    """The verifier's own knowledge: whom it trusts, and what it saw."""

    policy: Optional[Policy] = None
    key: Optional[bytes] = None
    sights: Tuple[Sight, ...] = ()
    heads: Tuple[Checkpoint, ...] = ()

    def log_keys(self, origin: str) -> Set[bytes]:
        """The known keys of a log: its own, and those that the policy names for its origin."""
        named = () if self.policy is None else self.policy.logs
        own = set() if self.key is None else {self.key}
        return own | {key for name, key in named if name == origin}


def read_document(data: bytes) -> "Bundle | Evidence":
    """The bundle or the evidence in a file. Raises Malformed."""
    value = read_json(data)
    if isinstance(value, dict) and value.get("format") == EVIDENCE_FORMAT:
        return _evidence(value)
    return _bundle(value)


def read_trust(data: bytes) -> Trust:
    """The trust in a file: JSON of `policy`, `key`, `sights` and `heads`. Raises Malformed."""
    return trust_of(read_json(data))


def trust_of(value: Any) -> Trust:
    """The trust in a JSON value; a missing field counts as empty. Raises Malformed."""
    if not isinstance(value, dict) or not set(value) <= {"policy", "key", "sights", "heads"}:
        raise Malformed("trust: its keys are policy, key, sights and heads")
    policy = _or_null(value.get("policy"), "trust: policy", _text)
    key = _or_null(value.get("key"), "trust: key", _hex)
    sights = _list(value.get("sights", []), "trust: sights", 100_000, _sight)
    heads = _list(value.get("heads", []), "trust: heads", 10_000, _head)
    return Trust(None if policy is None else read_policy(policy), key, sights, heads)


def _head(value: Any, where: str) -> Checkpoint:
    return read_checkpoint(_text(value, where))


def _sight(value: Any, where: str) -> Sight:
    _keys(value, where, ("open", "hash", "at"))
    return Sight(_hex_text(value["open"], where), _hex_text(value["hash"], where), _integer(value["at"], where))


def _bundle(value: Any) -> Bundle:
    _keys(value, "bundle", ("format", "head", "statements", "texts", "draws", "papers"))
    if value["format"] != BUNDLE_FORMAT:
        raise Malformed("bundle: this is no fairball/bundle/v2")
    return Bundle(
        _text(value["head"], "head"),
        _list(value["statements"], "statements", 1000, _proven),
        _list(value["texts"], "texts", 64, _text),
        _list(value["draws"], "draws", 16, _draw),
        _list(value["papers"], "papers", 1000, _paper),
    )


def _evidence(value: Any) -> Evidence:
    _keys(value, "evidence", ("format", "kind", "failed", "bundle", "notes", "key"))
    if value["kind"] not in ("draw", "fork"):
        raise Malformed("evidence: its kind is draw or fork")
    return Evidence(
        value["kind"],
        _list(value["failed"], "failed", 1000, _check_id),
        None if value["bundle"] is None else _bundle(value["bundle"]),
        _list(value["notes"], "notes", 1000, _text),
        _hex(value["key"], "key"),
    )


def _proven(value: Any, where: str) -> Proven:
    _keys(value, where, ("index", "text", "path"))
    return Proven(_integer(value["index"], where), _text(value["text"], where), _hashes(value["path"], where))


def _draw(value: Any, where: str) -> Draw:
    _keys(value, where, ("open", "postpones", "seal", "tail", "beacon", "plays"))
    return Draw(
        _hex_text(value["open"], where),
        _list(value["postpones"], "postpones", 2, _seal),
        _or_null(value["seal"], "seal", _seal),
        _or_null(value["tail"], "tail", _tail),
        _or_null(value["beacon"], "beacon", _beacon),
        _or_null(value["plays"], "plays", _plays),
    )


def _seal(value: Any, where: str) -> Seal:
    _keys(value, where, ("checkpoint", "start", "left", "statements", "consistency"))
    return Seal(
        _text(value["checkpoint"], where),
        _integer(value["start"], where),
        _hashes(value["left"], where),
        _list(value["statements"], where, MAX_RANGE, _text),
        _hashes(value["consistency"], where),
    )


def _tail(value: Any, where: str) -> Tail:
    _keys(value, where, ("left", "statements", "consistency"))
    return Tail(
        _hashes(value["left"], where),
        _list(value["statements"], where, MAX_RANGE, _text),
        _hashes(value["consistency"], where),
    )


def _beacon(value: Any, where: str) -> Beacon:
    _keys(value, where, ("round", "signature"))
    return Beacon(_integer(value["round"], where), _text(value["signature"], where))


def _plays(value: Any, where: str) -> Plays:
    _keys(value, where, ("sections", "parts"))
    return Plays(
        _or_null(value["sections"], where, _base64),
        _list(value["parts"], where, 2**24, _part),
    )


def _part(value: Any, where: str) -> Tuple[int, bytes]:
    _keys(value, where, ("section", "leaves"))
    return _integer(value["section"], where), _base64(value["leaves"], where)


def _paper(value: Any, where: str) -> Paper:
    _keys(value, where, ("note", "secret", "username", "lines", "path", "preimage"))
    return Paper(
        _text(value["note"], where),
        _or_null(value["secret"], where, _hex),
        _or_null(value["username"], where, _text),
        _or_null(value["lines"], where, _text),
        _hashes(value["path"], where),
        _or_null(value["preimage"], where, _hex),
    )


def _keys(value: Any, where: str, names: Sequence[str]) -> None:
    if not isinstance(value, dict) or set(value) != set(names):
        raise Malformed(f"{where}: keys are to be {', '.join(names)}")


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise Malformed(f"{where}: a text is missing")
    return value


def _integer(value: Any, where: str) -> int:
    if type(value) is not int:
        raise Malformed(f"{where}: an integer is missing")
    return value


def _hex_text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not HEX64.fullmatch(value):
        raise Malformed(f"{where}: 64 lowercase hex digits are missing")
    return value


def _hex(value: Any, where: str) -> bytes:
    return bytes.fromhex(_hex_text(value, where))


def _base64(value: Any, where: str) -> bytes:
    try:
        return base64_bytes(_text(value, where))
    except Malformed as error:
        raise Malformed(f"{where}: {error}") from None


def _check_id(value: Any, where: str) -> str:
    text = _text(value, where)
    if not CHECK_ID.fullmatch(text):
        raise Malformed(f"{where}: this is no check")
    return text


def _hashes(value: Any, where: str) -> Tuple[bytes, ...]:
    return _list(value, where, 64, _hex)


def _list(value: Any, where: str, most: int, read: Callable[[Any, str], T]) -> Tuple[T, ...]:
    if not isinstance(value, list) or len(value) > most:
        raise Malformed(f"{where}: a list of at most {most} is missing")
    return tuple(read(item, where) for item in value)


def _or_null(value: Any, where: str, read: Callable[[Any, str], T]) -> Optional[T]:
    return None if value is None else read(value, where)
