"""Ctrl-C in the middle of each command: it ends soon, says so with its exit code, and what it leaves is whole.

A command of long work is a row here.
"""

import json
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path
from xml.etree import ElementTree

from program import GC_PAUSE, HOLDS, Program

OPEN_HOLDS = HOLDS.replace("[[client]]", 'faults = ["script_flush"]\n\n[[client]]', 1)
MANY = "1000000000"


def hard_history():
    """Which of these make up 200 bytes? In very many ways some do, but none brings the "b"."""
    events = [f'{{:process {i} :type :invoke :f :append :value "{"a" * (i % 7 + 1)}"}}'
              for i in range(60)]
    events.append("{:process 99 :type :invoke :f :read}")
    events.append(f'{{:process 99 :type :ok :f :read :value "{"a" * 200}b"}}')
    return "\n".join(events)


# Name, arguments, exit code, what standard error says.
COMMANDS = [
    ("run", ("run", "holds.toml", "gc-pause.toml", "--seeds", MANY, "--out", "out"),
     3, "interrupted: 1 of 2 scenarios were run"),
    ("run for programs", ("run", "holds.toml", "--seeds", MANY, "--out", "out", "--format", "json"),
     3, "interrupted: "),
    ("fuzz", ("fuzz", "open.toml", "gc-pause.toml", "--runs", MANY, "--out", "out"),
     3, "interrupted: this is what was found until then"),
    ("shrink, still looking", ("shrink", "holds.toml", "--runs", MANY, "--out", "out"),
     3, "interrupted: "),
    ("shrink, still searching", ("shrink", "open.toml", "--runs", MANY, "--out", "out"),
     3, "interrupted: "),
    ("keep", ("keep", "gc-pause.toml", "--seeds", MANY, "--to", "out"), 3, "interrupted: "),
    ("replay", ("replay", *["made/holds.trace.jsonl"] * 20000), 3, ""),
    ("check", ("check", "hard.edn", "--model", "key-value", "--limit-time", "10m"), 3, ""),
    ("serve", ("serve", "--port", "0"), 0, ""),
]


def catches_ctrl_c(process):
    """Whether the program is up: until then the signal would end it."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    caught = int(re.search(r"^SigCgt:\s*(\w+)", status, re.M)[1], 16)
    return caught >> (signal.SIGINT - 1) & 1


class Interruption(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("holds.toml", HOLDS)
        self.program.write("gc-pause.toml", GC_PAUSE)
        self.program.write("open.toml", OPEN_HOLDS)
        self.program.write("hard.edn", hard_history())

    def interrupted(self, *arguments):
        with subprocess.Popen(
                [self.program.binary, *arguments], cwd=self.program.folder,
                env=self.program.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + 60
            while not catches_ctrl_c(process) and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.7)
            over = process.poll()
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=120)
        self.assertIsNone(over, f"it was over before it could be interrupted: {output}{errors}")
        return process.returncode, output, errors

    def assert_all_is_whole(self, folder):
        for name in self.program.files(folder):
            path = self.program.folder / folder / name
            self.assertFalse(Path(name).name.startswith("."), f"{name} was left half-written")
            if name.endswith(".jsonl"):
                self.assertEqual(self.program.run("replay", str(path)).returncode, 0, name)
            if name.endswith((".svg", ".xml")):
                ElementTree.parse(path)
            if name.endswith(".toml"):
                self.assertEqual(self.program.run("run", str(path), "--dry-run").returncode, 0)

    def test_ends_each_command_and_leaves_what_is_whole(self):
        made = self.program.run("run", "holds.toml", "--out", "made")
        self.assertEqual(made.returncode, 0, made.stderr)
        for name, arguments, code, words in COMMANDS:
            with self.subTest(name):
                returncode, output, errors = self.interrupted(*arguments)
                self.assertEqual(returncode, code, output[-2000:] + errors)
                self.assertIn(words, errors)
                self.assertNotIn("Lockstep itself failed", errors)
                if "json" in arguments:
                    json.loads(output)
                self.assert_all_is_whole(".")

    def test_keeps_what_a_search_has_found(self):
        # The second target would go on for days.
        wide = OPEN_HOLDS.replace('["script_flush"]', '["pause"]')
        self.program.write("wide.toml", wide)
        returncode, output, errors = self.interrupted(
            "fuzz", "wide.toml", "--runs", MANY, "--keep-going", "--out", "found")
        self.assertEqual(returncode, 1, output + errors)
        self.assertIn("interrupted: ", errors)
        scenarios = [name for name in self.program.files("found") if name.endswith(".toml")]
        self.assertGreaterEqual(len(scenarios), 1, output)
        self.assert_all_is_whole("found")


if __name__ == "__main__":
    unittest.main()
