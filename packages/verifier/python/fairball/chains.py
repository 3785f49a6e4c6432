"""Beacon chains: which rounds are due when, and which chain is the public one (fairness section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Optional, Tuple

from .log import Log
from .statements import CHAIN, SCHEME, Statement

DAY = 86_400


@dataclass(frozen=True)
class Chain:
    """A chain of beacon rounds; `public` only for drand's quicknet, which is compiled in."""

    hash: str
    period: int
    genesis: int
    public: bool

    def due(self, round_number: int) -> int:
        """When a round is due, in epoch seconds."""
        return self.genesis + (round_number - 1) * self.period

    def round_at(self, start: int) -> int:
        """The first round due at or after a time."""
        return -((self.genesis - start) // self.period) + 1


QUICKNET_KEY = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
QUICKNET_GROUP_HASH = "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"
QUICKNET = Chain("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", 3, 1692803367, True)


def chain_hash(period: int, genesis: int, public_key: str, group_hash: str, beacon_id: str) -> str:
    """The hash that names a chain and fixes its key and its times."""
    return sha256(
        period.to_bytes(4, "big")
        + genesis.to_bytes(8, "big")
        + bytes.fromhex(public_key)
        + bytes.fromhex(group_hash)
        + beacon_id.encode("ascii")
    ).hexdigest()


def chain_of(log: Log, draw: Statement) -> Tuple[Optional[Chain], Optional[str]]:
    """The chain an open statement names, or what is wrong with it; neither, where the log does not state it.

    It is known where the log states it before that statement, or where it is quicknet. The hash is computed anew, so
    a chain statement cannot lend a known name to another key.
    """
    stated = [
        logged.statement
        for logged in log.of_type(CHAIN)
        if logged.statement["hash"] == draw["chain"] and logged.seq < draw["seq"]
    ]
    for chain in stated:
        computed = chain_hash(
            chain["period"], chain["genesis"], chain["public_key"], chain["group_hash"], chain["beacon_id"]
        )
        if computed != chain["hash"]:
            return None, f"the chain statement of seq {chain['seq']} does not have the hash it names"
        if chain["scheme"] != SCHEME:
            return None, f"the chain statement of seq {chain['seq']} names another scheme than {SCHEME}"
    if draw["chain"] == QUICKNET.hash:
        return QUICKNET, None
    if not stated:
        return None, None
    return Chain(draw["chain"], stated[0]["period"], stated[0]["genesis"], False), None
