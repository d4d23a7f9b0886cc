"""The libFuzzer target of choices: it finds a planted bug, and its inputs are entries of a corpus."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "app"))
# pylint: disable-next=wrong-import-position
from program import REPOSITORY, Program

PLANTED = REPOSITORY / "scenarios" / "open" / "delete-without-token.toml"
SAFE = REPOSITORY / "scenarios" / "open-safe" / "compared-release-through-pauses.toml"


class Choices(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def fuzz(self, scenario, *arguments):
        return subprocess.run(
            [os.environ["LOCKSTEP_CHOICES_FUZZ"], "-seed=1", "-max_len=65536", "-timeout=60",
             *arguments],
            cwd=self.program.folder, timeout=300, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, check=False, env=self.program.environment(LOCKSTEP_SCENARIO=str(scenario)))

    def state_of(self, target, corpus):
        result = self.program.run("corpus", target, "--corpus", corpus, "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        state, = json.loads(result.stdout)["corpora"]
        return state

    def test_finds_a_planted_bug_whose_run_replays(self):
        self.program.write("story.toml", PLANTED.read_bytes())
        folder = self.program.folder / "corpus" / "story"
        folder.mkdir(parents=True)
        result = self.fuzz("story.toml", "-max_total_time=120", "corpus/story")
        self.assertNotEqual(result.returncode, 0, result.stderr)
        trace = re.search(r"the run, for lockstep replay: (\S+)", result.stderr)
        self.assertIsNotNone(trace, result.stderr)
        replayed = self.program.run("replay", trace.group(1))
        self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)
        self.assertIn(" is violated: ", replayed.stdout)
        # Its choices are an entry, and lockstep fuzz finds the bug in it at once.
        entry = re.search(r"its choices, for a corpus: (\S+)", result.stderr)
        shutil.copy(self.program.folder / entry.group(1), folder)
        state = self.state_of("story.toml", "corpus")
        self.assertEqual(state["passed_over"], 0)
        self.assertGreater(state["entries"], 0)
        found = self.program.run("fuzz", "story.toml", "--corpus", "corpus", "--format", "json")
        target, = json.loads(found.stdout)["targets"]
        self.assertEqual(target["findings"][0]["strategy"], "corpus")

    def test_begins_with_what_fuzz_kept_and_adds_entries(self):
        self.program.write("story.toml", SAFE.read_bytes())
        self.program.run("fuzz", "story.toml", "--runs", "100", "--corpus", "corpus")
        kept = self.state_of("story.toml", "corpus")
        result = self.fuzz("story.toml", "-runs=300", "corpus/story")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"{kept['entries']} files found in corpus/story", result.stderr)
        state = self.state_of("story.toml", "corpus")
        self.assertEqual(state["passed_over"], 0)
        self.assertGreaterEqual(state["states"], kept["states"])

    def test_says_what_it_wants(self):
        result = self.fuzz("gone.toml", "-runs=1")
        self.assertEqual(result.returncode, 2)
        self.assertIn("LOCKSTEP_SCENARIO is the scenario to fuzz", result.stderr)


if __name__ == "__main__":
    unittest.main()
