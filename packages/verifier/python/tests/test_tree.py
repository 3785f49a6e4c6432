import unittest

from fairball.tree import (
    consistency_proof,
    frontier,
    inclusion_path,
    is_consistent,
    leads_to,
    leaf_hash,
    range_root,
    root_of,
)
from tests.support import vector

TREES = vector("trees.json")
LEAVES = [leaf_hash(number.to_bytes(4, "big")) for number in range(131_073)]


def _bytes(hashes: "list[str]") -> "list[bytes]":
    return [bytes.fromhex(one) for one in hashes]


class TreeTest(unittest.TestCase):
    def test_roots_and_sections_match_the_vectors(self) -> None:
        for tree in TREES["trees"]:
            size = tree["size"]
            sections = [root_of(LEAVES[start : min(start + 65_536, size)]) for start in range(0, size, 65_536)]
            self.assertEqual([root.hex() for root in sections], tree["section_roots"])
            self.assertEqual(root_of(sections).hex(), tree["root"])

    def test_only_unchanged_paths_lead_to_the_root(self) -> None:
        for one in TREES["paths"]:
            index, size, path = one["index"], one["size"], _bytes(one["path"])
            root = root_of(LEAVES[:size])
            self.assertEqual(inclusion_path(LEAVES[:size], index), path)
            self.assertTrue(leads_to(root, LEAVES[index], index, size, path))
            self.assertFalse(leads_to(root, LEAVES[index], index, size, path + [root]))
            self.assertFalse(leads_to(root, LEAVES[index], size, size, path))
            self.assertFalse(leads_to(root, LEAVES[index + 1], index, size, path))
            if path:
                self.assertFalse(leads_to(root, LEAVES[index], index, size, path[:-1]))

    def test_only_unchanged_consistency_proofs_hold(self) -> None:
        for one in TREES["consistency"]:
            first, second, proof = one["from"], one["to"], _bytes(one["proof"])
            old, new = root_of(LEAVES[:first]), root_of(LEAVES[:second])
            self.assertEqual(consistency_proof(LEAVES[:second], first), proof)
            self.assertTrue(is_consistent(first, old, second, new, proof))
            self.assertFalse(is_consistent(first, new, second, new, proof))
            self.assertFalse(is_consistent(first, old, second, old, proof))
            self.assertFalse(is_consistent(first, old, second, new, proof + [new]))

    def test_proofs_of_every_small_tree_hold(self) -> None:
        for size in range(1, 34):
            root = root_of(LEAVES[:size])
            for first in range(size + 1):
                proof = consistency_proof(LEAVES[:size], first)
                self.assertTrue(is_consistent(first, root_of(LEAVES[:first]), size, root, proof))
            for index in range(size):
                self.assertTrue(leads_to(root, LEAVES[index], index, size, inclusion_path(LEAVES[:size], index)))
                left = frontier(LEAVES[:index])
                self.assertEqual(range_root(index, LEAVES[index:size], left), root)
                self.assertIsNone(range_root(index, LEAVES[index:size], left + [root]))

    def test_ranges_match_the_vectors(self) -> None:
        for one in TREES["ranges"]:
            start, size, left = one["start"], one["size"], _bytes(one["left"])
            self.assertEqual(frontier(LEAVES[:start]), left)
            found = range_root(start, LEAVES[start:size], left)
            self.assertEqual(found.hex() if found else None, one["root"])


if __name__ == "__main__":
    unittest.main()
