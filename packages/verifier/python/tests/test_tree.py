import unittest

from fairball.tree import entries_root, leads_to, leaf_hash, root_of
from tests.support import FAIRNESS, split_path, split_root

CT = FAIRNESS["merkle_vectors"]


class TreeTest(unittest.TestCase):
    def test_agrees_with_the_reference_tree_of_certificate_transparency(self) -> None:
        leaves = [leaf_hash(bytes.fromhex(data)) for data in CT["leaf_data"]]
        for size, root in enumerate(CT["roots"]):
            self.assertEqual(root_of(leaves[:size]).hex(), root)

    def test_agrees_with_the_entries_and_paths_of_the_worked_example(self) -> None:
        open_hash = bytes.fromhex(FAIRNESS["open"]["hash"])
        self.assertEqual(entries_root(open_hash, bytes.fromhex(FAIRNESS["entries_bin"])).hex(), FAIRNESS["root"])
        root = bytes.fromhex(FAIRNESS["root"])
        for entry, path in zip(FAIRNESS["entries"], FAIRNESS["paths"]):
            leaf = leaf_hash(bytes.fromhex(entry["leaf_data"]))
            self.assertEqual(leaf.hex(), entry["leaf_hash"])
            siblings = [bytes.fromhex(sibling) for sibling in path["path"]]
            self.assertTrue(leads_to(root, leaf, path["index"], path["size"], siblings))

    def test_builds_the_tree_of_the_recursive_definition_whatever_its_size(self) -> None:
        leaves = [leaf_hash(bytes([n, n >> 8])) for n in range(130)]
        for size in range(131):
            self.assertEqual(root_of(leaves[:size]), split_root(leaves[:size]), size)

    def test_takes_the_path_of_a_leaf_and_no_other(self) -> None:
        leaves = [leaf_hash(bytes([n])) for n in range(13)]
        for size in range(1, 14):
            root = root_of(leaves[:size])
            for index in range(size):
                path = split_path(index, leaves[:size])
                self.assertTrue(leads_to(root, leaves[index], index, size, path))
                self.assertFalse(leads_to(root, leaves[index], index + 1, size, path))
                self.assertFalse(leads_to(root, leaves[index], -1, size, path))
                self.assertFalse(leads_to(root, leaves[index], index, index, path))
                self.assertFalse(leads_to(root, leaves[index], index, size, path + [root]))
                self.assertFalse(leads_to(root, leaves[index - 1], index, size, path) and size > 1)
                for at in range(len(path)):
                    changed = path[:at] + [bytes(32)] + path[at + 1 :]
                    self.assertFalse(leads_to(root, leaves[index], index, size, changed))
                    self.assertFalse(leads_to(root, leaves[index], index, size, path[:at] + path[at + 1 :]))


if __name__ == "__main__":
    unittest.main()
