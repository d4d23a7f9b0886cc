"""Which commands start the program of a scenario: those that make runs, and no others."""

import os
import re
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

STORY = """
title     = "Two workers"
lock      = "setnx"
lock_name = "orders"
{expect}
[[client]]
name    = "w"
count   = 2
command = ["/usr/bin/python3", "program.py"]
"""
# Takes what it has not asked for.
PROGRAM = """
import os, socket, time
open("begun", "a").write(".")
s = socket.create_connection(("localhost", 6379))
s.sendall(b"SET orders 1 PX 1000\\r\\n")
s.recv(64)
os.write(int(os.environ["LOCKSTEP_REPORT"]), b"ACQUIRED orders\\n")
time.sleep(2)
"""
ADAPTER = "/usr/bin/python3 program.py"
# Of each command, calls that make runs, and calls that do not.
STARTS = {
    "run": ["run story.toml --seeds 1 --no-files"],
    "fuzz": ["fuzz open.toml --runs 4 --jobs 1", "fuzz open.toml --runs 4 --jobs 1 --shard 1/2"],
    "corpus": ["corpus open.toml --corpus kept"],
    "merge": ["merge shard"],
    "shrink": ["shrink story.toml", "shrink out/story.trace.jsonl"],
    "keep": ["keep small.toml --seeds 1"],
    "replay": ["replay out/story.trace.jsonl"],
    "confirm": [f'confirm out/modelled.trace.jsonl --client "{ADAPTER}"'],
    "conform": [f'conform setnx --client "{ADAPTER}" --runs 1'],
    "record": [f'record --port 0 --story modelled.toml --client "{ADAPTER}" --out recorded.jsonl'],
    "step": ["step out/story.trace.jsonl --commands next", "step story.toml --commands next"],
}
STARTS_NOTHING = {
    "run": ["run story.toml --dry-run"],
    "confirm": ["confirm out/story.trace.jsonl"],
    "record": ["record --port 0 --story story.toml"],
    "explore": ["explore story.toml"],
    "timeline": ["timeline out/story.trace.jsonl", "timeline out/story.trace.jsonl --output story.html"],
    "export": ["export out/story.trace.jsonl"],
    "list": ["list", "list scenarios ."],
    "explain": ["explain setnx", "explain story.toml"],
    "check": ["check out/story.trace.jsonl --model mutex --input-format trace"],
    "serve": ["serve --port 0"],
    "lint": ["lint setnx", "lint story.toml"],
    "extract": ["extract story.toml"],
    "new": ["new scenario --lock setnx"],
    "schema": ["schema"],
    "completions": ["completions bash"],
    "man": ["man"],
}


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(kept.cleanup)
        cls.folder = Path(kept.name)
        holds, violates = 'expect = { holds = "mutual-exclusion" }', 'expect = { violates = "mutual-exclusion" }'
        for name, expect in (("story", holds), ("open", f'faults = "any"\n{holds}'), ("small", violates)):
            (cls.folder / f"{name}.toml").write_text(STORY.format(expect=expect))
        modelled = re.sub("(?s)name    =.*", 'name = "a"\ncount = 2\nrun = ["lock lease=1s", "sleep 3s", "unlock"]\n', STORY)
        (cls.folder / "modelled.toml").write_text(modelled.format(expect=holds))
        (cls.folder / "program.py").write_text(PROGRAM)
        for words in ("run story.toml --seeds 1 --out out", "run modelled.toml --seeds 1 --out out",
                      "fuzz open.toml --runs 4 --jobs 1 --corpus kept", "fuzz open.toml --runs 4 --jobs 1 --shard 1/2 --out shard"):
            cls.lockstep(words)

    @classmethod
    def lockstep(cls, words):
        """A command that waits for clients is ended by Ctrl-C."""
        running = subprocess.Popen(f'exec "$LOCKSTEP_BINARY" {words}', shell=True, cwd=cls.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            return running.communicate(timeout=3 if words.startswith(("serve", "record")) else 120)[0]
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGINT)
            return running.communicate(timeout=60)[0]

    def has_started(self, words):
        begun = self.folder / "begun"
        begun.unlink(missing_ok=True)
        said = self.lockstep(words)
        return begun.exists(), said

    def test_all_are_here(self):
        listed = re.findall(r"^  ([a-z]+) {2,}", self.lockstep("help").split("Subcommands:")[1], re.MULTILINE)
        self.assertGreater(len(listed), 20)
        self.assertEqual(set(listed) - {"lockstep", "help"}, {*STARTS, *STARTS_NOTHING})

    def test_that_make_runs_start_it(self):
        for words in sum(STARTS.values(), []):
            with self.subTest(words):
                started, said = self.has_started(words)
                self.assertTrue(started, said)

    def test_others_do_not(self):
        for words in sum(STARTS_NOTHING.values(), []):
            with self.subTest(words):
                started, said = self.has_started(words)
                self.assertFalse(started, said)

    def test_that_puts_a_program_in_the_place_of_a_model_wants_a_model(self):
        said = self.lockstep('confirm out/story.trace.jsonl --client "python3 program.py"')
        self.assertIn("its clients are programs already", said)

    def test_that_would_need_runs_say_so(self):
        for words in ("explore story.toml", "timeline out/story.trace.jsonl --output story.html"):
            with self.subTest(words):
                self.assertIn("the client 'w1' is a program, which this command does not start", " ".join(self.lockstep(words).split()))


if __name__ == "__main__":
    unittest.main()
