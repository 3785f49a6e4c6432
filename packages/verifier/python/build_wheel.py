#!/usr/bin/env python3
"""Packs the verifier into a wheel that pip installs as the command fairball-verify, reproducibly byte by byte.

    python3 build_wheel.py [FOLDER]

Writes fairball_verify-VERSION-py3-none-any.whl there, or into this folder, and prints its name. It is also the build
backend of pyproject.toml, so that `pip install` of this folder needs no other package.
"""

from __future__ import annotations

import json
import re
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

from build_zip import modules, zipped

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def wheel(version: str) -> bytes:
    """The bytes of the wheel (packaging.python.org, binary distribution format 1.0)."""
    readme = (HERE / "README.md").read_text("utf-8")
    info = f"fairball_verify-{version}.dist-info"
    metadata = "\n".join(
        [
            "Metadata-Version: 2.4",
            "Name: fairball-verify",
            f"Version: {version}",
            "Summary: Verifies draws of a Fairball operator from their bundles alone.",
            "License-Expression: Apache-2.0",
            "License-File: LICENSE",
            "Requires-Python: >=3.11",
            "Description-Content-Type: text/markdown",
            "",
            # Without links to files that are not in the wheel.
            re.sub(r"\[([^\]]+)\]\((?!https?:|#)[^)]+\)", r"\1", readme),
        ]
    )
    files = [
        *modules(),
        (f"{info}/METADATA", metadata.encode()),
        (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: fairball\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
        (f"{info}/entry_points.txt", b"[console_scripts]\nfairball-verify = fairball.command:main\n"),
        (f"{info}/licenses/LICENSE", (ROOT / "LICENSES" / "Apache-2.0.txt").read_bytes()),
    ]
    record = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files] + [f"{info}/RECORD,,\n"]
    return zipped([*files, (f"{info}/RECORD", "".join(record).encode())])


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """Writes the wheel and returns its name (PEP 517)."""
    version: str = json.loads((HERE.parent / "package.json").read_text("utf-8"))["version"]
    name = f"fairball_verify-{version}-py3-none-any.whl"
    (Path(wheel_directory) / name).write_bytes(wheel(version))
    return name


def _digest(data: bytes) -> str:
    return urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    print(build_wheel(sys.argv[1] if len(sys.argv) > 1 else str(HERE)))
