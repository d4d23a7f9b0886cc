"""docs/fidelity.md lists the commands as the command table has them."""

import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class FidelityTest(unittest.TestCase):
    def test_the_list_of_commands_is_that_of_the_table(self):
        checked = subprocess.run(
            [
                sys.executable,
                "-B",
                str(ROOT / "tools" / "update-fidelity"),
                "--check",
                "--binary",
                os.environ["LOCKSTEP_BINARY"],
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(checked.returncode, 0, checked.stderr)


if __name__ == "__main__":
    unittest.main()
