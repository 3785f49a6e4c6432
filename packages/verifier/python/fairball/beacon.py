"""The public random numbers of draws: chains, rounds, signatures (section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from . import bls
from .hashing import H, u32, u64
from .statements import Statement

SCHEME = "bls-unchained-g1-rfc9380"
TAG = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


@dataclass(frozen=True)
class Chain:
    """A beacon: its hash, the key of its signers, seconds between rounds and the time of round 1."""

    hash: str
    public_key: bytes
    period: int
    genesis: int

    def due(self, beacon_round: int) -> int:
        """The time at which a round is published."""
        return self.genesis + (beacon_round - 1) * self.period

    def round_for(self, start: int) -> int:
        """The round of a draw with this start: R = ceil((start − genesis) / period) + 1."""
        return -((self.genesis - start) // self.period) + 1


QUICKNET = Chain(
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    bytes.fromhex(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921c"
        "c22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    3,
    1692803367,
)
"""The compiled-in public beacon of drand."""


def chain_hash(period: int, genesis: int, public_key: bytes, group_hash: bytes, beacon_id: str) -> str:
    data = u32(period) + u64(genesis) + public_key + group_hash + beacon_id.encode("ascii")
    return H(data).hex()


def chain_of(statement: Statement) -> "Chain | None":
    """The beacon that a `chain` statement describes; None if its hash does not match, or it is not usable."""
    period, genesis = statement.number("period"), statement.number("genesis")
    public_key = bytes.fromhex(statement["public_key"])
    if not 1 <= period < 2**32 or statement["scheme"] != SCHEME or bls.g2_of(public_key) is None:
        return None
    group_hash = bytes.fromhex(statement["group_hash"])
    if chain_hash(period, genesis, public_key, group_hash, statement["beacon_id"]) != statement["chain"]:
        return None
    return Chain(statement["chain"], public_key, period, genesis)


@lru_cache(maxsize=1024)
def is_signature(chain: Chain, beacon_round: int, signature: bytes) -> bool:
    """Whether these bytes are the beacon's signature for a round."""
    if beacon_round >= 2**64:
        return False
    return bls.verify(chain.public_key, H(u64(beacon_round)), signature, TAG)
