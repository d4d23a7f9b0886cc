"""A scenario whose clients are a program that the test writes."""

import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"
COMMANDS = {"python": (PYTHON, "program.py"), "node": ("node", "program.mjs")}

HEAD = """
title     = "Two workers"
lock      = "setnx"
lock_name = "orders"
expect    = { holds = "mutual-exclusion" }
[[client]]
name    = "w"
"""


class Program(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)
        for helper in ("python/lockstep.py", "node/lockstep.cjs"):
            shutil.copy(REPOSITORY / "examples" / "real-clients" / helper, self.folder)

    def scenario(self, program, keys="", language="python"):
        interpreter, name = COMMANDS[language]
        (self.folder / name).write_text(program)
        path = self.folder / "story.toml"
        path.write_text(f'{HEAD}command = ["{interpreter}", "{name}"]\n{keys}\n')
        return path

    def lockstep(self, *words):
        return subprocess.run([os.environ["LOCKSTEP_BINARY"], *map(str, words)], capture_output=True, text=True,
                              timeout=300, check=False, cwd=self.folder)

    def wait_until(self, condition):
        for _ in range(1200):
            if condition():
                return
            time.sleep(0.05)
        self.fail("waited for a minute")


def children(process):
    said = subprocess.run(["pgrep", "--parent", str(process)], capture_output=True, text=True, check=False)
    return [int(child) for child in said.stdout.split()]


def words_of(said):
    return " ".join((said.stdout + said.stderr).split())


class RepeatingProgram(Program):
    """Runs once what may be stuck."""

    def run_once(self, program, keys="", *words):
        return self.lockstep("run", self.scenario(program, keys), "--seeds", 1, *(words or ("--no-files",)))

    def assert_repeats(self, program, what):
        said = self.run_once(program)
        self.assertEqual(said.returncode, 1, said.stderr)
        self.assertIn(f"w: it is stuck: for 1m it has done nothing but {what}, again and again", words_of(said))
