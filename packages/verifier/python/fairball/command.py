"""The command: files, or an operator's address, and the report."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any, List, Mapping, Optional, Sequence, Tuple

from .bundle import Trust, read_trust
from .collect import Served, Source, collect
from .errors import Malformed
from .hashing import HEX64
from .findings import FAILED, HOLDS, IS_BROKEN, NOT_YET, PROVED, worst
from .strict_json import MAX_CHARACTERS
from .text import as_text, plain
from .verify import NO_TRUST, verify_file

EXIT = {PROVED: 0, FAILED: 1, IS_BROKEN: 2, HOLDS: 3, NOT_YET: 4}
UNREADABLE = 2
DRAW = re.compile("[a-z][a-z0-9-]{1,30}/[1-9][0-9]{0,14}")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Verifies what the command line names, prints the reports and returns the exit code."""
    options = _options(arguments)
    try:
        trust = NO_TRUST if options.trust is None else read_trust(_read(options.trust))
        named = _sources(options, trust)
    except (Malformed, OSError) as error:
        print(f"fairball-verify: {plain(str(error))}", file=sys.stderr)
        return UNREADABLE
    reports = [(name, verify_file(data, trust, roots)) for name, data, roots in named]
    for name, report in reports:
        if not options.json:
            print(f"{plain(name)}\n{as_text(report)}\n")
    if options.json:
        documents: List[Any] = [report.as_json() for _, report in reports]
        print(json.dumps(documents[0] if len(documents) == 1 else documents, indent=1))
    return EXIT[worst([report.outcome for _, report in reports])]


Named = Tuple[str, bytes, Mapping[int, Optional[bytes]]]


def _sources(options: argparse.Namespace, trust: Trust) -> List[Named]:
    """The bytes of each file, or the bundle collected from an operator. Raises Malformed and OSError."""
    if options.address is None:
        return [(name, _read(name), {}) for name in options.files]
    served = Served(Source(options.address))
    document = collect(served, options.draw)
    data = json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8")
    if options.save is not None:
        Path(options.save).write_bytes(data)
    return [(options.address, data, {kept.size: served.root_of_size(kept.size) for kept in trust.heads})]


def _read(name: str) -> bytes:
    limit = 4 * MAX_CHARACTERS
    with open(name, "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise Malformed(f"{name} is too long")
    return data


def _options(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="fairball-verify",
        description="Verifies draws of Fairball.",
        epilog="Exit codes: 0 proved, 1 failed, 2 broken or unreadable, 3 holds, 4 not yet.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="a bundle or evidence")
    parser.add_argument("--from", dest="address", metavar="URL", help="collect the bundle from an operator's address")
    parser.add_argument(
        "--draw",
        action="append",
        type=_draw,
        default=[],
        metavar="DRAW",
        help="with --from: this draw, bitcoin-lotto/17 or the hash of its announcement, not the newest",
    )
    parser.add_argument("--save", metavar="FILE", help="with --from: keep the bundle")
    parser.add_argument("--trust", metavar="FILE", help="JSON of what you trust and saw: policy, key, sights, heads")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    options = parser.parse_args(arguments)
    if bool(options.files) == (options.address is not None):
        parser.error("name files, or one address with --from")
    if options.address is None and (options.draw or options.save):
        parser.error("--draw and --save go with --from")
    return options


def _draw(text: str) -> str:
    if not HEX64.fullmatch(text) and not DRAW.fullmatch(text):
        raise argparse.ArgumentTypeError("a game and a number, bitcoin-lotto/17, or 64 digits of a hash")
    return text
