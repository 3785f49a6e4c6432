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
    """The bytes of the file. Nothing is compressed, because a compressor's output may differ between versions."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_STORED) as archive:
        for name, data in _files():
            entry = ZipInfo(name, LONG_AGO)
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data)
    return FIRST_LINE + buffer.getvalue()


def _files() -> "list[tuple[str, bytes]]":
    modules = sorted((HERE / "fairball").glob("*.py"), key=lambda path: path.name)
    files = [(f"fairball/{path.name}", path.read_bytes()) for path in modules]
    return [("__main__.py", (HERE / "fairball_verify.py").read_bytes()), *files]


def main(arguments: "list[str]") -> int:
    target = Path(arguments[0] if arguments else "fairball-verify.pyz")
    data = packed()
    target.write_bytes(data)
    print(f"{sha256(data).hexdigest()}  {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
