"""Checking of Ed25519 signatures by RFC 8032, in its strictest reading.

Strict means: points and scalars have one encoding only (y below p, no minus zero, S below the group's order), keys of
small order are no keys, and the equation is the one without cofactor, compared byte for byte with R. A signature that
passes here passes in every other reading of RFC 8032; the lenient reading known as ZIP 215 takes more.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha512
from typing import List, Optional, Tuple

P = 2**255 - 19
"""The prime of the field."""
ORDER = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point."""

D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_ONE = pow(2, (P - 1) // 4, P)

Point = Tuple[int, int, int, int]
"""Extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, x·y = T/Z."""
Table = List[List[Point]]

NEUTRAL: Point = (0, 1, 1, 0)


def add(a: Point, b: Point) -> Point:
    """The sum of two points (RFC 8032 section 5.1.4); complete, so it doubles as well."""
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    m = (y1 - x1) * (y2 - x2) % P
    n = (y1 + x1) * (y2 + x2) % P
    c = 2 * t1 * t2 * D % P
    d = 2 * z1 * z2 % P
    e, f, g, h = n - m, d - c, d + c, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def encode(point: Point) -> bytes:
    """The 32 bytes of a point: y, with the lowest bit of x on top (RFC 8032 section 5.1.2)."""
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    return ((y * inverse % P) | ((x * inverse % P & 1) << 255)).to_bytes(32, "little")


def decode(data: bytes) -> Optional[Point]:
    """The point of 32 bytes, or None where they are not the canonical encoding of one (RFC 8032 section 5.1.3)."""
    if len(data) != 32:
        return None
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P == P - u:
        x = x * SQRT_MINUS_ONE % P
    if v * x * x % P != u:
        return None
    if x == 0 and sign == 1:
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def table(point: Point) -> Table:
    """For each hexadecimal digit of a scalar, from the lowest, the sixteen multiples it can stand for."""
    rows: Table = []
    for _ in range(64):
        row = [NEUTRAL]
        for _ in range(15):
            row.append(add(row[-1], point))
        rows.append(row)
        point = add(row[15], point)
    return rows


def multiply(rows: Table, scalar: int) -> Point:
    """The multiple of a table's point by a scalar from 0 up to 2^256."""
    total = NEUTRAL
    for row in rows:
        digit = scalar & 15
        if digit:
            total = add(total, row[digit])
        scalar >>= 4
    return total


_BASE_Y = 4 * pow(5, P - 2, P) % P
_BASE = decode(_BASE_Y.to_bytes(32, "little"))
assert _BASE is not None, "the base point is a point"
BASE_TABLE = table(_BASE)


@lru_cache(maxsize=64)
def _negated_key(public_key: bytes) -> Optional[Table]:
    """The table of minus the key's point, or None where these bytes are no usable key."""
    point = decode(public_key)
    if point is None:
        return None
    eightfold = point
    for _ in range(3):
        eightfold = add(eightfold, eightfold)
    if encode(eightfold) == encode(NEUTRAL):
        return None
    x, y, z, t = point
    return table((P - x, y, z, P - t))


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of 64 bytes is one over the message by this key (RFC 8032 section 5.1.7). Never raises."""
    if len(signature) != 64:
        return False
    rows = _negated_key(bytes(public_key))
    s = int.from_bytes(signature[32:], "little")
    if rows is None or s >= ORDER:
        return False
    k = int.from_bytes(sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    return encode(add(multiply(BASE_TABLE, s), multiply(rows, k))) == signature[:32]
