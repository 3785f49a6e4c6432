#!/usr/bin/env python3
"""Verifies draws of Fairball from their bundles, with nothing but Python's standard library.

Usage: python3 fairball_verify.py <bundle.json>... [--json] [--key <hex>] [--username NAME]
Exit status: 0 nothing failed, 1 something failed, 2 something could not be checked (unreadable, not a bundle).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from typing import Any, Dict, List, Optional, Sequence

from fairball.bundle import BundleError, parse_bundle
from fairball.report import FAILED, Report, plain
from fairball.verify import verify

MAX_BUNDLE_BYTES = 1_000_000_000


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Verifies the bundles named on the command line, prints what was found and returns the exit status."""
    options = _options(arguments)
    documents: List[Dict[str, Any]] = []
    failed = unreadable = False
    for path in options.bundles:
        try:
            report = verify_file(path, options.key, options.username)
        except (BundleError, OSError, MemoryError) as error:
            unreadable = True
            message = f"{path}: could not be checked: {error or 'out of memory'}"
            documents.append({"file": path, "error": str(error) or "out of memory"})
            print(plain(message), file=sys.stderr)
            continue
        failed = failed or report.outcome == FAILED
        documents.append(report.as_json())
        if not options.json:
            print(report.as_text(), end="\n\n")
    if options.json:
        print(json.dumps(documents[0] if len(documents) == 1 else documents, indent=2))
    return 1 if failed else 2 if unreadable else 0


def verify_file(path: str, key: Optional[str] = None, username: Optional[str] = None) -> Report:
    """Verifies the bundle in a file. Raises BundleError where it is no bundle and OSError where it cannot be read."""
    with open(path, "rb") as file:
        data = file.read(MAX_BUNDLE_BYTES + 1)
    if len(data) > MAX_BUNDLE_BYTES:
        raise BundleError("the file is too large")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BundleError("the file is not UTF-8") from None
    return verify(parse_bundle(text), key, username)


def _options(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fairball_verify.py", description="Verifies draws of Fairball.")
    parser.add_argument("bundles", nargs="+", metavar="bundle.json", help="a bundle saved from a draw's proof page")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--key", type=_key, help="the operator's first public key as you know it, or its fingerprint")
    parser.add_argument("--username", help="your own username, for the receipts in the bundle")
    return parser.parse_args(arguments)


def _key(text: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise argparse.ArgumentTypeError("a key or fingerprint has 64 hexadecimal digits, in lowercase")
    return text


if __name__ == "__main__":
    sys.exit(main())
