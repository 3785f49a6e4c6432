"""Changed bundles: every change must be noticed, and must accuse no one.

`python3 -m tests.mutants 5000 7` runs 5000 of each kind from seed 7; the tests run fewer.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from typing import Any, Dict, List, Tuple

from fairball.verify import verify_file
from tests.support import CASES, VECTORS, trust_for

HONEST = [case for case in CASES if case["id"].startswith("honest")]
STAGES = [case for case in CASES if case["id"] in ("B22", "A6", "A6b", "A7a")]
"""No rule is broken in this case either: the draws are not over yet."""

Path = Tuple[Any, ...]


def _is_free(case: Dict[str, Any], path: Path, text: str, position: int) -> bool:
    """Whether this is neither signed nor sealed, or is a cosignature that is not needed."""
    if path[0] == "papers":
        return path[2] in ("username", "path", "preimage")
    unneeded = path == ("head",) or (case["id"] == "honest-void" and path == ("draws", 0, "seal", "checkpoint"))
    return unneeded and position > text.index("\u2014", text.index("\u2014") + 1)


def _strings(value: Any, path: Path = ()) -> List[Tuple[Path, str]]:
    if isinstance(value, str):
        return [(path, value)] if value else []
    if isinstance(value, list):
        return [found for key, item in enumerate(value) for found in _strings(item, path + (key,))]
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in _strings(item, path + (key,))]
    return []


def _set(value: Any, path: Path, new: Any) -> None:
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


def flipped(case: Dict[str, Any], chance: random.Random) -> Tuple[Path, bytes]:
    """A bundle with one flipped bit in a signed or sealed string."""
    document = json.loads((VECTORS / case["file"]).read_bytes())
    while True:
        path, text = chance.choice(_strings(document))
        position = chance.randrange(len(text))
        if _is_free(case, path, text, position):
            continue
        changed = chr(ord(text[position]) ^ 1 << chance.randrange(7))
        _set(document, path, text[:position] + changed + text[position + 1 :])
        return path, json.dumps(document).encode()


def garbled(case: Dict[str, Any], chance: random.Random) -> bytes:
    """The bytes of a file, some of them changed, removed or duplicated."""
    data = bytearray((VECTORS / case["file"]).read_bytes())
    for _ in range(chance.randrange(1, 4)):
        position = chance.randrange(len(data))
        action = chance.randrange(4)
        if action == 0:
            data[position] = chance.randrange(256)
        elif action == 1:
            del data[position : position + chance.randrange(1, 200)]
        elif action == 2:
            data[position:position] = data[position : position + chance.randrange(1, 200)]
        else:
            data[position] ^= 1 << chance.randrange(8)
    return bytes(data)


def _nodes(value: Any, path: Path = ()) -> List[Tuple[Path, Any]]:
    items = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return [(path, value)] + [node for key, item in items for node in _nodes(item, path + (key,))]


def rearranged(case: Dict[str, Any], others: List[Dict[str, Any]], chance: random.Random) -> bytes:
    """A bundle with parts removed, duplicated, exchanged, or inserted from other files of the same operator."""
    document = json.loads((VECTORS / case["file"]).read_bytes())
    for _ in range(chance.randrange(1, 4)):
        path, part = chance.choice([node for node in _nodes(document)[1:] if not isinstance(node[1], str)])
        action = chance.randrange(7)
        if action == 0 and isinstance(part, list) and part:
            part.pop(chance.randrange(len(part)))
        elif action == 1 and isinstance(part, list) and part:
            part.append(chance.choice(part))
        elif action == 2 and isinstance(part, list) and len(part) > 1:
            chance.shuffle(part)
        elif action == 3 and path[-1] in ("seal", "tail", "beacon", "plays", "secret", "username", "preimage"):
            _set(document, path, None)
        elif action == 4 and isinstance(part, int):
            _set(document, path, max(0, part + chance.randrange(-2, 3)))
        else:
            other = json.loads((VECTORS / chance.choice(others)["file"]).read_bytes())
            same = [found for at, found in _nodes(other) if at and at[-1] == path[-1] and type(found) is type(part)]
            if same:
                _set(document, path, chance.choice(same))
    return json.dumps(document).encode()


def main(count: int, seed: int) -> int:
    chance = random.Random(seed)
    ends: Dict[str, Counter[str]] = {"flipped": Counter(), "garbled": Counter(), "rearranged": Counter()}
    wrong = 0
    for _ in range(count):
        case = chance.choice(HONEST)
        path, data = flipped(case, chance)
        outcome = verify_file(data, trust_for(case)).outcome
        ends["flipped"][outcome] += 1
        if outcome != "broken":
            wrong += 1
            print("flipped", case["id"], path, outcome)
        case = chance.choice(CASES)
        ends["garbled"][verify_file(garbled(case, chance), trust_for(case)).outcome] += 1
        case = chance.choice(HONEST + STAGES)
        data = rearranged(case, HONEST + STAGES, chance)
        report = verify_file(data, trust_for(case))
        ends["rearranged"][report.outcome] += 1
        if report.outcome == "failed":
            wrong += 1
            print("rearranged", case["id"], report.of("fail"), [d.findings.items() for d in report.draws])
    for kind, counter in ends.items():
        print(kind, dict(counter))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
