"""Hashes, tags, and integers as bytes (section 2)."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from hashlib import sha256
from hmac import new as hmac_new

from .errors import Malformed

ZERO = "0" * 64
"""Z: "none" for a hash."""

HEX64 = re.compile(r"[0-9a-f]{64}")


def H(data: bytes) -> bytes:
    """SHA-256."""
    return sha256(data).digest()


def hash_text(text: str) -> str:
    """The hash of a statement or other text, as hex."""
    return sha256(text.encode("utf-8")).hexdigest()


def mac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256."""
    return hmac_new(key, message, sha256).digest()


def tag(text: str) -> bytes:
    """T("x"): the ASCII bytes of x and one zero byte."""
    return text.encode("ascii") + b"\x00"


def u32(value: int) -> bytes:
    return value.to_bytes(4, "big")


def u64(value: int) -> bytes:
    return value.to_bytes(8, "big")


def base64_bytes(text: str) -> bytes:
    """The bytes of standard base64 with padding; raises Malformed for any other form."""
    try:
        data = b64decode(text.encode("ascii"), validate=True)
    except (Base64Error, ValueError):
        raise Malformed("this is not base64") from None
    if b64encode(data).decode("ascii") != text:
        raise Malformed("this base64 is not canonical")
    return data
