"""Changed bundles with this program's reports, for comparison with another verifier.

`python3 -m tests.judged_mutants 700 7` judges 700 of each kind from seed 7. It prints one JSON line for each: the case,
the kind, the bytes of the file in base64, the outcome, and the checks that failed or are broken.
"""

from __future__ import annotations

import base64
import json
import random
import sys
from typing import Any, Dict, List

from fairball.findings import BROKEN, FAIL
from fairball.verify import verify_file
from tests.mutants import flipped, garbled, rearranged
from tests.support import CASES, trust_for


def main(count: int, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        case = chance.choice(CASES)
        _print(case, "flipped", flipped(case, chance)[1])
        _print(case, "garbled", garbled(case, chance))
        _print(case, "rearranged", rearranged(case, CASES, chance))


def _print(case: Dict[str, Any], kind: str, data: bytes) -> None:
    report = verify_file(data, trust_for(case))
    failed: List[str] = sorted(report.of(FAIL))
    broken: List[str] = sorted(report.of(BROKEN))
    line = {
        "case": case["id"],
        "kind": kind,
        "file": base64.b64encode(data).decode("ascii"),
        "outcome": report.outcome,
        "failed": failed,
        "broken": broken,
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
