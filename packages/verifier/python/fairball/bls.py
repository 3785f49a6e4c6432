"""BLS signatures on BLS12-381 in plain Python: 48 bytes in G1, keys of 96 bytes in G2 (section 5; RFC 9380).

An element of Fp2 is a pair (a, b) = a + b·u with u² = −1; one of Fp12 a tuple of six such pairs, the coefficients of
w⁰ … w⁵ with w⁶ = 1 + u. Both points of G2 in a check are constants, so their lines are computed once and cached.
Nothing here is secret, so nothing needs to run in constant time.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import List, Optional, Sequence, Tuple

from . import isogeny

P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
X = 0xD201000000010000
"""The curve's parameter is −X."""

G1_COFACTOR = X + 1
"""Multiplies a point of the curve into G1 (RFC 9380, 8.8.1: h_eff)."""

SSWU_A = 0x144698A3B8E9433D693A02C96D4982B0EA985383EE66A8D8E8981AEFD881AC98936F8DA0E0F97F5CF428082D584C1D
SSWU_B = 0x12E2908D11688030018B12E8753EEE3B2016C1F0F24F4070A0B9C14FCEF35EF55A23215A316CEAA5D1CC48E98E172BE0
SSWU_Z = 11

HALF = (P - 1) // 2
SQUARE_ROOT = (P + 1) // 4

Fp2 = Tuple[int, int]
Fp12 = Tuple[Fp2, Fp2, Fp2, Fp2, Fp2, Fp2]
G1 = Tuple[int, int]
G2 = Tuple[Fp2, Fp2]
Jacobian = Tuple[int, int, int]

G2_GENERATOR: G2 = (
    (
        0x024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8,
        0x13E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E,
    ),
    (
        0x0CE5D527727D6E118CC9CDC6DA2E351AADFD9BAA8CBDD3A76D429A695160D12C923AC9CC3BACA289E193548608B82801,
        0x0606C4A02EA734CC32ACD2B02BC28B99CB3E287E85A763AF267492AB572E99AB3F370D275CEC1DA1AAA9075FF05F79BE,
    ),
)

ONE: Fp12 = ((1, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0))


def verify(public_key: bytes, message: bytes, signature: bytes, tag: bytes) -> bool:
    """Whether e(signature, G2) = e(hash_to_G1(message), public key); false for any encoding that is not canonical."""
    key = g2_of(public_key)
    point = g1_of(signature)
    if key is None or point is None:
        return False
    hashed = hash_to_g1(message, tag)
    if hashed is None:
        return False
    (x0, x1), (y0, y1) = G2_GENERATOR
    negated = ((x0, x1), (-y0 % P, -y1 % P))
    return _final_exponent_is_one(_miller([(point, _lines(negated)), (hashed, _lines(key))]))


# Points


def g1_of(data: bytes) -> Optional[G1]:
    """The point of 48 canonical bytes in the subgroup of order R, other than infinity; None for any others."""
    if len(data) != 48 or not data[0] & 0x80 or data[0] & 0x40:
        return None
    x = int.from_bytes(bytes([data[0] & 0x1F]) + data[1:], "big")
    if x >= P:
        return None
    square = (x * x * x + 4) % P
    y = pow(square, SQUARE_ROOT, P)
    if y * y % P != square:
        return None
    if (y > HALF) != bool(data[0] & 0x20):
        y = P - y
    return (x, y) if _times((x, y, 1), R)[2] == 0 else None


@lru_cache(maxsize=64)
def g2_of(data: bytes) -> Optional[G2]:
    """The point of 96 canonical bytes in the subgroup of order R, other than infinity; None for any others."""
    if len(data) != 96 or not data[0] & 0x80 or data[0] & 0x40:
        return None
    x1 = int.from_bytes(bytes([data[0] & 0x1F]) + data[1:48], "big")
    x0 = int.from_bytes(data[48:], "big")
    if x0 >= P or x1 >= P:
        return None
    x = (x0, x1)
    cube = _mul2(_mul2(x, x), x)
    y = _sqrt2(((cube[0] + 4) % P, (cube[1] + 4) % P))
    if y is None:
        return None
    larger = y[1] > HALF or (y[1] == 0 and y[0] > HALF)
    if larger != bool(data[0] & 0x20):
        y = (-y[0] % P, -y[1] % P)
    return (x, y) if _in_g2((x, y)) else None


def _times(point: Jacobian, factor: int) -> Jacobian:
    result = (1, 1, 0)
    for bit in bin(factor)[2:]:
        result = _double(result)
        if bit == "1":
            result = _add(result, point)
    return result


def _double(point: Jacobian) -> Jacobian:
    x, y, z = point
    if z == 0 or y == 0:
        return (1, 1, 0)
    yy = y * y % P
    s = 4 * x * yy % P
    m = 3 * x * x % P
    x3 = (m * m - 2 * s) % P
    return (x3, (m * (s - x3) - 8 * yy * yy) % P, 2 * y * z % P)


def _add(first: Jacobian, second: Jacobian) -> Jacobian:
    x1, y1, z1 = first
    x2, y2, z2 = second
    if z1 == 0:
        return second
    if z2 == 0:
        return first
    z1z1, z2z2 = z1 * z1 % P, z2 * z2 % P
    u1, u2 = x1 * z2z2 % P, x2 * z1z1 % P
    s1, s2 = y1 * z2 * z2z2 % P, y2 * z1 * z1z1 % P
    if u1 == u2:
        return _double(first) if s1 == s2 else (1, 1, 0)
    h, r = (u2 - u1) % P, (s2 - s1) % P
    hh = h * h % P
    hhh = h * hh % P
    v = u1 * hh % P
    x3 = (r * r - hhh - 2 * v) % P
    return (x3, (r * (v - x3) - s1 * hhh) % P, h * z1 * z2 % P)


def _affine(point: Jacobian) -> Optional[G1]:
    x, y, z = point
    if z == 0:
        return None
    inverse = pow(z, -1, P)
    square = inverse * inverse % P
    return (x * square % P, y * square * inverse % P)


def _in_g2(point: G2) -> bool:
    """Whether R times the point is infinity. Affine steps; only keys come here, once each."""
    result: Optional[G2] = None
    for bit in bin(R)[2:]:
        result = _add_g2(result, result)
        if bit == "1":
            result = _add_g2(result, point)
    return result is None


def _add_g2(first: Optional[G2], second: Optional[G2]) -> Optional[G2]:
    if first is None:
        return second
    if second is None:
        return first
    slope = _slope(first, second)
    return None if slope is None else _third(first, second, slope)


def _slope(first: G2, second: G2) -> Optional[Fp2]:
    (x1, y1), (x2, y2) = first, second
    if x1 == x2:
        if y1 != y2 or y1 == (0, 0):
            return None
        square = _mul2(x1, x1)
        return _mul2((3 * square[0], 3 * square[1]), _inverse2((2 * y1[0] % P, 2 * y1[1] % P)))
    return _mul2((y2[0] - y1[0], y2[1] - y1[1]), _inverse2(((x2[0] - x1[0]) % P, (x2[1] - x1[1]) % P)))


def _third(first: G2, second: G2, slope: Fp2) -> G2:
    (x1, y1), (x2, _) = first, second
    square = _mul2(slope, slope)
    x3 = ((square[0] - x1[0] - x2[0]) % P, (square[1] - x1[1] - x2[1]) % P)
    rise = _mul2(slope, (x1[0] - x3[0], x1[1] - x3[1]))
    return (x3, ((rise[0] - y1[0]) % P, (rise[1] - y1[1]) % P))


# Hashing to G1 (RFC 9380: expand_message_xmd with SHA-256, simplified SWU, the 11-isogeny)


def hash_to_g1(message: bytes, tag: bytes) -> Optional[G1]:
    """The point of G1 that a message hashes to under a domain separation tag of at most 255 bytes."""
    uniform = expand_message(message, tag, 128)
    points = []
    for start in (0, 64):
        x, y = _map_to_curve(int.from_bytes(uniform[start : start + 64], "big") % P)
        points.append((x, y, 1))
    return _affine(_times(_add(points[0], points[1]), G1_COFACTOR))


def expand_message(message: bytes, tag: bytes, length: int) -> bytes:
    """RFC 9380, 5.3.1, with SHA-256."""
    prime = tag + bytes([len(tag)])
    first = sha256(bytes(64) + message + length.to_bytes(2, "big") + b"\x00" + prime).digest()
    block = sha256(first + b"\x01" + prime).digest()
    out = block
    for number in range(2, (length + 31) // 32 + 1):
        block = sha256(bytes(a ^ b for a, b in zip(first, block)) + bytes([number]) + prime).digest()
        out += block
    return out[:length]


def _map_to_curve(u: int) -> G1:
    """Simplified SWU onto E' (RFC 9380, 6.6.2), then the isogeny to the curve."""
    zu = SSWU_Z * u * u % P
    denominator = (zu * zu + zu) % P
    if denominator == 0:
        x = SSWU_B * pow(SSWU_Z * SSWU_A, -1, P) % P
    else:
        x = -SSWU_B * pow(SSWU_A, -1, P) * (1 + pow(denominator, -1, P)) % P
    square = (x * x * x + SSWU_A * x + SSWU_B) % P
    y = pow(square, SQUARE_ROOT, P)
    if y * y % P != square:
        x = zu * x % P
        square = (x * x * x + SSWU_A * x + SSWU_B) % P
        y = pow(square, SQUARE_ROOT, P)
    if y & 1 != u & 1:
        y = -y % P
    x_bottom = pow(_horner(isogeny.X_DENOMINATOR, x), -1, P)
    y_bottom = pow(_horner(isogeny.Y_DENOMINATOR, x), -1, P)
    return (_horner(isogeny.X_NUMERATOR, x) * x_bottom % P, y * _horner(isogeny.Y_NUMERATOR, x) * y_bottom % P)


def _horner(coefficients: Sequence[int], x: int) -> int:
    value = 0
    for coefficient in reversed(coefficients):
        value = (value * x + coefficient) % P
    return value


# The pairing


@lru_cache(maxsize=64)
def _lines(point: G2) -> Tuple[Tuple[Fp2, Fp2], ...]:
    """The lines of the Miller loop over a point of the twist: slope λ and λ·x − y, in the order they are used."""
    lines: List[Tuple[Fp2, Fp2]] = []
    current = point
    for bit in bin(X)[3:]:
        current = _line(lines, current, current)
        if bit == "1":
            current = _line(lines, current, point)
    return tuple(lines)


def _line(lines: List[Tuple[Fp2, Fp2]], current: G2, other: G2) -> G2:
    """Adds the line through two points of the subgroup to the list and returns their sum."""
    slope = _slope(current, other)
    if slope is None:
        raise ArithmeticError("the sum of two points of the Miller loop is never infinity")
    rise = _mul2(slope, current[0])
    lines.append((slope, _sub2(rise, current[1])))
    return _third(current, other, slope)


def _miller(pairs: Sequence[Tuple[G1, Tuple[Tuple[Fp2, Fp2], ...]]]) -> Fp12:
    """The product of the Miller loops of all pairs, up to factors that the final exponentiation takes away."""
    scaled = []
    for (x, y), lines in pairs:
        inverse = pow(y, -1, P)
        scaled.append((-x * inverse % P, inverse, lines))
    result = ONE
    position = 0
    for bit in bin(X)[3:]:
        result = _square12(result)
        for _ in range(2 if bit == "1" else 1):
            for x, y, lines in scaled:
                (s0, s1), (c0, c1) = lines[position]
                result = _times_line(result, (c0 * y % P, c1 * y % P), (s0 * x % P, s1 * x % P))
            position += 1
    return result


def _times_line(f: Fp12, c: Fp2, s: Fp2) -> Fp12:
    """f · (c + s·w² + w³)."""
    c0, c1 = c
    s0, s1 = s
    cc, ss = c0 + c1, s0 + s1
    out = []
    for k in range(6):
        a0, a1 = f[k]
        b0, b1 = f[k - 2]
        d0, d1 = f[k - 3]
        m0, m1 = b0 * s0, b1 * s1
        t0, t1 = m0 - m1, (b0 + b1) * ss - m0 - m1
        if k < 2:
            t0, t1 = t0 - t1, t0 + t1
        if k < 3:
            d0, d1 = d0 - d1, d0 + d1
        m0, m1 = a0 * c0, a1 * c1
        out.append(((m0 - m1 + t0 + d0) % P, ((a0 + a1) * cc - m0 - m1 + t1 + d1) % P))
    return (out[0], out[1], out[2], out[3], out[4], out[5])


def _mul12(f: Fp12, g: Fp12) -> Fp12:
    low = [[0, 0] for _ in range(11)]
    for i, (a0, a1) in enumerate(f):
        total = a0 + a1
        for j, (b0, b1) in enumerate(g):
            m0, m1 = a0 * b0, a1 * b1
            cell = low[i + j]
            cell[0] += m0 - m1
            cell[1] += total * (b0 + b1) - m0 - m1
    return _fold(low)


def _square12(f: Fp12) -> Fp12:
    low = [[0, 0] for _ in range(11)]
    for i, (a0, a1) in enumerate(f):
        cell = low[2 * i]
        cell[0] += (a0 + a1) * (a0 - a1)
        cell[1] += 2 * a0 * a1
        a0, a1 = 2 * a0, 2 * a1
        total = a0 + a1
        for j in range(i + 1, 6):
            b0, b1 = f[j]
            m0, m1 = a0 * b0, a1 * b1
            cell = low[i + j]
            cell[0] += m0 - m1
            cell[1] += total * (b0 + b1) - m0 - m1
    return _fold(low)


def _fold(low: List[List[int]]) -> Fp12:
    """Reduces a polynomial in w of degree 10 by w⁶ = 1 + u."""
    for k in range(5):
        h0, h1 = low[k + 6]
        low[k][0] += h0 - h1
        low[k][1] += h0 + h1
    out = [(a % P, b % P) for a, b in low[:6]]
    return (out[0], out[1], out[2], out[3], out[4], out[5])


def _final_exponent_is_one(f: Fp12) -> bool:
    """Whether f to the power (p¹² − 1)/r is one.

    The hard part is raised to three times its exponent, (x − 1)²(x + p)(x² + p² − 1) + 3 with x = −X; 3 does not divide
    r, so this is one exactly if the power itself is.
    """
    f = _mul12(_conjugate(f), _inverse12(f))
    f = _mul12(_frobenius(_frobenius(f)), f)
    t = _power(f, X + 1)
    t = _power(t, X + 1)
    t = _mul12(_frobenius(t), _conjugate(_power(t, X)))
    t = _mul12(_mul12(_power(_power(t, X), X), _frobenius(_frobenius(t))), _conjugate(t))
    return _mul12(t, _mul12(_square12(f), f)) == ONE


def _power(f: Fp12, exponent: int) -> Fp12:
    result = f
    for bit in bin(exponent)[3:]:
        result = _square12(result)
        if bit == "1":
            result = _mul12(result, f)
    return result


def _conjugate(f: Fp12) -> Fp12:
    """f to the power p⁶: w becomes −w."""
    a, b, c, d, e, g = f
    return (a, (-b[0] % P, -b[1] % P), c, (-d[0] % P, -d[1] % P), e, (-g[0] % P, -g[1] % P))


@lru_cache(maxsize=1)
def _frobenius_factors() -> Tuple[Fp2, ...]:
    base: Fp2 = (1, 0)
    factor: Fp2 = (1, 1)
    exponent = (P - 1) // 6
    while exponent:
        if exponent & 1:
            base = _mul2(base, factor)
        factor = _mul2(factor, factor)
        exponent >>= 1
    factors: List[Fp2] = [(1, 0)]
    for _ in range(5):
        factors.append(_mul2(factors[-1], base))
    return tuple(factors)


def _frobenius(f: Fp12) -> Fp12:
    """f to the power p."""
    out = [_mul2((a, -b), factor) for (a, b), factor in zip(f, _frobenius_factors())]
    return (out[0], out[1], out[2], out[3], out[4], out[5])


def _inverse12(f: Fp12) -> Fp12:
    """By the norm to Fp6, which has the even powers of w."""
    other = _conjugate(f)
    norm = _mul12(f, other)
    a, b, c = norm[0], norm[2], norm[4]
    t0 = _sub2(_mul2(a, a), _times_xi(_mul2(b, c)))
    t1 = _sub2(_times_xi(_mul2(c, c)), _mul2(a, b))
    t2 = _sub2(_mul2(b, b), _mul2(a, c))
    total = _mul2(a, t0)
    rest = _times_xi((_mul2(c, t1)[0] + _mul2(b, t2)[0], _mul2(c, t1)[1] + _mul2(b, t2)[1]))
    inverse = _inverse2(((total[0] + rest[0]) % P, (total[1] + rest[1]) % P))
    zero = (0, 0)
    return _mul12(other, (_mul2(t0, inverse), zero, _mul2(t1, inverse), zero, _mul2(t2, inverse), zero))


# Fp2


def _mul2(a: Fp2, b: Fp2) -> Fp2:
    return ((a[0] * b[0] - a[1] * b[1]) % P, (a[0] * b[1] + a[1] * b[0]) % P)


def _sub2(a: Fp2, b: Fp2) -> Fp2:
    return ((a[0] - b[0]) % P, (a[1] - b[1]) % P)


def _times_xi(a: Fp2) -> Fp2:
    return ((a[0] - a[1]) % P, (a[0] + a[1]) % P)


def _inverse2(a: Fp2) -> Fp2:
    inverse = pow(a[0] * a[0] + a[1] * a[1], -1, P)
    return (a[0] * inverse % P, -a[1] * inverse % P)


def _sqrt2(a: Fp2) -> Optional[Fp2]:
    """A square root, or None. By the norm: with n² = |a|², x² is (a0 + n)/2 or (a0 − n)/2."""
    a0, a1 = a
    norm = pow(a0 * a0 + a1 * a1, SQUARE_ROOT, P)
    half = (P + 1) // 2
    for n in (norm, -norm):
        square = (a0 + n) * half % P
        x = pow(square, SQUARE_ROOT, P)
        if x == 0:
            root = (0, pow(-a0 % P, SQUARE_ROOT, P))
        else:
            root = (x, a1 * half * pow(x, -1, P) % P)
        if _mul2(root, root) == (a0 % P, a1 % P):
            return root
    return None
