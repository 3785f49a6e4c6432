"""Ed25519 (RFC 8032) in plain Python: cofactorless, R compared as bytes, canonical keys outside the small subgroup.

It only verifies public data, so nothing runs in constant time.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha512
from typing import List, Optional, Tuple

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_MINUS_ONE = pow(2, (P - 1) // 4, P)
WINDOW = 4

Point = Tuple[int, int, int, int]
"""Extended coordinates X, Y, Z, T with x = X/Z, y = Y/Z, x·y = T/Z."""

NEUTRAL: Point = (0, 1, 1, 0)


@lru_cache(maxsize=4096)
def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a 64-byte signature over a message is valid for a 32-byte public key."""
    if len(signature) != 64:
        return False
    negated = _negated_table(key)
    if negated is None:
        return False
    s = int.from_bytes(signature[32:], "little")
    if s >= ORDER:
        return False
    k = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return _encode(_combine(s, _base_table(), k, negated)) == signature[:32]


def is_public_key(key: bytes) -> bool:
    """Whether these bytes are the canonical encoding of a point outside the small subgroup."""
    return _negated_table(key) is not None


def _decode(data: bytes) -> Optional[Point]:
    if len(data) != 32:
        return None
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * SQRT_MINUS_ONE % P
        if v * x * x % P != u:
            return None
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def _encode(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _add(first: Point, second: Point) -> Point:
    x1, y1, z1, t1 = first
    x2, y2, z2, t2 = second
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = 2 * t1 * t2 * D % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _double(point: Point) -> Point:
    x, y, z, _ = point
    a, b, c = x * x % P, y * y % P, 2 * z * z % P
    h = a + b
    e = h - (x + y) * (x + y) % P
    g = a - b
    f = c + g
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _table(point: Point) -> List[Point]:
    table = [NEUTRAL, point]
    for _ in range(2**WINDOW - 2):
        table.append(_add(table[-1], point))
    return table


@lru_cache(maxsize=1)
def _base_table() -> List[Point]:
    base = _decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    if base is None:
        raise ArithmeticError("the base point lies on the curve")
    return _table(base)


@lru_cache(maxsize=256)
def _negated_table(key: bytes) -> Optional[List[Point]]:
    point = _decode(key)
    if point is None:
        return None
    eight = _double(_double(_double(point)))
    if eight[0] == 0 and eight[1] == eight[2]:
        return None
    x, y, z, t = point
    return _table((-x % P, y, z, -t % P))


def _combine(first: int, first_table: List[Point], second: int, second_table: List[Point]) -> Point:
    result = NEUTRAL
    for shift in range(252, -1, -WINDOW):
        for _ in range(WINDOW):
            result = _double(result)
        result = _add(result, first_table[first >> shift & 15])
        result = _add(result, second_table[second >> shift & 15])
    return result
