"""Families, parameters, --set, --dry-run, schema, new scenario; damaged files one by one."""

import json
import random
import re
import unittest

from program import GC_PAUSE, REPOSITORY, Program

FAMILY = """\
lock = "plain"
[parameters]
lease = "10s"
[[client]]
name = "a"
run  = ["lock lease=$lease", "write", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=$lease", "write", "unlock"]
"""

STORY = """\
base   = "family.base.toml"
title  = "A pause of $pause"
expect = { violates = "mutual-exclusion" }
[parameters]
lease = ["5s", "10s"]
pause = "15s"
[[case]]
[[case]]
pause  = "3s"
expect = { sometimes = "b acquired" }
[[fault]]
pause = "a"
when  = "a read"
for   = "$pause"
"""


class Families(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("stories/family.base.toml", FAMILY)
        self.program.write("stories/story.toml", STORY)

    def test_each_row_is_a_scenario_and_bases_are_none(self):
        result = self.program.run("run", "stories", "--format", "json", "--no-files")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        scenarios = json.loads(result.stdout)["scenarios"]
        self.assertEqual([each["parameters"] for each in scenarios],
                         [{"lease": "5s", "pause": "15s"}, {"lease": "10s", "pause": "15s"},
                          {"lease": "5s", "pause": "3s"}, {"lease": "10s", "pause": "3s"}])
        text = self.program.run("run", "stories", "--no-files").stdout
        self.assertIn("story.toml [lease=10s, pause=3s]", text)
        self.assertIn("4 scenarios, 4 runs: 4 as expected", text)

    def test_a_row_is_run_again_as_it_says(self):
        result = self.program.run("run", "stories/story.toml", "--set", "lease=7s", "--set",
                                  "pause=15s", "--no-files")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        again = re.search(r"replay   \S+ (run .*)", result.stdout).group(1).split()
        self.assertEqual(again, ["run", "stories/story.toml", "--set", "lease=7s", "--set",
                                 "pause=15s", "--seed", "1"])
        self.assertEqual(self.program.run(*again, "--no-files").stdout, result.stdout)

    def test_a_trace_has_all_that_its_row_needs(self):
        self.program.run("run", "stories", "--out", "out")
        for path in ("stories/family.base.toml", "stories/story.toml"):
            self.program.write(path, "no scenario any more")
        trace = "out/story-lease=10s_pause=3s.trace.jsonl"
        result = self.program.run("replay", trace)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("the same", result.stdout)

    def test_wrong_settings_are_refused(self):
        for setting, words in (("leas=1s", "did you mean 'lease'?"), ("lease", "NAME=VALUE"),
                               ("lease=soon", "is no duration")):
            result = self.program.run("run", "stories/story.toml", "--set", setting)
            self.assertEqual(result.returncode, 2, setting)
            self.assertIn(words, result.stderr)


class Telling(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def test_a_dry_run_tells_and_runs_nothing(self):
        self.program.write("gc.toml", GC_PAUSE)
        result = self.program.run("run", "gc.toml", "--dry-run", "--out", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        for words in ("pause a for 15s when a read", "watchdog_lease_ms = 30000", "horizon 10m",
                      "no two threads believe at once that they hold the lock"):
            self.assertIn(words, result.stdout)
        self.assertFalse((self.program.folder / "out").exists())
        self.program.write("gc.toml", GC_PAUSE.replace('"plain"', '"plian"'))
        self.assertEqual(self.program.run("run", "gc.toml", "--dry-run").returncode, 2)

    def test_the_schema_is_json(self):
        schema = json.loads(self.program.run("schema").stdout)
        self.assertIn("title", schema["properties"])

    def test_a_new_scenario_runs_as_expected_for_every_lock(self):
        names = [each["name"] for each in json.loads(
            self.program.run("list", "locks", "--format", "json").stdout)["locks"]]
        self.assertGreater(len(names), 10)
        for number, lock in enumerate(name for name in names if "/" not in name):
            for topology in ("standalone", "replicated", "independent", "sentinel",
                             "cluster"):
                name = f"story-{number}-{topology}"
                made = self.program.run("new", "scenario", name, "--lock", lock, "--topology",
                                        topology)
                if topology != "independent" and "redlock" in lock:
                    self.assertEqual(made.returncode, 2)
                    self.assertIn("independent masters", made.stderr)
                    continue
                self.assertEqual(made.returncode, 0, made.stderr)
                if topology == "cluster":
                    text = (self.program.folder / f"{name}.toml").read_text()
                    self.program.write(f"{name}-tagged.toml", text.replace(
                        "\nexpect", "\nlock_name = \"{shop}:orders\"\nexpect", 1))
        result = self.program.run("run", ".", "--seeds", "5", "--no-files")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_the_faults_that_a_new_scenario_suggests_strike(self):
        for topology in ("standalone", "replicated", "independent", "sentinel", "cluster"):
            with self.subTest(topology):
                self.program.run("new", "scenario", topology, "--topology", topology)
                path = self.program.folder / f"{topology}.toml"
                story, mark, faults = path.read_text().partition("# [[fault]]")
                path.write_text(story + (mark + faults).replace("# ", "").replace("#\n", "\n"))
                result = self.program.run("run", path.name, "--seeds", "10", "--no-files")
                self.assertIn(result.returncode, (0, 1), result.stderr)
                self.assertIn("struck   in 10 of 10 runs", result.stdout)
                self.assertNotIn("never struck", result.stdout)

    def test_a_lock_says_what_sometimes_happens(self):
        self.assertEqual(self.program.run("new", "lock", "mine", "--from", "setnx").returncode, 0)
        client = self.program.folder / "mine" / "client.lua"
        client.write_text(client.read_text().replace(
            "function model.unlock(lock)",
            "function model.unlock(lock)\n  client.log(\"gives it back\")", 1))
        story = GC_PAUSE.replace('"plain"', '"./mine"')
        start = story.index("expect")
        for words, code in (("a logged gives it back", 0), ("a logged gives up", 1)):
            end = story.index("\n", start)
            self.program.write("gc.toml", story[:start] +
                               f'expect = {{ sometimes = "{words}" }}' + story[end:])
            result = self.program.run("run", "gc.toml", "--no-files")
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)

    def test_a_new_scenario_is_refused_as_it_should_be(self):
        self.program.run("new", "scenario", "mine")
        for words in (("mine",), ("Mine",), ("other", "--lock", "none"),
                      ("other", "--topology", "ring"), ("other", "--from", "plain")):
            self.assertEqual(self.program.run("new", "scenario", *words).returncode, 2, words)


class DamagedFiles(unittest.TestCase):
    """The parser is fuzzed in tests/scenario; here the whole program meets some hundred files."""

    def test_are_told_of_or_refused(self):
        program = Program()
        self.addCleanup(program.close)
        dice = random.Random(5)
        texts = [path.read_text(encoding="utf-8")
                 for path in sorted((REPOSITORY / "scenarios").rglob("*.toml"))]
        for number in range(300):
            program.write(f"damaged/{number}.toml", damage(dice, texts))
        result = program.run("run", "damaged", "--dry-run")
        self.assertIn(result.returncode, (0, 2), result.stderr)
        complaints = [line for line in result.stderr.splitlines() if line]
        self.assertGreater(len(complaints), 100)
        for line in complaints:
            if re.match(r" +\d* *\| ", line):
                continue  # the line that it is about
            self.assertRegex(line, r"^(damaged/\d+\.toml:\d+:\d+|.*lock\.toml.*|.*scripts/.*): error: ")


def damage(dice, texts):
    """One of the texts with some of its lines and words in other places."""
    lines = dice.choice(texts).splitlines()
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(lines))
        kind = dice.randrange(5)
        if kind == 0:
            lines.insert(at, dice.choice(dice.choice(texts).splitlines()))
        elif kind == 1 and len(lines) > 1:
            del lines[at]
        elif kind == 2:
            words = re.findall(r"\w+", lines[at]) or ["x"]
            others = re.findall(r"\w+", dice.choice(texts))
            lines[at] = lines[at].replace(dice.choice(words), dice.choice(others), 1)
        elif kind == 3:
            lines[at] = lines[at][:dice.randint(0, len(lines[at]))]
        else:
            lines[at] = lines[at].replace('"', dice.choice(["", "'", '"$', '"1..']), 1)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    unittest.main()
