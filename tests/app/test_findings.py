"""lockstep shrink and lockstep keep: what becomes of a finding."""

import json
import unittest

from program import GC_PAUSE, HOLDS, Program

# Much that the story does not need, odd numbers, work and delays that are drawn.
BLOATED = """\
title  = "Bloated"
lock   = "plain"
expect = { holds = ["mutual-exclusion", "lease-linearizability"] }

[redis]
replicas = 1

[[client]]
name   = "a"
rounds = 2
run    = ["lock lease=10s", "sleep 1s", "write", "unlock"]

[[client]]
name  = "b"
start = "5ms..9ms"
run   = ["lock lease=10s", "write", "sleep 3s", "unlock"]

[[client]]
name     = "c"
start    = "40s"
generate = { steps = 2, mix = { lock = 1, write = 1 }, think = "0s..1s", hold = "1s", lease = "9s" }

[[fault]]
delay = "release"
by    = "10ms"

[[fault]]
pause = "a"
when  = "a read"
after = "713us"
for   = "15.371s"
"""

OPEN = """\
title  = "Open"
lock   = "plain"
expect = { violates = "mutual-exclusion" }
faults = ["pause"]

[[client]]
name  = "w"
count = 2
start = "0s..1s"

[client.generate]
steps = 3
mix   = { lock = 1, write = 1 }
hold  = "0s..5s"
lease = "10s"
"""


class Shrink(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def shrink(self, *arguments, code=0):
        result = self.program.run("shrink", *arguments, "--format", "json")
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        shrunk, = json.loads(result.stdout)["shrunk"]
        return shrunk

    def assert_runs_as_expected(self, *scenarios):
        result = self.program.run("run", *scenarios, "--seeds", "30", "--no-files")
        self.assertEqual(result.returncode, 0, result.stdout)

    def assert_replays(self, *traces):
        result = self.program.run("replay", *traces)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.count(" events, hash "), len(traces))

    def test_makes_a_failing_scenario_small(self):
        self.program.write("bloated.toml", BLOATED)
        shrunk = self.shrink("bloated.toml")
        self.assertEqual(shrunk["property"], "mutual-exclusion")
        self.assertEqual((shrunk["needs"], shrunk["breaks_always"]), (["always"], True))
        self.assertTrue(shrunk["faults"][0].startswith("pause a for "), shrunk["faults"])
        self.assertLessEqual(shrunk["shrink_runs"], 200)
        self.assertLessEqual(shrunk["rows"], 40)
        text = (self.program.folder / shrunk["scenario"]).read_text()
        self.assertRegex(text.splitlines()[0], r"^# Shrunk from bloated.toml, seed \d+\.$")
        for gone in ("replicas", "rounds", '"c"', "713us", "15.371s", ".."):
            self.assertNotIn(gone, text)
        self.assert_runs_as_expected(shrunk["scenario"])
        self.assert_replays(shrunk["trace"])
        self.assertTrue((self.program.folder / shrunk["timeline"]).exists())

    def test_keeps_the_nearest_that_passes(self):
        self.program.write("bloated.toml", BLOATED)
        passing = self.shrink("bloated.toml")["passing"]
        self.assertRegex(passing["change"], r"^with pause a for \d+m?s ")
        result = self.program.run("run", passing["scenario"], "--seeds", "30", "--no-files")
        # It passes because the pause no longer matters: it expects nothing, and that is said.
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("mattered in none", " ".join(result.stdout.split()))
        self.assert_replays(passing["trace"])
        both = passing["trace"].replace(".passing.trace.jsonl", ".beside.svg")
        self.assertIn("first difference", (self.program.folder / both).read_text())
        text = (self.program.folder / passing["scenario"]).read_text()
        self.assertIn("Nothing puts mutual-exclusion to the test in it, so it expects nothing.", text)
        self.assertIn("expect = { sometimes = [] }", text)

    def test_shrinks_what_a_search_finds_in_an_open_scenario(self):
        self.program.write("open.toml", OPEN)
        shrunk = self.shrink("open.toml")
        self.assertEqual(len(shrunk["faults"]), 1)
        self.assertEqual(shrunk["needs"], ["always"])
        self.assert_runs_as_expected(shrunk["scenario"])

    def test_shrinks_the_run_of_a_trace(self):
        self.program.write("open.toml", OPEN)
        self.program.run("fuzz", "open.toml", "--runs", "500", "--out", "found")
        trace, = [f"found/{name}" for name in self.program.files("found")
                  if name.endswith(".found.trace.jsonl")]
        again = self.shrink(trace)
        name = trace.removesuffix(".found.trace.jsonl")
        # The same run is made into the same scenario.
        small = (self.program.folder / f"{name}.toml").read_text().splitlines()[1:]
        self.assertEqual((self.program.folder / again["scenario"]).read_text().splitlines()[1:],
                         small)
        result = self.program.run("replay", trace)
        self.assertRegex(result.stdout, r"\(open.toml, run \d+ of a search with seed 1, \w+")
        header = json.loads((self.program.folder / trace).read_text().splitlines()[0])
        self.assertEqual(header["found"]["seed"], 1)

    def test_looks_for_the_property_that_is_named(self):
        self.program.write("gc-pause.toml", GC_PAUSE)
        self.assertEqual(self.shrink("gc-pause.toml", "--property", "harm")["property"], "harm")

    def test_says_where_there_is_nothing_to_shrink(self):
        self.program.write("holds.toml", HOLDS)
        self.program.write("gc-pause.toml", GC_PAUSE)
        self.program.run("run", "holds.toml", "--out", "out")
        cases = [
            (("holds.toml", "--runs", "20"), "holds.toml: nothing breaks in 20 runs"),
            (("out/holds.trace.jsonl",), "nothing breaks in 1 run"),
            (("gc-pause.toml", "--property", "lease-linearizability", "--runs", "5"),
             "lease-linearizability holds in 5 runs"),
        ]
        for arguments, part in cases:
            with self.subTest(arguments):
                result = self.program.run("shrink", *arguments)
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertIn(part, result.stderr)
        self.assertFalse((self.program.folder / "lockstep-out/holds.small.toml").exists())

    def test_refuses_mistakes(self):
        self.program.write("gc-pause.toml", GC_PAUSE)
        self.program.write("wrong.toml", "lok = 1")
        self.program.write("cut.jsonl", '{"lockstep_trace": 1')
        self.program.write("file", "")
        cases = [
            (("wrong.toml",), "wrong.toml:1"),
            (("cut.jsonl",), "cut.jsonl:1"),
            (("missing.toml",), "missing.toml"),
            (("gc-pause.toml", "--property", "mutual-exclusio"), "did you mean 'mutual-exclusion'"),
            (("gc-pause.toml", "--property", "latch"), "is not judged by latch"),
            (("gc-pause.toml", "--runs", "0"), "--runs: expected at least 1"),
            (("gc-pause.toml", "--out", "file/x"), "--out: cannot write 'file/x': 'file' is a file"),
            ((), "TARGET"),
        ]
        for arguments, part in cases:
            with self.subTest(arguments):
                result = self.program.run("shrink", *arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
                self.assertIn(part, result.stderr)


class Keep(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("gc-pause.toml", "# Found by somebody.\n" + GC_PAUSE)

    def keep(self, *arguments, code):
        result = self.program.run("keep", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def test_takes_a_scenario_into_the_regressions(self):
        result = self.keep("gc-pause.toml", code=0)
        self.assertEqual(result.stdout, "scenarios/regressions/gc-pause.toml\n")
        text = (self.program.folder / "scenarios/regressions/gc-pause.toml").read_text()
        self.assertEqual(text.splitlines()[0], "# Found by somebody.")
        run = self.program.run("run", "scenarios/", "--seeds", "20")
        self.assertEqual(run.returncode, 0, run.stdout)

    def test_keeps_a_story_once(self):
        self.keep("gc-pause.toml", code=0)
        before = self.program.files("scenarios")
        # Another file of the same lock, property and fault.
        self.program.write("later.toml", GC_PAUSE.replace("15s", "25s"))
        result = self.keep("later.toml", code=1)
        self.assertIn("scenarios/regressions/gc-pause.toml tells the same story", result.stderr)
        self.assertEqual(self.program.files("scenarios"), before)
        # Of another lock it is another one.
        self.program.write("fenced.toml", GC_PAUSE.replace('"plain"', '"fenced"'))
        self.keep("fenced.toml", code=0)

    def test_writes_over_nothing(self):
        self.program.write("scenarios/regressions/gc-pause.toml", HOLDS)
        result = self.keep("gc-pause.toml", code=2)
        self.assertIn("there is such a file already", result.stderr)
        self.assertEqual(
            (self.program.folder / "scenarios/regressions/gc-pause.toml").read_text(), HOLDS)

    def test_keeps_no_scenario_that_is_not_as_it_expects(self):
        self.program.write("mild.toml", GC_PAUSE.replace("15s", "1s"))
        self.assertIn("it is not as it expects", self.keep("mild.toml", code=1).stderr)
        self.program.write("holds.toml", HOLDS)
        self.assertIn("this violates nothing", self.keep("holds.toml", code=2).stderr)
        self.assertFalse((self.program.folder / "scenarios").exists())

    def test_keeps_what_was_mended_as_what_holds(self):
        self.assertIn("it is not as it expects", self.keep("gc-pause.toml", "--mended", code=1).stderr)
        self.program.write("mild.toml", GC_PAUSE.replace("15s", "1s"))
        self.assertIn("it is not as it expects", self.keep("mild.toml", "--mended", code=3).stderr)
        contended = GC_PAUSE.replace('"write", "unlock"', '"write", "sleep 1s", "unlock"')
        self.program.write("mild.toml", contended[:contended.index("[[fault]]")])
        self.keep("mild.toml", "--mended", "--to", "kept", code=0)
        self.assertIn('holds = ["mutual-exclusion", "lease-linearizability"]',
                      (self.program.folder / "kept/mild.toml").read_text())

    def test_turns_what_was_kept_where_the_lock_was_mended(self):
        self.keep("gc-pause.toml", code=0)
        kept = self.program.folder / "scenarios/regressions/gc-pause.toml"
        self.keep("gc-pause.toml", "--mended", code=1)  # it still breaks
        self.assertIn("violates", kept.read_text())
        contended = GC_PAUSE.replace('"write", "unlock"', '"write", "sleep 1s", "unlock"')
        kept.write_text(contended[:contended.index("[[fault]]")])  # as if the lock were mended
        result = self.keep("scenarios/regressions/gc-pause.toml", "--mended", code=0)
        self.assertEqual(result.stdout, "scenarios/regressions/gc-pause.toml: what it violated is to "
                                        "hold from now on\n")
        self.assertNotIn("violates", kept.read_text())

    def test_what_was_kept_runs_first(self):
        self.keep("gc-pause.toml", code=0)
        kept = self.program.folder / "scenarios/regressions/gc-pause.toml"
        self.program.write("holds.toml", HOLDS)
        self.program.write("fenced.toml", HOLDS.replace('"plain"', '"fenced"'))
        first = "scenarios/regressions: 1 finding is as kept, run first\n"
        searches = (("run", "holds.toml", "--no-files"), ("fuzz", "plain", "--runs", "1"))
        for command in searches:
            self.assertEqual(self.program.run(*command).stderr, first)
        # Another lock's, and the file itself, are nobody's business.
        for path in ("fenced.toml", "scenarios/regressions/gc-pause.toml"):
            self.assertEqual(self.program.run("run", path, "--no-files").stderr, "")
        # As if the lock were mended.
        still = kept.read_text()
        kept.write_text(still[:still.index("[[fault]]")])
        for command in searches:
            result = self.program.run(*command)
            self.assertIn("gc-pause.toml: it does not break any more; where the lock was mended, "
                          "'lockstep keep --mended scenarios/regressions/gc-pause.toml'", result.stderr)
            self.assertNotEqual(result.returncode, 1)
        # As if what was mended were back.
        kept.write_text(still.replace('violates = "mutual-exclusion", holds = "', 'holds = "')
                        .replace('"lease-linearizability"', '["lease-linearizability", "mutual-exclusion"]'))
        kept.write_text(kept.read_text().replace("violates", "holds"))
        for command in searches:
            result = self.program.run(*command)
            self.assertIn("gc-pause.toml: what was mended is broken again\n", result.stderr)
            self.assertEqual(result.returncode, 1)

    def test_names_a_lock_in_a_folder_from_where_it_stands_then(self):
        self.program.run("new", "lock", "my-lock")
        self.program.write("found/pause.toml", GC_PAUSE.replace('"plain"', '"../my-lock"'))
        self.keep("found/pause.toml", code=0)
        self.assertIn('lock   = "../../my-lock"', (
            self.program.folder / "scenarios/regressions/pause.toml").read_text())
        self.assertEqual(self.program.run("run", "scenarios", "--seeds", "5").returncode, 0)
        self.program.write("found/again.toml", GC_PAUSE.replace('"plain"', '"../my-lock"'))
        self.assertIn("the same story", self.keep("found/again.toml", code=1).stderr)


if __name__ == "__main__":
    unittest.main()
