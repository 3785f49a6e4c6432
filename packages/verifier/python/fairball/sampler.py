"""Numbers from the seed and the beacon (section 8)."""

from __future__ import annotations

from typing import Iterator, List, Sequence

from .hashing import H, mac, tag, u32, u64


def draw_key(seed: bytes, open_hash: bytes, close_hash: bytes, beacon_round: int, signature: bytes) -> bytes:
    return mac(seed, tag("fairball/key/v2") + open_hash + close_hash + u64(beacon_round) + H(signature))


def draw_numbers(key: bytes, pick: int, pool: int) -> List[int]:
    """`pick` numbers from 1 to `pool` in the order drawn; all are equally likely."""
    stream = _stream(key)
    left = list(range(1, pool + 1))
    numbers = []
    for _ in range(pick):
        count = len(left)
        limit = 256 - 256 % count
        byte = next(stream)
        while byte >= limit:
            byte = next(stream)
        numbers.append(left.pop(byte % count))
    return numbers


def _stream(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from mac(key, tag("fairball/stream/v2") + u32(block))
        block += 1


def mask_of(numbers: Sequence[int]) -> int:
    """The mask of a line: 2^(k − 1) for each number k."""
    mask = 0
    for number in numbers:
        mask |= 1 << number - 1
    return mask
