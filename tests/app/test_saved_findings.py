"""What lockstep fuzz saves reproduces, and agrees with what it tells: see saved_findings.py."""

import json
import unittest

from program import Program
from saved_findings import complaints

# Each kept fault may be needed or not, at the same time as others.
SEVERAL = """\
title  = "Several faults"
lock   = "plain"
expect = { holds = ["mutual-exclusion", "lease-linearizability", "no-deadlock"] }
faults = ["pause", "crash", "drop", "delay", "clock_step"]

[[client]]
name   = "c"
count  = 2
start  = "0s..20ms"
rounds = 2
run    = ["lock lease=10s", "sleep 0s..2s", "write", "unlock"]
"""


class SavedFindings(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def search(self, *arguments):
        result = self.program.run("fuzz", *arguments, "--format", "json")
        self.assertIn(result.returncode, (0, 1, 3), result.stdout + result.stderr)
        document = json.loads(result.stdout)
        findings = [each for target in document["targets"] for each in target["findings"]]
        self.assertGreater(len(findings), 1)
        self.assertEqual(complaints(self.program, document), [])

    def test_of_a_lock_with_a_bug(self):
        self.search("setnx/fixed-value", "--runs", "100")

    def test_of_a_lock_with_limits(self):
        self.search("plain", "--runs", "150", "--seed", "2")

    def test_of_a_scenario(self):
        self.program.write("a folder/several.toml", SEVERAL)
        self.search("a folder/several.toml", "--runs", "200", "--keep-going", "--strategy", "swarm")


if __name__ == "__main__":
    unittest.main()
