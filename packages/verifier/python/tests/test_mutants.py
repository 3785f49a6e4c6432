import random
import unittest

from fairball.verify import verify_file
from tests.mutants import HONEST, STAGES, flipped, garbled, rearranged
from tests.support import CASES, trust_for


class MutantsTest(unittest.TestCase):
    """A short run; `python3 -m tests.mutants` runs more."""

    def test_no_changed_character_of_signed_or_sealed_data_goes_unnoticed(self) -> None:
        chance = random.Random(1)
        for _ in range(250):
            case = chance.choice(HONEST)
            path, data = flipped(case, chance)
            self.assertEqual(verify_file(data, trust_for(case)).outcome, "broken", (case["id"], path))

    def test_garbled_files_end_with_a_report_and_are_never_proved(self) -> None:
        chance = random.Random(2)
        for _ in range(150):
            case = chance.choice([case for case in CASES if case["outcome"] in ("broken", "failed")])
            self.assertNotEqual(verify_file(garbled(case, chance), trust_for(case)).outcome, "proved", case["id"])

    def test_no_rearranged_bundle_of_an_honest_operator_accuses_it(self) -> None:
        chance = random.Random(3)
        for _ in range(150):
            case = chance.choice(HONEST + STAGES)
            report = verify_file(rearranged(case, HONEST + STAGES, chance), trust_for(case))
            self.assertNotEqual(report.outcome, "failed", (case["id"], report.of("fail")))


if __name__ == "__main__":
    unittest.main()
