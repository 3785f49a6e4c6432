"""From the seed and the beacon to the balls (fairness section 8)."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import Iterable, Iterator, List, Optional, Tuple

KEY_TAG = b"fairball/key/v1\x00"
STREAM_TAG = b"fairball/stream/v1\x00"
SEED_TAG = b"fairball/seed/v1\x00"
OWNER_TAG = b"fairball/owner/v1\x00"


@dataclass(frozen=True)
class Step:
    """One byte of the stream: with how many numbers left, against which limit, and the ball it gave, or None."""

    byte: int
    remaining: int
    limit: int
    ball: Optional[int]


def mac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 (fairness section 2)."""
    return hmac.new(key, message, sha256).digest()


def seed_hash(seed: bytes) -> bytes:
    """What is published of the seed before the first sale (fairness section 5)."""
    return sha256(SEED_TAG + seed).digest()


def owner_tag(secret: bytes, open_hash: bytes, entry_id: bytes, username: str) -> bytes:
    """What binds an entry to its player (fairness section 6)."""
    return mac(secret, OWNER_TAG + open_hash + entry_id + username.encode("ascii"))


def draw_key(seed: bytes, open_hash: bytes, close_hash: bytes, round_number: int, randomness: bytes) -> bytes:
    """The key of a draw's stream (fairness section 8)."""
    return mac(seed, KEY_TAG + open_hash + close_hash + round_number.to_bytes(8, "big") + randomness)


def stream(key: bytes) -> Iterator[int]:
    """The bytes of a draw's stream, without end (fairness section 8)."""
    for block in range(2**32):
        yield from mac(key, STREAM_TAG + block.to_bytes(4, "big"))


def sample(source: Iterable[int], pick: int, pool: int) -> Tuple[List[int], List[Step]]:
    """Draws `pick` balls of `pool` from bytes, each number equally likely (fairness section 8).

    Returns the balls in the order drawn, and one step for every byte read. Raises ValueError where the source ends
    too early, which the stream of a draw does not.
    """
    left = list(range(1, pool + 1))
    balls: List[int] = []
    steps: List[Step] = []
    if pick == 0:
        return balls, steps
    for byte in source:
        remaining = len(left)
        limit = 256 - 256 % remaining
        if byte >= limit:
            steps.append(Step(byte, remaining, limit, None))
            continue
        ball = left.pop(byte % remaining)
        balls.append(ball)
        steps.append(Step(byte, remaining, limit, ball))
        if len(balls) == pick:
            return balls, steps
    raise ValueError("the bytes ended before the last ball")


def mask_of(numbers: Iterable[int]) -> int:
    """The numbers as bits: 2^(k-1) for each number k (fairness section 6)."""
    mask = 0
    for number in numbers:
        mask |= 1 << (number - 1)
    return mask
