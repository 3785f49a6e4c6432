import subprocess
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from build_zip import packed
from tests.support import VECTORS


class ZipTest(unittest.TestCase):
    def test_the_zip_file_is_reproducible_and_verifies_anywhere(self) -> None:
        self.assertEqual(packed(), packed())
        with TemporaryDirectory() as folder:
            file = Path(folder) / "fairball-verify.pyz"
            file.write_bytes(packed())
            run = subprocess.run(
                [sys.executable, "-I", str(file), str(VECTORS / "bundle-honest.json")],
                cwd=folder,
                capture_output=True,
                encoding="utf-8",
            )
        self.assertEqual((run.returncode, run.stderr), (3, ""))
        self.assertIn("seal.seen", run.stdout)


if __name__ == "__main__":
    unittest.main()
