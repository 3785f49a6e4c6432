"""A small operator for the tests: it signs, logs, opens, sells, closes and draws as in section 14.

The seeds of keys are those of the worked example; nothing here is secret.
"""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256, sha512
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from fairball import bls, ed25519
from fairball.beacon import QUICKNET, SCHEME, TAG, Chain, chain_hash
from fairball.collect import Tree
from fairball.hashing import H, ZERO, hash_text, u32, u64
from fairball.money import FIRST, after_close, after_result, prizes, share_of
from fairball.notes import EM_DASH, LOG_KEY, WITNESS_KEY, key_id
from fairball.plays import SECTION, Count, LeafRules, read_leaf, read_section
from fairball.sampler import draw_key, draw_numbers, mask_of
from fairball.statements import read_statement, tiers_of
from fairball.tree import leaf_hash, root_of
from tests.support import INDEX, vector

ORIGIN = "lottery.example/fairball"
LOG_SEED = bytes(range(32))
NEXT_SEED = bytes(range(32, 64))
WITNESS_SEEDS = {f"w{number}.example/witness": bytes([0x60 + number]) * 32 for number in (1, 2, 3)}
RULES: str = vector("statements.json")["rules"]["text"]
POLICY: str = INDEX["policy_operator"]
NUMBERS = vector("numbers.json")


def public_key(seed: bytes) -> bytes:
    return ed25519._encode(_times_base(_scalar(seed)[0]))


def sign(seed: bytes, message: bytes) -> bytes:
    """An Ed25519 signature (RFC 8032)."""
    scalar, prefix = _scalar(seed)
    key = public_key(seed)
    nonce = int.from_bytes(sha512(prefix + message).digest(), "little") % ed25519.ORDER
    first = ed25519._encode(_times_base(nonce))
    challenge = int.from_bytes(sha512(first + key + message).digest(), "little")
    return first + ((nonce + challenge * scalar) % ed25519.ORDER).to_bytes(32, "little")


def _scalar(seed: bytes) -> Tuple[int, bytes]:
    digest = sha512(seed).digest()
    return int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254, digest[32:]


def _times_base(scalar: int) -> ed25519.Point:
    table = ed25519._base_table()
    return ed25519._combine(scalar % ed25519.ORDER, table, 0, table)


def note(text: str, signers: Sequence[Tuple[str, bytes, bytes]]) -> str:
    """A signed note. Each signer has a name, a key type, and the signature with any bytes before it."""
    lines = "".join(f"{EM_DASH} {name} {b64encode(head + data).decode()}\n" for name, head, data in signers)
    return f"{text}\n{lines}"


def signed(text: str, seed: bytes = LOG_SEED) -> str:
    """A paper or a checkpoint signed by the log's key."""
    return note(text, [(ORIGIN, key_id(ORIGIN, LOG_KEY, public_key(seed)), sign(seed, text.encode()))])


def cosigned(text: str, time: int, witnesses: Sequence[str] = ("w1.example/witness", "w2.example/witness")) -> str:
    """A checkpoint signed by the log and cosigned at a time."""
    signers = [(ORIGIN, key_id(ORIGIN, LOG_KEY, public_key(LOG_SEED)), sign(LOG_SEED, text.encode()))]
    for name in witnesses:
        seed = WITNESS_SEEDS[name]
        message = f"cosignature/v1\ntime {time}\n{text}".encode()
        signers.append((name, key_id(name, WITNESS_KEY, public_key(seed)), u64(time) + sign(seed, message)))
    return note(text, signers)


def play_leaf(open_hash: str, play_id: bytes, rate: int, free: int, lines: Sequence[Sequence[int]]) -> bytes:
    masks = b"".join(u64(mask_of(line)) for line in lines)
    counts = u32(rate) + free.to_bytes(2, "big") + len(lines).to_bytes(2, "big")
    return bytes.fromhex(open_hash) + b"\x01" + play_id + counts + masks + H(play_id)


def revocation_leaf(open_hash: str, play_id: bytes, index: int) -> bytes:
    return bytes.fromhex(open_hash) + b"\x02" + play_id + u64(index) + b"\x01" + H(b"transaction")


@dataclass(frozen=True)
class Beacon:
    """A beacon with the signatures of its rounds, and the `chain` statement's lines if it is private."""

    chain: Chain
    signature: Callable[[int], bytes]
    lines: str = ""


GENUINE = Beacon(QUICKNET, lambda _: bytes.fromhex(NUMBERS["signature"]))
"""Quicknet, with round 1000."""


def private_beacon(secret: int = 7) -> Beacon:
    """A beacon with one signer and quicknet's times."""
    x, y = point = _times_g2(secret)
    larger = y[1] > bls.HALF
    data = bytearray(x[1].to_bytes(48, "big") + x[0].to_bytes(48, "big"))
    data[0] |= 0xA0 if larger else 0x80
    key, group, period, genesis = bytes(data), H(b"group"), QUICKNET.period, QUICKNET.genesis
    name = chain_hash(period, genesis, key, group, "tests")
    lines = (
        f"name tests\nchain {name}\npublic_key {key.hex()}\nperiod {period}\ngenesis {genesis}\n"
        f"group_hash {group.hex()}\nbeacon_id tests\nscheme {SCHEME}\n"
    )
    assert bls.g2_of(key) == point
    return Beacon(Chain(name, key, period, genesis), lambda number: _bls_signature(secret, number), lines)


def _times_g2(factor: int) -> bls.G2:
    result = None
    for _ in range(factor):
        result = bls._add_g2(result, bls.G2_GENERATOR)
    assert result is not None
    return result


def _bls_signature(secret: int, number: int) -> bytes:
    x, y = bls.hash_to_g1(H(u64(number)), TAG)
    point = bls._affine(bls._times((x, y, 1), secret))
    data = bytearray(point[0].to_bytes(48, "big"))
    data[0] |= 0xA0 if point[1] > bls.HALF else 0x80
    return bytes(data)


@dataclass
class World:
    """A log with one game and one draw. `change` edits statements before they are logged."""

    change: Dict[str, Callable[[str], str]] = field(default_factory=dict)
    beacon: Beacon = GENUINE
    opening: str = ""
    log: List[str] = field(default_factory=list)
    leaves: List[bytes] = field(default_factory=list)
    round: int = 1000
    closes: List[str] = field(default_factory=list)
    seal: Dict[str, Any] = field(default_factory=dict)
    postpones: List[Dict[str, Any]] = field(default_factory=list)
    sections: bytes = b""
    first: int = 0

    def __post_init__(self) -> None:
        key, following = public_key(LOG_SEED), H(public_key(NEXT_SEED))
        self.say("log", 1692803400, f"key {key.hex()}\nnext {following.hex()}\nafter none\n")
        rules = hash_text(RULES)
        lines = f"game bitcoin-hero\nversion 1\nrules {rules}\nfrom 1692803430\nreason new\npot_to none\n"
        self.say("game", 1692803401, lines)
        if self.beacon.lines:
            self.say("chain", 1692803402, self.beacon.lines)
        self.first = len(self.log)
        self.opening = self.say(
            "open",
            1692803460,
            "game bitcoin-hero\nversion 1\ndraw 1\nclose 1692806062\nstart 1692806362\n"
            f"chain {self.beacon.chain.hash}\nround 1000\nseedhash {NUMBERS['seedhash']}\nrules {rules}\n"
            f"rate GBP 3300\nsources bitstamp.net,coinbase.com,kraken.com\nband 5\npolicy {hash_text(POLICY)}\n",
        )

    def say(self, kind: str, time: int, lines: str) -> str:
        """Logs a statement and returns its hash."""
        text = f"fairball/{kind}/v2\nlog {ORIGIN}\ntime {time}\n{lines}"
        self.log.append(self.change.get(kind, str)(text))
        return hash_text(self.log[-1])

    def checkpoint(self, size: int) -> str:
        root = root_of([leaf_hash(text.encode()) for text in self.log[:size]])
        return f"{ORIGIN}\n{size}\n{b64encode(root).decode()}\n"

    def sealed(self, time: int) -> Dict[str, Any]:
        """A seal of the current log, cosigned at a time; the proof to the head is added later."""
        tree = self.tree()
        return {
            "checkpoint": cosigned(self.checkpoint(len(self.log)), time),
            "start": self.first,
            "left": tree.left(self.first),
            "statements": self.log[self.first :],
            "consistency": [],
        }

    def tree(self) -> Tree:
        return Tree([leaf_hash(text.encode()) for text in self.log])

    def count(self) -> Count:
        keep = LeafRules(bytes.fromhex(self.opening), 5, 36, 1000)
        return Count([read_leaf(leaf, index, keep) for index, leaf in enumerate(self.leaves)], read_statement(RULES))

    def close(self, time: int = 1692806066) -> None:
        count, share = self.count(), share_of(self.count().stake, read_statement(RULES))
        revoked, digest = count.revoked_list()
        state = FIRST._replace(closed=1, used=count.free, carried=-count.carried)
        root = root_of([leaf_hash(leaf) for leaf in self.leaves])
        digest = self.say(
            "close",
            time,
            f"open {self.opening}\nround {self.round}\nsold {ZERO}\nsize {len(self.leaves)}\n"
            f"root {root.hex()}\nlines {count.lines}\nfree {count.free}\n"
            f"carried {count.carried}\nrevoked {revoked} {digest}\nseed {NUMBERS['seed']}\nstake {count.stake}\n"
            f"rate GBP 3398\nquotes bitstamp.net=3398@{time - 40},coinbase.com=3400@{time - 30}\n"
            f"added 0\npool {share}\nfloor 67960000\ncover 6796000\nshort 0\nlast {ZERO}\n"
            f"state {' '.join(map(str, state))}\n",
        )
        self.closes.append(digest)
        self.seal = self.sealed(time + 5)

    def postpone(self, time: int) -> None:
        start = -(-(time + 900) // 60) * 60
        self.round = self.beacon.chain.round_for(start)
        self.say("postpone", time, f"open {self.opening}\nreason witness\nstart {start}\nround {self.round}\n")
        self.seal = self.sealed(time + 5)
        self.postpones.append(self.seal)

    def void(self, time: int, reason: str, close: str, state: str) -> None:
        self.say("void", time, f"open {self.opening}\nclose {close}\nreason {reason}\nlast {close}\nstate {state}\n")

    def result(self, time: int) -> None:
        rules, count = read_statement(RULES), self.count()
        close = read_statement(self.log[self.seal["start"] + len(self.seal["statements"]) - 1])
        signature = self.beacon.signature(self.round)
        seed, names = bytes.fromhex(NUMBERS["seed"]), (bytes.fromhex(self.opening), bytes.fromhex(close.hash))
        numbers = draw_numbers(draw_key(seed, *names, self.round, signature), 5, 36)
        winners = count.winners(mask_of(numbers))
        won = prizes(tiers_of(rules), winners, close)
        sections = [read_section(number, data) for number, data in enumerate(self.entries())]
        self.sections = b"".join(count.record(section, mask_of(numbers)).data() for section in sections)
        after = after_result(after_close(FIRST, close), won.left, winners[3])
        tiers = zip(tiers_of(rules), winners, won.each)
        self.say(
            "result",
            time,
            f"close {close.hash}\nsignature {signature.hex()}\nnumbers {','.join(map(str, numbers))}\n"
            + "".join(f"tier {tier.matches} {tier.kind} {number} {sats}\n" for tier, number, sats in tiers)
            + f"left {won.left}\nsections {H(self.sections).hex()}\nlast {close.hash}\n"
            + f"state {' '.join(map(str, after))}\n",
        )

    def entries(self) -> List[bytes]:
        """The entries of each section."""
        return [b"".join(len(one).to_bytes(2, "big") + one for one in part) for part in _sections(self.leaves)]

    def drawn(self, parts: Optional[Sequence[int]] = None, file: bool = False) -> Dict[str, Any]:
        """The bundle of the draw after a timely close and result."""
        self.close()
        self.result(1692806524)
        return self.bundle(parts, file)

    def bundle(self, parts: Optional[Sequence[int]] = None, file: bool = False) -> Dict[str, Any]:
        """The bundle of everything logged. `parts`: included sections; `file`: whether to include the sections file."""
        tree, size, entries = self.tree(), len(self.log), self.entries()
        for seal in [self.seal, *self.postpones]:
            seal["consistency"] = tree.consistency(seal["start"] + len(seal["statements"]), size)
        end = self.seal["start"] + len(self.seal["statements"])
        tail = {"left": tree.left(end), "statements": self.log[end:], "consistency": []}
        given = range(len(entries)) if parts is None else parts
        return {
            "format": "fairball/bundle/v2",
            "head": cosigned(self.checkpoint(size), 1692806530),
            "statements": [
                {"index": index, "text": text, "path": tree.path(index, size)} for index, text in enumerate(self.log)
            ],
            "texts": [RULES, POLICY],
            "draws": [
                {
                    "open": self.opening,
                    "postpones": self.postpones,
                    "seal": self.seal,
                    "tail": tail if end < size else None,
                    "beacon": {"round": self.round, "signature": self.beacon.signature(self.round).hex()},
                    "plays": {
                        "sections": b64encode(self.sections).decode() if file else None,
                        "parts": [{"section": one, "leaves": b64encode(entries[one]).decode()} for one in given],
                    },
                }
            ],
            "papers": [],
        }


def _sections(leaves: Sequence[bytes]) -> List[Sequence[bytes]]:
    return [leaves[start : start + SECTION] for start in range(0, len(leaves), SECTION)]


def data_of(bundle: Dict[str, Any]) -> bytes:
    return json.dumps(bundle).encode()


def play_id(number: int) -> bytes:
    return sha256(number.to_bytes(8, "big")).digest()[:16]
