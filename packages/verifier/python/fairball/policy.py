"""Policies: the required witnesses (section 3; C2SP tlog-policy)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, List, Optional, Set, Tuple

from . import ed25519
from .errors import Malformed
from .hashing import base64_bytes
from .notes import LOG_KEY, WITNESS_KEY, Checkpoint, cosigned_at, is_key_name, key_id

MAX_BYTES = 16 * 1024
NONE = "none"


@dataclass(frozen=True)
class Group:
    """At least `threshold` of the named witnesses and groups."""

    threshold: int
    members: Tuple[str, ...]


@dataclass(frozen=True)
class Policy:
    """Witnesses by their names in the text, each with the name and the bytes of its key; and the quorum's name."""

    witnesses: Dict[str, Tuple[str, bytes]]
    groups: Dict[str, Group]
    quorum: str
    logs: Tuple[Tuple[str, bytes], ...] = ()
    """The name and key of each named log."""

    @property
    def asks_for_nobody(self) -> bool:
        return self.quorum == NONE

    def is_met(self, checkpoint: Checkpoint, earliest: int, latest: int) -> bool:
        """Whether cosignatures dated in [earliest, latest] meet the quorum; `quorum none` is never met."""
        if self.asks_for_nobody or earliest > latest:
            return False
        met: Set[str] = set()
        for name, (key_name, key) in self.witnesses.items():
            if any(earliest <= time <= latest for time in cosigned_at(checkpoint, key_name, key)):
                met.add(name)
        for name, group in self.groups.items():
            if sum(member in met for member in group.members) >= group.threshold:
                met.add(name)
        return self.quorum in met


def read_policy(text: str) -> Policy:
    """Parses a policy. Raises Malformed."""
    if len(text.encode("utf-8")) > MAX_BYTES:
        raise Malformed("the policy is longer than 16 kB")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text):
        raise Malformed("the policy has a control character")
    if not text.endswith("\n"):
        raise Malformed("the last line of the policy does not end")
    reader = _Reader()
    for line in text[:-1].split("\n"):
        words = [word for word in re.split(r"[ \t]+", line) if word]
        if words and not words[0].startswith("#"):
            reader.read(words)
    return reader.policy()


class _Reader:
    def __init__(self) -> None:
        self.witnesses: Dict[str, Tuple[str, bytes]] = {}
        self.groups: Dict[str, Group] = {}
        self.quorum: Optional[str] = None
        self.members: Set[str] = set()
        self.logs: List[Tuple[str, bytes]] = []
        self.log_keys: Set[bytes] = set()
        self.witness_keys: Set[bytes] = set()

    def read(self, words: List[str]) -> None:
        kind, rest = words[0], words[1:]
        if kind == "log" and len(rest) in (1, 2):
            name, key = _verifier_key(rest[0], LOG_KEY)
            self.log_keys.add(self._new(key, self.log_keys))
            self.logs.append((name, key))
        elif kind == "witness" and len(rest) in (2, 3):
            name, key = _verifier_key(rest[1], WITNESS_KEY)
            self.witness_keys.add(self._new(key, self.witness_keys))
            self.witnesses[self._new_name(rest[0])] = (name, key)
        elif kind == "group" and len(rest) >= 3:
            self._group(rest[0], rest[1], rest[2:])
        elif kind == "quorum" and len(rest) == 1 and self.quorum is None:
            if rest[0] != NONE and not self._is_known(rest[0]):
                raise Malformed("the quorum of the policy names nobody")
            self.quorum = rest[0]
        else:
            raise Malformed("a line of the policy is none of log, witness, group, and one quorum")

    def _group(self, name: str, threshold: str, members: List[str]) -> None:
        for member in members:
            if not self._is_known(member) or member in self.members:
                raise Malformed("a group of the policy has an unknown member, or one that another group has")
            self.members.add(member)
        if threshold == "any":
            needed = 1
        elif threshold == "all":
            needed = len(members)
        elif re.fullmatch(r"[1-9][0-9]{0,3}", threshold) and int(threshold) <= len(members):
            needed = int(threshold)
        else:
            raise Malformed("a group of the policy has no threshold that its members can reach")
        self.groups[self._new_name(name)] = Group(needed, tuple(members))

    def policy(self) -> Policy:
        if self.quorum is None:
            raise Malformed("the policy has no quorum")
        return Policy(self.witnesses, self.groups, self.quorum, tuple(self.logs))

    def _is_known(self, name: str) -> bool:
        return name in self.witnesses or name in self.groups

    def _new_name(self, name: str) -> str:
        if name == NONE or self._is_known(name):
            raise Malformed("a name of the policy is taken")
        return name

    @staticmethod
    def _new(key: bytes, known: Set[bytes]) -> bytes:
        if key in known:
            raise Malformed("a key stands twice in the policy")
        return key


def _verifier_key(text: str, kind: bytes) -> Tuple[str, bytes]:
    """The name and the public key in a vkey `<name>+<key id>+<base64>` of a type."""
    parts = text.split("+", 2)
    if len(parts) != 3 or not is_key_name(parts[0]) or not re.fullmatch(r"[0-9a-f]{8}", parts[1]):
        raise Malformed("a key of the policy is no name, key id and base64")
    data = base64_bytes(parts[2])
    if len(data) != 33 or data[:1] != kind or not ed25519.is_public_key(data[1:]):
        raise Malformed("a key of the policy is no Ed25519 key of its kind")
    if key_id(parts[0], kind, data[1:]).hex() != parts[1]:
        raise Malformed("a key id of the policy is not that of its key")
    return parts[0], data[1:]
