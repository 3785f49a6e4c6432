#!/usr/bin/env python3
"""Packs the verifier into one file that Python runs. The build is reproducible byte by byte.

    python3 build_zip.py [FILE]

Writes fairball-verify.pyz, or FILE, and prints its SHA-256.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

HERE = Path(__file__).resolve().parent
FIRST_LINE = b"#!/usr/bin/env python3\n"
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def packed() -> bytes:
    """The bytes of the file."""
    return FIRST_LINE + zipped([("__main__.py", (HERE / "fairball_verify.py").read_bytes()), *modules()])


def zipped(files: "list[tuple[str, bytes]]") -> bytes:
    """An archive. Nothing is compressed, because a compressor's output may differ between versions."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_STORED) as archive:
        for name, data in files:
            entry = ZipInfo(name, LONG_AGO)
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()


def modules() -> "list[tuple[str, bytes]]":
    """The verifier's modules, by their paths."""
    found = sorted((HERE / "fairball").glob("*.py"), key=lambda path: path.name)
    return [(f"fairball/{path.name}", path.read_bytes()) for path in found]


def main(arguments: "list[str]") -> int:
    target = Path(arguments[0] if arguments else "fairball-verify.pyz")
    data = packed()
    target.write_bytes(data)
    print(f"{sha256(data).hexdigest()}  {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
