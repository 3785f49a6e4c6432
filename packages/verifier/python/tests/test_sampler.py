import math
import os
import unittest
from typing import Callable, Iterable, List

from fairball.chains import QUICKNET, QUICKNET_GROUP_HASH, QUICKNET_KEY, chain_hash
from fairball.sampler import draw_key, mac, mask_of, sample, stream
from fairball.sampler import seed_hash
from hashlib import sha256
from itertools import islice
from tests.support import DRAND, FAIRNESS

DRAWS = int(os.environ.get("FAIRBALL_DRAWS", "100000"))
POOL, PICK = 49, 6
Z = 3.0902
"""The normal deviate of 0.1%: a band between it on both sides holds 99.8%."""


def biased(source: Iterable[int], pick: int, pool: int) -> List[int]:
    """The mistake the protocol avoids: a remainder without throwing away the bytes at the end."""
    left = list(range(1, pool + 1))
    return [left.pop(byte % len(left)) for byte in islice(source, pick)]


def chi_square_band(freedom: int) -> "tuple[float, float]":
    """The 99.8% band of chi square, by the approximation of Wilson and Hilferty."""
    third = 2 / (9 * freedom)
    low, high = (freedom * (1 - third + sign * Z * math.sqrt(third)) ** 3 for sign in (-1, 1))
    return low, high


class Counts:
    """Counts over many draws, and chi square of what they should be alike in."""

    def __init__(self, draw: Callable[[int], List[int]], draws: int) -> None:
        self.draws = draws
        self.numbers = [0] * (POOL + 1)
        self.positions = [[0] * (POOL + 1) for _ in range(PICK)]
        self.pairs = [[0] * (POOL + 1) for _ in range(POOL + 1)]
        self.overlaps = [0] * (PICK + 1)
        before = 0
        for number in range(draws):
            balls = draw(number)
            for place, ball in enumerate(balls):
                self.numbers[ball] += 1
                self.positions[place][ball] += 1
                row = self.pairs[ball]
                for other in balls:
                    row[other] += 1
            mask = mask_of(balls)
            if number > 0:
                self.overlaps[bin(mask & before).count("1")] += 1
            before = mask

    def of_numbers(self) -> float:
        expected = self.draws * PICK / POOL
        plain = sum((count - expected) ** 2 / expected for count in self.numbers[1:])
        return plain * (POOL - 1) / (POOL - PICK)

    def of_position(self, place: int) -> float:
        expected = self.draws / POOL
        return sum((count - expected) ** 2 / expected for count in self.positions[place][1:])

    def of_pairs(self) -> float:
        """The part of the pair counts that the counts of single numbers do not explain (Johnson scheme J(49, 2))."""
        sums = [sum(self.pairs[i]) - self.pairs[i][i] for i in range(POOL + 1)]
        total = sum(sums) / 2
        mean = 2 * total / ((POOL - 1) * (POOL - 2))
        rest = sum(
            (self.pairs[i][j] - (sums[i] + sums[j]) / (POOL - 2) + mean) ** 2
            for i in range(1, POOL + 1)
            for j in range(i + 1, POOL + 1)
        )
        p2 = PICK * (PICK - 1) / (POOL * (POOL - 1))
        p3 = p2 * (PICK - 2) / (POOL - 2)
        p4 = p3 * (PICK - 3) / (POOL - 3)
        return rest / (self.draws * (p2 - 2 * p3 + p4))

    def of_overlaps(self) -> "tuple[float, int]":
        """Chi square of the overlap with the draw before and its degrees of freedom; rare overlaps are put together."""
        ways = [math.comb(PICK, k) * math.comb(POOL - PICK, PICK - k) for k in range(PICK + 1)]
        expected = [(self.draws - 1) * way / math.comb(POOL, PICK) for way in ways]
        counts = list(self.overlaps)
        while expected[-1] < 5:
            expected[-2:] = [sum(expected[-2:])]
            counts[-2:] = [sum(counts[-2:])]
        return sum((c - e) ** 2 / e for c, e in zip(counts, expected)), len(counts) - 1


class SamplerTest(unittest.TestCase):
    def test_agrees_with_the_vectors(self) -> None:
        for vector in FAIRNESS["sampler_vectors"]:
            balls, steps = sample(bytes.fromhex(vector["bytes"]), vector["pick"], vector["pool"])
            self.assertEqual((balls, len(steps)), (vector["numbers"], vector["bytes_used"]))

    def test_agrees_with_the_worked_example_byte_for_byte(self) -> None:
        seed = bytes.fromhex(FAIRNESS["seed"]["seed"])
        self.assertEqual(seed_hash(seed).hex(), FAIRNESS["seed"]["seedhash"])
        randomness = sha256(bytes.fromhex(FAIRNESS["beacon"]["signature"])).digest()
        self.assertEqual(randomness.hex(), FAIRNESS["beacon"]["randomness"])
        opened, closed = (bytes.fromhex(FAIRNESS[name]["hash"]) for name in ("open", "close"))
        key = draw_key(seed, opened, closed, FAIRNESS["beacon"]["round"], randomness)
        self.assertEqual(key.hex(), FAIRNESS["draw_key"])
        blocks = FAIRNESS["stream_block_0"] + FAIRNESS["stream_block_1"]
        self.assertEqual(bytes(islice(stream(key), 64)).hex(), blocks)
        balls, steps = sample(stream(key), 6, 49)
        self.assertEqual(balls, FAIRNESS["numbers"])
        told = [{"byte": s.byte, "remaining": s.remaining, "limit": s.limit, "used": s.ball is not None} for s in steps]
        self.assertEqual(told, FAIRNESS["sampling"])

    def test_draws_every_number_where_pick_is_the_pool(self) -> None:
        balls, _ = sample(stream(bytes(32)), 64, 64)
        self.assertEqual(sorted(balls), list(range(1, 65)))

    def test_says_so_when_the_bytes_end(self) -> None:
        self.assertRaises(ValueError, sample, b"\xff\xff", 1, 49)

    def test_names_the_genuine_chain_and_finds_its_rounds(self) -> None:
        chain = DRAND["chain"]
        self.assertEqual(
            (chain["public_key"], chain["group_hash"], chain["chain_hash"], chain["period"], chain["genesis_time"]),
            (QUICKNET_KEY, QUICKNET_GROUP_HASH, QUICKNET.hash, QUICKNET.period, QUICKNET.genesis),
        )
        found = chain_hash(QUICKNET.period, QUICKNET.genesis, QUICKNET_KEY, QUICKNET_GROUP_HASH, chain["beacon_id"])
        self.assertEqual(found, QUICKNET.hash)
        for case in DRAND["round_for_time"]:
            self.assertEqual(QUICKNET.round_at(case["start"]), case["round"])
        for known in DRAND["rounds"]:
            self.assertEqual(QUICKNET.due(known["round"]), known["time"])
            self.assertEqual(sha256(bytes.fromhex(known["signature"])).hexdigest(), known["randomness"])

    def test_draws_evenly_in_numbers_pairs_positions_and_overlaps(self) -> None:
        counts = Counts(lambda n: sample(stream(mac(b"even", n.to_bytes(4, "big"))), PICK, POOL)[0], DRAWS)
        overlaps, freedom = counts.of_overlaps()
        found = [("numbers", counts.of_numbers(), POOL - 1), ("overlaps", overlaps, freedom)]
        found.append(("pairs", counts.of_pairs(), POOL * (POOL - 3) // 2))
        found += [(f"ball {place + 1}", counts.of_position(place), POOL - 1) for place in range(PICK)]
        for name, value, freedom in found:
            low, high = chi_square_band(freedom)
            self.assertTrue(low < value < high, f"{name}: {value:.1f} is not between {low:.1f} and {high:.1f}")

    def test_the_same_test_catches_a_sampler_that_throws_no_bytes_away(self) -> None:
        counts = Counts(lambda n: biased(stream(mac(b"even", n.to_bytes(4, "big"))), PICK, POOL), DRAWS)
        self.assertGreater(counts.of_numbers(), 2 * chi_square_band(POOL - 1)[1])
        self.assertGreater(counts.of_position(0), 2 * chi_square_band(POOL - 1)[1])


if __name__ == "__main__":
    unittest.main()
