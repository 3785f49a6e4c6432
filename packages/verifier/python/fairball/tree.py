"""Trees of RFC 6962, their proofs (RFC 9162) and ranges (section 3)."""

from __future__ import annotations

from hashlib import sha256
from typing import Iterable, List, Optional, Sequence

EMPTY_ROOT = sha256(b"").digest()


def leaf_hash(data: bytes) -> bytes:
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root of a tree of leaf hashes. A pairwise fold in which an odd last hash moves up gives RFC 6962's split."""
    level = list(leaves)
    if not level:
        return EMPTY_ROOT
    while len(level) > 1:
        pairs = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = pairs + level[len(level) & ~1 :]
    return level[0]


def leads_to(root: bytes, leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bool:
    """Whether a path proves that a leaf hash is at an index of a tree of a size (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    fn, sn = index, size - 1
    value = leaf
    for sibling in path:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            value = node_hash(sibling, value)
            while not fn & 1 and fn:
                fn >>= 1
                sn >>= 1
        else:
            value = node_hash(value, sibling)
        fn >>= 1
        sn >>= 1
    return sn == 0 and value == root


def is_consistent(first: int, first_root: bytes, second: int, second_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a tree of `second` leaves continues a tree of `first` leaves (RFC 9162, 2.1.4.2).

    Trees of one size need equal roots and no proof. Every tree continues the empty one, without a proof.
    """
    if not 0 <= first <= second:
        return False
    if first == second:
        return not proof and first_root == second_root
    if first == 0:
        return not proof and first_root == EMPTY_ROOT
    path = list(proof)
    if first & (first - 1) == 0:
        path.insert(0, first_root)
    if not path:
        return False
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn >>= 1
        sn >>= 1
    fr = sr = path[0]
    for sibling in path[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr = node_hash(sibling, fr)
            sr = node_hash(sibling, sr)
            while not fn & 1 and fn:
                fn >>= 1
                sn >>= 1
        else:
            sr = node_hash(sr, sibling)
        fn >>= 1
        sn >>= 1
    return sn == 0 and fr == first_root and sr == second_root


def range_root(start: int, leaves: Sequence[bytes], left: Sequence[bytes]) -> Optional[bytes]:
    """The root of start + len(leaves) leaves; `left` stands for those before `start`. None if `left` does not fit.

    `left` has the roots of the perfect subtrees of [0, start), largest first, one for each binary digit of start.
    """
    if start < 0 or len(left) != bin(start).count("1"):
        return None
    if not leaves:
        return _join(left) if start else EMPTY_ROOT
    spine = _Spine(start, left)
    for leaf in leaves:
        spine.append(leaf)
    return spine.root()


def _join(roots: Sequence[bytes]) -> bytes:
    value = roots[-1]
    for root in reversed(roots[:-1]):
        value = node_hash(root, value)
    return value


class _Spine:
    """The roots of the perfect subtrees of a growing tree, largest first."""

    def __init__(self, size: int, roots: Iterable[bytes]) -> None:
        self.size = size
        self.roots: List[bytes] = list(roots)

    def append(self, leaf: bytes) -> None:
        value = leaf
        size = self.size
        while size & 1:
            value = node_hash(self.roots.pop(), value)
            size >>= 1
        self.roots.append(value)
        self.size += 1

    def root(self) -> bytes:
        return _join(self.roots)


def frontier(leaves: Sequence[bytes]) -> List[bytes]:
    """The roots of the perfect subtrees of a tree, largest first: `left` for a range that starts after its leaves."""
    spine = _Spine(0, ())
    for leaf in leaves:
        spine.append(leaf)
    return spine.roots


def inclusion_path(leaves: Sequence[bytes], index: int) -> List[bytes]:
    """The path of a leaf, from the leaf up, by the definition of RFC 6962, 2.1.1."""
    if len(leaves) == 1:
        return []
    split = 1 << (len(leaves) - 1).bit_length() - 1
    if index < split:
        return inclusion_path(leaves[:split], index) + [root_of(leaves[split:])]
    return inclusion_path(leaves[split:], index - split) + [root_of(leaves[:split])]


def consistency_proof(leaves: Sequence[bytes], first: int) -> List[bytes]:
    """The proof that a tree continues its first leaves, by the definition of RFC 6962, 2.1.2."""
    return [] if first in (0, len(leaves)) else _subproof(leaves, first, True)


def _subproof(leaves: Sequence[bytes], first: int, whole: bool) -> List[bytes]:
    if first == len(leaves):
        return [] if whole else [root_of(leaves)]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    if first <= split:
        return _subproof(leaves[:split], first, whole) + [root_of(leaves[split:])]
    return _subproof(leaves[split:], first - split, False) + [root_of(leaves[:split])]
