"""The Merkle tree over a draw's entries (fairness section 7; RFC 6962 section 2.1, RFC 9162 section 2.1.3.2)."""

from __future__ import annotations

from hashlib import sha256
from typing import Iterable, List, Sequence

ENTRY_BYTES = 57
"""An entry as it is published: id 16, kind 1, mask 8, owner tag 32."""


def leaf_hash(leaf_data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + leaf_data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over leaf hashes.

    The tree is built in rows: neighbours are joined, and a last one without neighbour goes up as it is. That is the
    same tree as splitting at the largest power of two below n, as every left part is then a full tree.
    """
    if not leaves:
        return sha256(b"").digest()
    row: List[bytes] = list(leaves)
    while len(row) > 1:
        above = [node_hash(row[at], row[at + 1]) for at in range(0, len(row) - 1, 2)]
        if len(row) % 2 == 1:
            above.append(row[-1])
        row = above
    return row[0]


def entries_root(open_hash: bytes, entries: bytes) -> bytes:
    """The root over published entries, 57 bytes each; their leaves begin with the hash of the open statement."""
    start = sha256(b"\x00" + open_hash)
    leaves: List[bytes] = []
    for at in range(0, len(entries), ENTRY_BYTES):
        leaf = start.copy()
        leaf.update(entries[at : at + ENTRY_BYTES])
        leaves.append(leaf.digest())
    return root_of(leaves)


def leads_to(root: bytes, leaf: bytes, index: int, size: int, path: Iterable[bytes]) -> bool:
    """Whether an inclusion path leads from a leaf hash to the root (RFC 9162 section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    fn, sn, found = index, size - 1, leaf
    for sibling in path:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            found = node_hash(sibling, found)
            while fn != 0 and not fn & 1:
                fn >>= 1
                sn >>= 1
        else:
            found = node_hash(found, sibling)
        fn >>= 1
        sn >>= 1
    return sn == 0 and found == root
