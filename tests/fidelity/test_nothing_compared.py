"""tools/fidelity says what it leaves out, and never takes nothing for no difference."""

import os
import subprocess
import unittest


def compare(*words):
    return subprocess.run([os.environ["LOCKSTEP_FIDELITY"], *words], capture_output=True, text=True,
                          timeout=60)


class NothingCompared(unittest.TestCase):
    def test_is_no_success(self):
        result = compare("--only", "hash_expiries")
        self.assertEqual(result.returncode, 2)
        self.assertIn("left out: hash_expiries, commands that redis-7.0 lacks\n", result.stdout)
        self.assertEqual(result.stderr, "tools/fidelity: nothing was compared\n")

    def test_is_no_success_where_no_sequences_are_asked_for(self):
        self.assertEqual(compare("--only", "lists", "--sequences", "0").returncode, 2)


if __name__ == "__main__":
    unittest.main()
