"""What was found of client models and real libraries is what the documents say (tools/update-conformance)."""

import subprocess
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


class Conformance(unittest.TestCase):
    def test_is_told_in_each_locks_readme_and_in_the_table(self):
        checked = subprocess.run([str(REPOSITORY / "tools/update-conformance"), "--check"], capture_output=True,
                                 text=True, timeout=60, check=False)
        self.assertEqual((checked.returncode, checked.stdout), (0, ""), checked.stderr)


if __name__ == "__main__":
    unittest.main()
