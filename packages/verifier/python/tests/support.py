"""What the tests share: the vectors, a signer, and an operator that keeps a log like the one in the worked example."""

from __future__ import annotations

import copy
import json
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple

from fairball import ed25519, notes
from fairball.bundle import parse_bundle
from fairball.chains import QUICKNET, QUICKNET_GROUP_HASH, QUICKNET_KEY
from fairball.notes import EM_DASH, WITNESS_TYPE, key_id, witness_key_id
from fairball.prizes import count_matches, tier_results
from fairball.report import Report
from fairball.sampler import draw_key, mask_of, owner_tag, sample, seed_hash, stream
from fairball.statements import SCHEME, parse_rules
from fairball.tree import entries_root
from fairball.verify import verify

VECTORS = Path(__file__).resolve().parents[3] / "domain" / "vectors"
FAIRNESS: Dict[str, Any] = json.loads((VECTORS / "fairness.json").read_text("utf-8"))
DRAND: Dict[str, Any] = json.loads((VECTORS / "drand.json").read_text("utf-8"))

OPERATOR = FAIRNESS["operator"]["name"]
OPERATOR_SEED = bytes.fromhex(FAIRNESS["operator"]["ed25519_private_seed"])
ROUND = FAIRNESS["beacon"]["round"]
SIGNATURE = FAIRNESS["beacon"]["signature"]
GAME = "bitcoin-lotto"
SEED = bytes.fromhex(FAIRNESS["seed"]["seed"])
ORDER = "5f0d8a52-8a3c-4b7e-9d52-0a6f6c1d2e3f"
START = 1788201913
DUE = 1788201915


_MADE: Set[Tuple[bytes, bytes, bytes]] = set()
"""Public key, message and signature of every signature made here; test_ed25519 verifies such signatures in full."""


@lru_cache(maxsize=100_000)
def _verify(key: bytes, message: bytes, signature: bytes) -> bool:
    return (key, message, signature) in _MADE or ed25519.verify(key, message, signature)


class _Remembered:
    """Ed25519 whose answers are remembered: the tests verify the same few signatures thousands of times."""

    verify = staticmethod(_verify)


notes.ed25519 = _Remembered  # type: ignore[assignment]


def _scalar_and_prefix(seed: bytes) -> Tuple[int, bytes]:
    digest = sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | (1 << 254)
    return scalar, digest[32:]


@lru_cache(maxsize=100)
def public_key(seed: bytes) -> bytes:
    """The public key of a private seed (RFC 8032 section 5.1.5)."""
    return ed25519.encode(ed25519.multiply(ed25519.BASE_TABLE, _scalar_and_prefix(seed)[0]))


@lru_cache(maxsize=100_000)
def sign(seed: bytes, message: bytes) -> bytes:
    """A signature (RFC 8032 section 5.1.6)."""
    scalar, prefix = _scalar_and_prefix(seed)
    r = int.from_bytes(sha512(prefix + message).digest(), "little") % ed25519.ORDER
    big_r = ed25519.encode(ed25519.multiply(ed25519.BASE_TABLE, r))
    k = int.from_bytes(sha512(big_r + public_key(seed) + message).digest(), "little") % ed25519.ORDER
    signature = big_r + ((r + k * scalar) % ed25519.ORDER).to_bytes(32, "little")
    _MADE.add((public_key(seed), message, signature))
    return signature


def signature_line(name: str, seed: bytes, text: str) -> str:
    """An operator's line below a note."""
    data = key_id(name, public_key(seed)) + sign(seed, text.encode())
    return f"{EM_DASH} {name} {b64encode(data).decode()}\n"


def witness_line(name: str, seed: bytes, text: str, time: int) -> str:
    """A witness's line below a note."""
    message = WITNESS_TYPE + b"\ntime %d\n" % time + text.encode()
    data = witness_key_id(name, public_key(seed)) + time.to_bytes(8, "big") + sign(seed, message)
    return f"{EM_DASH} {name} {b64encode(data).decode()}\n"


def sign_note(text: str, seed: bytes = OPERATOR_SEED, operator: str = OPERATOR) -> str:
    """A signed note over a text."""
    return text + "\n" + signature_line(operator, seed, text)


class Operator:
    """An operator that signs whatever it is told to; its log is honest as long as the test lets it be."""

    def __init__(self, time: int = 1785000000, seed: bytes = OPERATOR_SEED) -> None:
        self.seed = seed
        self.log: List[str] = []
        self.hashes: List[str] = []
        self.append("fairball/log/v1", time, f"key {public_key(self.seed).hex()}\n")

    def append(self, type: str, time: int, rest: str) -> str:
        """Signs and logs a statement; `rest` are its lines after the common ones. Returns its hash."""
        prev = self.hashes[-1] if self.hashes else "0" * 64
        text = f"{type}\noperator {OPERATOR}\nseq {len(self.log)}\nprev {prev}\ntime {time}\n{rest}"
        self.log.append(sign_note(text, self.seed))
        self.hashes.append(sha256(text.encode()).hexdigest())
        return self.hashes[-1]

    def change_key(self, seed: bytes, time: int) -> None:
        """Logs a key change, signed by both keys."""
        old = self.seed
        self.append("fairball/key/v1", time, f"key {public_key(seed).hex()}\n")
        text = self.log[-1].split("\n\n")[0] + "\n"
        self.log[-1] = text + "\n" + signature_line(OPERATOR, old, text) + signature_line(OPERATOR, seed, text)
        self.seed = seed

    def state_quicknet(self, time: int) -> None:
        """Logs the chain statement of quicknet."""
        self.append(
            "fairball/chain/v1",
            time,
            f"name quicknet\nhash {QUICKNET.hash}\npublic_key {QUICKNET_KEY}\nperiod 3\ngenesis {QUICKNET.genesis}\n"
            f"group_hash {QUICKNET_GROUP_HASH}\nbeacon_id quicknet\nscheme {SCHEME}\n",
        )

    def open(self, draw: int, time: int, **changed: Any) -> str:
        """Logs an open statement of the worked example's game and draw."""
        values = {
            "game": GAME,
            "draw": draw,
            "pick": 6,
            "pool": 49,
            "close": START - 600,
            "start": START,
            "chain": QUICKNET.hash,
            "round": ROUND,
            "seedhash": seed_hash(SEED).hex(),
            "rules": FAIRNESS["rules"]["hash"],
            "witness": 0,
            **changed,
        }
        return self.append("fairball/open/v1", time, "".join(f"{key} {value}\n" for key, value in values.items()))

    def close(self, open_hash: str, time: int, sealed: bytes, **changed: Any) -> str:
        """Logs a close statement over entries."""
        free = sum(sealed[at] == 1 for at in range(16, len(sealed), 57))
        values = {
            "open": open_hash,
            "round": ROUND,
            "entries": len(sealed) // 57,
            "free": free,
            "root": entries_root(bytes.fromhex(open_hash), sealed).hex(),
            "seed": SEED.hex(),
            "stake": 9600,
            "pool": 2514700,
            "bankroll": 5000000,
            "floor": 120000000,
            "rate": "GBP 1200",
            **changed,
        }
        return self.append("fairball/close/v1", time, "".join(f"{key} {value}\n" for key, value in values.items()))

    def result(self, open_hash: str, close_hash: str, time: int, entries: bytes, **changed: Any) -> str:
        """Logs the right result of a draw closed with the usual figures."""
        randomness = sha256(bytes.fromhex(SIGNATURE)).digest()
        key = draw_key(SEED, bytes.fromhex(open_hash), bytes.fromhex(close_hash), ROUND, randomness)
        numbers, _ = sample(stream(key), 6, 49)
        counts = count_matches(entries, mask_of(numbers), 6)
        rules = parse_rules(FAIRNESS["rules"]["text"])
        tiers = tier_results(rules["tier"], counts, pool=2514700, bankroll=5000000, floor=120000000, rate=1200)
        values = {
            "close": close_hash,
            "signature": SIGNATURE,
            "numbers": ",".join(map(str, numbers)),
            **changed,
        }
        lines = "".join(f"{key} {value}\n" for key, value in values.items())
        lines += "".join(f"tier {tier.matches} {tier.kind} {tier.winners} {tier.each}\n" for tier in tiers)
        return self.append("fairball/result/v1", time, lines)


def example_entries(open_hash: str, kinds: Optional[List[int]] = None) -> bytes:
    """The entries of the worked example, sealed for another open statement; all of them paid unless told."""
    secrets = {player["player"]: bytes.fromhex(player["secret"]) for player in FAIRNESS["players"]}
    data = b""
    for place, entry in enumerate(FAIRNESS["entries"]):
        id = bytes.fromhex(entry["id"])
        kind = kinds[place] if kinds else 0
        tag = owner_tag(secrets[entry["player"]], bytes.fromhex(open_hash), id, entry["player"])
        data += id + bytes([kind]) + mask_of(entry["numbers"]).to_bytes(8, "big") + tag
    return data


def receipt_note(
    open_hash: str, place: int, time: int = 1785900000, seed: bytes = OPERATOR_SEED, order: str = ORDER
) -> str:
    """The signed receipt for one entry of the worked example."""
    entry = FAIRNESS["entries"][place]
    secret = next(player["secret"] for player in FAIRNESS["players"] if player["player"] == entry["player"])
    text = (
        f"fairball/receipt/v1\noperator {OPERATOR}\ntime {time}\nopen {open_hash}\n"
        f"order {order}\nplayer {entry['player']}\nsecret {secret}\n"
        f"entry {entry['id']} 0 {','.join(map(str, entry['numbers']))}\n"
    )
    return sign_note(text, seed)


def document(operator: Operator, draw: int = 1, entries: Optional[bytes] = None, **changed: Any) -> Dict[str, Any]:
    """A bundle as its JSON values."""
    return copy.deepcopy(
        {
            "format": "fairball/bundle/v1",
            "game": GAME,
            "draw": draw,
            "log": operator.log,
            "rules": FAIRNESS["rules"]["text"],
            "witnesses": [],
            "beacon": {"round": str(ROUND), "signature": SIGNATURE},
            "entries": None if entries is None else b64encode(entries).decode(),
            "own": None,
            **changed,
        }
    )


def honest() -> Dict[str, Any]:
    """A whole, honest bundle of draw 1: the entries of the worked example with its seed and its genuine round."""
    operator = Operator()
    operator.state_quicknet(1785000001)
    opened = operator.open(1, 1785780000)
    entries = example_entries(opened)
    closed = operator.close(opened, START - 596, entries)
    operator.result(opened, closed, START + 200, entries)
    own = {
        "key": public_key(OPERATOR_SEED).hex(),
        "username": "O'Hara_7",
        "sights": [{"hash": closed, "seen_at": START - 590}],
        "receipts": [
            {
                "receipt": receipt_note(opened, 3),
                "close": operator.log[3],
                "entries": [path_of(entries, opened, 3)],
            }
        ],
    }
    return document(operator, 1, entries, own=own)


def path_of(entries: bytes, open_hash: str, index: int) -> Dict[str, Any]:
    """The path of one entry, made by splitting as RFC 6962 section 2.1.1 says."""
    leaves = [
        sha256(b"\x00" + bytes.fromhex(open_hash) + entries[at : at + 57]).digest()
        for at in range(0, len(entries), 57)
    ]
    path = [sibling.hex() for sibling in split_path(index, leaves)]
    return {"id": entries[57 * index : 57 * index + 16].hex(), "index": index, "size": len(leaves), "path": path}


def split_root(leaves: List[bytes]) -> bytes:
    """The root by the recursive definition of RFC 6962 section 2.1."""
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256(b"").digest()
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\x01" + split_root(leaves[:split]) + split_root(leaves[split:])).digest()


def split_path(index: int, leaves: List[bytes]) -> List[bytes]:
    """The path by the recursive definition of RFC 6962 section 2.1.1."""
    if len(leaves) < 2:
        return []
    split = 1 << (len(leaves) - 1).bit_length() - 1
    if index < split:
        return split_path(index, leaves[:split]) + [split_root(leaves[split:])]
    return split_path(index - split, leaves[split:]) + [split_root(leaves[:split])]


def verified(values: Dict[str, Any], key: Optional[str] = None, username: Optional[str] = None) -> Report:
    """The report on a bundle given as JSON values."""
    return verify(parse_bundle(json.dumps(values)), key, username)
