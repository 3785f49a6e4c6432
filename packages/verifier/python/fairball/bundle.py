"""Reading a bundle: everything about one draw in one file. What is in it is believed of nobody."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from .notes import canonical_base64

FORMAT = "fairball/bundle/v1"
MAX_JSON_DIGITS = 20


class BundleError(ValueError):
    """A file that is not a bundle. Its message is for people."""


@dataclass(frozen=True)
class Beacon:
    """What the beacon is said to have answered; nothing about it is known yet."""

    round: int
    signature: str


@dataclass(frozen=True)
class Sight:
    """A statement the owner of the record saw, by hash, and when first, in epoch seconds."""

    hash: str
    seen_at: int


@dataclass(frozen=True)
class PathEntry:
    """The place of one entry in the sealed tree, as the operator gave it."""

    id: str
    index: int
    size: int
    path: Tuple[str, ...]


@dataclass(frozen=True)
class OwnReceipt:
    """A receipt, with the close and the paths the operator gave for it."""

    receipt: str
    close: Optional[str]
    entries: Tuple[PathEntry, ...]


@dataclass(frozen=True)
class OwnRecord:
    """What a player kept: the operator's key, the own username, what was seen when, and receipts."""

    key: Optional[str]
    username: Optional[str]
    sights: Tuple[Sight, ...]
    receipts: Tuple[OwnReceipt, ...]


@dataclass(frozen=True)
class Bundle:
    """A draw with everything needed to verify it without the operator."""

    game: str
    draw: int
    log: Tuple[str, ...]
    rules: Optional[str]
    witnesses: Tuple[str, ...]
    beacon: Optional[Beacon]
    entries: Optional[bytes]
    own: Optional[OwnRecord]


def parse_bundle(text: str) -> Bundle:
    """Reads the text of a bundle. Raises BundleError, and nothing else, on any text that is not one."""
    try:
        top = json.loads(
            text,
            parse_int=_integer,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
            object_pairs_hook=_object,
        )
    except BundleError:
        raise
    except RecursionError:
        raise BundleError("the file is nested too deeply") from None
    except ValueError as error:
        raise BundleError(f"the file is not JSON ({error})") from None
    if not isinstance(top, dict) or top.get("format") != FORMAT:
        raise BundleError(f"the file is not of the format {FORMAT}")
    return Bundle(
        game=_text(top, "game"),
        draw=_count(top, "draw"),
        log=tuple(_texts(top, "log")),
        rules=_optional_text(top, "rules"),
        witnesses=tuple(_texts(top, "witnesses")),
        beacon=_beacon(top.get("beacon")),
        entries=_entries(top.get("entries")),
        own=_own(top.get("own")),
    )


def _integer(digits: str) -> int:
    if len(digits) > MAX_JSON_DIGITS:
        raise BundleError("the file has a number with too many digits")
    return int(digits)


def _refuse_number(text: str) -> Any:
    raise BundleError(f"the file has a number that is not an integer: {text[:40]}")


def _object(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BundleError("the file names a field twice")
    return found


def _text(source: Dict[str, Any], key: str) -> str:
    value = source.get(key)
    if not isinstance(value, str):
        raise BundleError(f"'{key}' is not a text")
    return value


def _optional_text(source: Dict[str, Any], key: str) -> Optional[str]:
    return None if source.get(key) is None else _text(source, key)


def _count(source: Dict[str, Any], key: str) -> int:
    """A whole number from 0, written as a JSON number or as a canonical decimal in a text."""
    value = source.get(key)
    if isinstance(value, str) and re.fullmatch(r"0|[1-9][0-9]{0,19}", value):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BundleError(f"'{key}' is not a whole number")
    return value


def _list(source: Dict[str, Any], key: str) -> List[Any]:
    value = source.get(key)
    if not isinstance(value, list):
        raise BundleError(f"'{key}' is not a list")
    return value


def _texts(source: Dict[str, Any], key: str) -> List[str]:
    values = _list(source, key)
    if not all(isinstance(value, str) for value in values):
        raise BundleError(f"'{key}' holds something that is not a text")
    return values


def _beacon(value: Any) -> Optional[Beacon]:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BundleError("'beacon' is neither an object nor null")
    return Beacon(_count(value, "round"), _text(value, "signature"))


def _entries(value: Any) -> Optional[bytes]:
    if value is None:
        return None
    data = canonical_base64(value) if isinstance(value, str) else None
    if data is None:
        raise BundleError("'entries' is neither base64 nor null")
    return data


def _own(value: Any) -> Optional[OwnRecord]:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BundleError("'own' is neither an object nor null")
    sights = _list(value, "sights")
    receipts = _list(value, "receipts")
    if not all(isinstance(item, dict) for item in sights + receipts):
        raise BundleError("'own' holds a sight or a receipt that is not an object")
    return OwnRecord(
        key=_optional_text(value, "key"),
        username=_optional_text(value, "username"),
        sights=tuple(Sight(_text(sight, "hash"), _count(sight, "seen_at")) for sight in sights),
        receipts=tuple(_receipt(receipt) for receipt in receipts),
    )


def _receipt(value: Dict[str, Any]) -> OwnReceipt:
    entries = _list(value, "entries")
    if not all(isinstance(item, dict) for item in entries):
        raise BundleError("a receipt has an entry that is not an object")
    return OwnReceipt(
        receipt=_text(value, "receipt"),
        close=_optional_text(value, "close"),
        entries=tuple(
            PathEntry(_text(item, "id"), _count(item, "index"), _count(item, "size"), tuple(_texts(item, "path")))
            for item in entries
        ),
    )
