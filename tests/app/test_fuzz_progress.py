"""The line that a search draws on a terminal: rate, states, probes, findings, and the time left."""

import os
import pty
import re
import subprocess
import unittest

from program import Program
from test_fuzz import SAFE

PROBES = SAFE.replace('"lease-linearizability"] }',
                      '"lease-linearizability"], sometimes = ["b acquired while a believes", '
                      '"b acquired"] }')


class Progress(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("safe.toml", SAFE)
        self.program.write("probes.toml", PROBES)

    def drawn(self, *arguments):
        """What a terminal is written as standard error."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [self.program.binary, "fuzz", *arguments], cwd=self.program.folder,
            env=self.program.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=theirs)
        os.close(theirs)
        text = b""
        try:
            while chunk := os.read(ours, 4096):
                text += chunk
        except OSError:  # nobody has the other end any more
            pass
        os.close(ours)
        process.wait(timeout=60)
        return text.decode()

    def test_says_how_far_it_is(self):
        text = self.drawn("safe.toml", "--time", "4s")
        self.assertRegex(text, r"safe\.toml  [1-9]\d* runs, \d+/s, \d+ abstract states, 0 findings, "
                               r"\d s left")
        self.assertTrue(text.endswith("\r\x1b[K"), "it is taken away in the end")

    def test_says_which_probes_were_hit(self):
        text = self.drawn("probes.toml", "--time", "4s", "--jobs", "1")
        self.assertIsNotNone(re.search(r"abstract states, [0-2] of 2 probes hit, 0 findings", text),
                             text)

    def test_counts_down_runs(self):
        text = self.drawn("safe.toml", "--runs", "40000", "--jobs", "1")
        self.assertRegex(text, r" \d+ s left")


if __name__ == "__main__":
    unittest.main()
