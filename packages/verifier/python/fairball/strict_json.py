"""Strict JSON (section 12): texts that readers could interpret differently are refused."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Tuple

from .errors import Malformed

MAX_CHARACTERS = 2**28
MAX_DEPTH = 16
MAX_INTEGER = 2**53 - 1

STRUCTURE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]|[\]}]', re.DOTALL)
INTEGER = re.compile(r"0|[1-9][0-9]{0,15}")


def read_json(data: bytes) -> Any:
    """The value of a UTF-8 JSON text. Raises Malformed."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise Malformed("text: the file begins with a byte order mark")
    if len(data) > 4 * MAX_CHARACTERS:
        raise Malformed("text: the file is too long")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed("text: the file is not UTF-8") from None
    if len(text) > MAX_CHARACTERS:
        raise Malformed("text: the file is too long")
    _limit_depth(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
        )
    except Malformed:
        raise
    except (ValueError, RecursionError):
        raise Malformed("value: the file is not JSON") from None
    _refuse_surrogates(value)
    return value


def _limit_depth(text: str) -> None:
    """Counts brackets outside strings, before the parser follows the nesting of a hostile file."""
    depth = 0
    for part in STRUCTURE.finditer(text):
        first = text[part.start()]
        if first in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise Malformed("value: the file is nested deeper than 16")
        elif first in "]}":
            depth -= 1


def _object(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Malformed(f"key twice: {_short(key)} stands twice in one object")
        found[key] = value
    return found


def _integer(text: str) -> int:
    if not INTEGER.fullmatch(text) or int(text) > MAX_INTEGER:
        raise Malformed(f"value: {text[:20]} is no integer of 0 to 2^53 - 1")
    return int(text)


def _refuse_number(text: str) -> int:
    raise Malformed(f"value: {text[:20]} is no plain integer")


def _refuse_surrogates(value: Any) -> None:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if not item.isascii() and any("\ud800" <= character <= "\udfff" for character in item):
                raise Malformed("value: a string holds half a character")
        elif isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend(item.keys())
            waiting.extend(item.values())


def _short(text: str) -> str:
    return ascii(text[:40])
