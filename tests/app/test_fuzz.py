"""lockstep fuzz: what it finds, says and leaves; the same with any number of jobs."""

import json
import re
import resource
import signal
import subprocess
import time
import unittest
from xml.etree import ElementTree

from program import GC_PAUSE, HOLDS, Program

OPEN = """\
title  = "Two clients"
lock   = "plain"
expect = { holds = ["mutual-exclusion", "lease-linearizability"] }
faults = ["pause", "evict", "clock_step"]

[budget]
faults = 2

[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]

[[client]]
name  = "b"
start = "0ms..5ms"
run   = ["lock lease=10s", "write", "unlock"]
"""

SAFE = OPEN.replace('["pause", "evict", "clock_step"]', '["script_flush"]')

ROWS = OPEN.replace("lease=10s", "lease=$lease") + '\n[parameters]\nlease = ["5s", "10s"]\n'


# A master that was cut off gives out locks that count nowhere; it may become the master again.
CUT_OFF_MASTER = """\
title  = "A lock that an old master alone gave out"
lock   = "setnx"
faults = ["partition", "delay", "cut", "isolate"]
expect = { holds = ["mutual-exclusion"] }

[redis]
topology = "sentinel"
replicas = 2
sentinel = { count = 3, quorum = 2, down_after = "2s" }

[[client]]
name   = "c"
count  = 2
start  = "0s..20ms"
rounds = 4
run    = ["lock lease=40s", "sleep 1s..3s", "write", "unlock"]

[limits]
events = 60000
"""


def without_times(text):
    return re.sub(r'"(shrink_)?elapsed_ms": \d+|, \d+ runs/s', "", text)


class Fuzz(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def fuzz(self, *arguments, code):
        result = self.program.run("fuzz", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def targets_of(self, result):
        document = json.loads(result.stdout)
        self.assertEqual(document["schema"], 1)
        return document["targets"]

    def contents(self, folder):
        return {name: (self.program.folder / folder / name).read_bytes()
                for name in self.program.files(folder)}

    def test_goes_on_where_nobody_saw_who_wrote_a_token(self):
        self.program.write("cut-off.toml", CUT_OFF_MASTER)
        result = self.fuzz("cut-off.toml", "--runs", "200", "--keep-going", "--jobs", "1", code=1)
        self.assertIn("in 200 runs", result.stdout)

    def test_finds_the_same_with_any_number_of_jobs(self):
        self.program.write("open.toml", OPEN)
        for jobs, more in (("2", ("--format", "json")), ("5", ("--keep-going",))):
            with self.subTest(more):
                outputs = []
                for each in ("1", jobs):
                    result = self.fuzz("open.toml", "--runs", "1100", "--jobs", each, *more, code=1)
                    outputs.append((without_times(result.stdout), self.contents("lockstep-out")))
                self.assertEqual(outputs[0], outputs[1])
                self.assertIn("lease-linearizability", outputs[0][0])

    def test_saves_scenarios_that_run_as_they_expect_and_traces_that_replay(self):
        self.program.write("open.toml", OPEN)
        target, = self.targets_of(self.fuzz("open.toml", "--runs", "500", "--keep-going", "--out",
                                            "found", "--format", "json", code=1))
        self.assertEqual((target["target"], target["runs"], target["seed"], target["strategy"]),
                         ("open.toml", 500, 1, "portfolio"))
        self.assertGreater(target["states"], 100)
        self.assertGreaterEqual(len(target["findings"]), 4)
        told_apart = {(each["property"], *each["kinds"]) for each in target["findings"]}
        self.assertEqual(len(told_apart), len(target["findings"]))
        always = [each for each in target["findings"] if each["breaks_always"]]
        self.assertGreaterEqual(len(always), 3)
        for finding in always:
            with self.subTest(finding["scenario"]):
                self.assertLessEqual(finding["shrink_runs"], 200)
                self.assertEqual(len(finding["faults"]), 1)
                result = self.program.run("run", finding["scenario"], "--seeds", "50", "--no-files")
                self.assertEqual(result.returncode, 0, result.stdout)
        for finding in target["findings"]:
            for trace in (finding["found_trace"], finding["trace"]):
                with self.subTest(trace):
                    result = self.program.run("replay", trace)
                    self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                    self.assertIn(f"  {finding['property']} is violated: ", result.stdout)
            self.assertTrue((self.program.folder / finding["timeline"]).exists())

    def test_ends_with_0_where_nothing_broke_that_was_to_hold(self):
        self.program.write("safe.toml", SAFE)
        result = self.fuzz("safe.toml", "--runs", "30", code=0)
        self.assertRegex(result.stdout, r"as expected: 0 findings in 30 runs")
        self.assertEqual(self.program.files("lockstep-out"), [])

    def test_ends_with_1_where_nothing_broke_that_was_to_break(self):
        self.program.write("safe.toml", SAFE.replace("holds =", "violates ="))
        result = self.fuzz("safe.toml", "--runs", "20", code=1)
        self.assertIn("not as expected: 0 findings in 20 runs", result.stdout)

    def test_ends_with_0_where_that_broke_which_was_to_break(self):
        self.program.write("open.toml", OPEN.replace(
            '{ holds = ["mutual-exclusion", "lease-linearizability"] }',
            '{ violates = "mutual-exclusion" }'))
        self.assertIn("as expected: 1 finding in",
                      self.fuzz("open.toml", "--runs", "500", code=0).stdout)

    def test_refuses_mistakes(self):
        self.program.write("open.toml", OPEN)
        self.program.write("wrong.toml", OPEN.replace("lock ", "lok "))
        self.program.write("file", "")
        cases = [
            (("open.toml", "--shard", "3/2"), "K/N with K from 1 to N"),
            (("open.toml", "--shard", "0/2"), "K/N with K from 1 to N"),
            (("open.toml", "--shard", "2"), "K/N, as in 2/5"),
            (("open.toml", "--strategy", "foo"), "'foo' is not uniform"),
            (("open.toml", "--strategy", "swam"), "did you mean 'swarm'?"),
            (("open.toml", "--runs", "0"), "--runs: expected at least 1"),
            (("open.toml", "--jobs", "0"), "--jobs: expected a number from 1 to 1024"),
            (("open.toml", "--time", "soon"), "--time"),
            (("open.toml", "--annotations", "gitlab"), "'gitlab' is not github"),
            (("open.toml", "--out", "file/x"), "--out: cannot write 'file/x': 'file' is a file"),
            (("plian",), "unknown lock 'plian'; did you mean 'plain'"),
            (("wrong.toml",), "wrong.toml:2"),
            (("open.toml", "wrong.toml"), "wrong.toml:2"),
            ((), "TARGET"),
        ]
        for arguments, part in cases:
            with self.subTest(arguments):
                result = self.fuzz(*arguments, code=2)
                self.assertEqual(result.stdout, "")
                self.assertIn(part, result.stderr)

    def test_shards_find_together_what_the_whole_finds(self):
        self.program.write("open.toml", OPEN)

        def findings(*more):
            target, = self.targets_of(self.fuzz("open.toml", "--runs", "1500", "--keep-going",
                                                *more, "--format", "json", code=1))
            return target["runs"], target["findings"]

        # Which kinds are told depends on the run that was made small, the first of its part.
        def first_and_seen(all_findings):
            found = {}
            for each in all_findings:
                first, before = found.get(each["property"], (each["run"], 0))
                found[each["property"]] = (min(first, each["run"]), before + each["seen"])
            return found

        runs, whole = findings()
        parts = [findings("--shard", f"{k}/2") for k in (1, 2)]
        self.assertEqual([runs for runs, _ in parts], [1000, 500])
        self.assertEqual(runs, 1500)
        self.assertEqual(first_and_seen(parts[0][1] + parts[1][1]), first_and_seen(whole))
        self.assertGreater(len(whole), 2)

    def test_ends_in_time(self):
        self.program.write("safe.toml", SAFE)
        began = time.monotonic()
        result = self.fuzz("safe.toml", "safe.toml", "--time", "1s", code=0)
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(len(re.findall(r"as expected: 0 findings in [1-9]\d* runs",
                                        result.stdout)), 2)

    def test_makes_findings_small_within_the_time_too(self):
        self.program.write("open.toml", OPEN)
        began = time.monotonic()
        result = self.fuzz("open.toml", "--time", "3s", "--keep-going", "--format", "json", code=1)
        self.assertLess(time.monotonic() - began, 60)
        # How many are cut short is the machine's matter: search.Shrinking has one that is.
        findings = self.targets_of(result)[0]["findings"]
        self.assertTrue(findings)
        for finding in findings:
            self.assertEqual(self.program.run("replay", finding["trace"]).returncode, 0)
        whole, = self.targets_of(self.fuzz("open.toml", "--runs", "100", "--format", "json", code=1))
        self.assertFalse(whole["findings"][0]["cut_short"])

    def test_drops_what_nobody_needs_any_more(self):
        # Who sleeps for longer than the lease has lost the lock: in one of a thousand runs, and with
        # this seed in the first. Other workers have other stretches then, in which nothing breaks.
        rare = """\
title  = "A sleep that may be too long"
lock   = "plain"
expect = { holds = "mutual-exclusion" }

[[client]]
name = "a"
run  = ["lock lease=10s", "sleep 1ms..10010ms", "unlock"]

[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "unlock"]
"""
        self.program.write("rare.toml", rare)
        self.program.write("never.toml", rare.replace("10010ms", "9000ms"))
        more = ("--strategy", "uniform", "--seed", "57", "--format", "json")
        one_stretch_s, _ = self.processor_time_of("never.toml", "--runs", "1000", "--jobs", "1", *more, code=0)
        search_s, found = self.processor_time_of("rare.toml", "--runs", "20000", "--jobs", "12", *more, code=1)
        self.assertEqual(self.targets_of(found)[0]["runs"], 1)
        # Eleven stretches for nothing would take eleven times as much.
        self.assertLess(search_s, 6 * one_stretch_s)

    def processor_time_of(self, *arguments, code):
        """Others may use the machine, so not what a clock shows."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = self.fuzz(*arguments, code=code)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result

    def test_knows_nothing_where_it_made_no_run(self):
        self.program.write("safe.toml", SAFE)
        result = self.fuzz("safe.toml", "--runs", "500", "--shard", "2/2", code=3)
        self.assertIn("unknown: 0 findings in 0 runs", result.stdout)

    def test_leaves_valid_output_after_an_interruption(self):
        self.program.write("safe.toml", SAFE)
        process = subprocess.Popen(
            [self.program.binary, "fuzz", "safe.toml", "--runs", "100000000", "--format", "json",
             "--junit", "j.xml"],
            cwd=self.program.folder, env=self.program.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, errors)
        self.assertEqual(errors, "error: interrupted: this is what was found until then\n")
        target, = json.loads(output)["targets"]
        self.assertTrue(target["interrupted"])
        self.assertGreater(target["runs"], 0)
        ElementTree.parse(self.program.folder / "j.xml")

    def test_goes_on_until_all_broke_that_was_to_break(self):
        self.program.write("open.toml", OPEN.replace("holds", "violates"))
        result = self.fuzz("open.toml", "--runs", "1100", "--jobs", "2", code=0)
        self.assertIn("mutual-exclusion, because of", result.stdout)
        self.assertIn("lease-linearizability, because of", result.stdout)

    def test_searches_a_closed_scenario_over_its_delays(self):
        self.program.write("holds.toml", HOLDS)
        self.assertIn("as expected: 0 findings in 50 runs",
                      self.fuzz("holds.toml", "--runs", "50", code=0).stdout)
        self.program.write("gc-pause.toml", GC_PAUSE)
        self.assertIn("mutual-exclusion, because of pause: seen in 1 run, first in run 1",
                      self.fuzz("gc-pause.toml", "--runs", "50", code=0).stdout)

    def test_names_the_files_of_each_row(self):
        self.program.write("rows.toml", ROWS)
        self.fuzz("rows.toml", "--runs", "500", code=1)
        scenarios = [name for name in self.program.files("lockstep-out")
                     if name.endswith(".toml") and not name.endswith(".passing.toml")]
        self.assertEqual(len(scenarios), 2)
        self.assertTrue(scenarios[0].startswith("rows-lease=10s-"), scenarios)
        self.assertTrue(scenarios[1].startswith("rows-lease=5s-"), scenarios)

    def test_tells_ci(self):
        self.program.write("open.toml", OPEN)
        result = self.fuzz("open.toml", "--runs", "500", "--annotations", "github", "--junit",
                           "out/j.xml", code=1)
        annotations = [line for line in result.stderr.splitlines() if line.startswith("::")]
        self.assertEqual(len(annotations), 1)
        self.assertRegex(annotations[0], r"^::error file=lockstep-out/open-[\w-]+\.toml,"
                                         r"title=lease-linearizability%2C because of \w+::.+"
                                         r"\(lockstep replay lockstep-out/open-[\w-]+\.trace\.jsonl\)$")
        suites = ElementTree.parse(self.program.folder / "out/j.xml").getroot()
        self.assertEqual(len(list(suites.iter("failure"))), 1)

    def test_tells_ci_nothing_of_what_was_expected(self):
        self.program.write("open.toml", OPEN.replace(
            '{ holds = ["mutual-exclusion", "lease-linearizability"] }',
            '{ violates = "mutual-exclusion" }'))
        result = self.fuzz("open.toml", "--runs", "500", "--annotations", "github", code=0)
        self.assertNotIn("::error", result.stderr)


class Narrowing(unittest.TestCase):
    """--faults and --except, for scenario files and locks."""

    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("open.toml", OPEN)
        self.program.write("closed.toml", HOLDS)

    def fuzz(self, *arguments, codes=(0, 1, 3)):
        result = self.program.run("fuzz", *arguments)
        self.assertIn(result.returncode, codes, result.stdout + result.stderr)
        return result

    def kinds(self, *arguments):
        """Of the faults that the findings need."""
        document = json.loads(self.fuzz(*arguments, "--format", "json").stdout)
        return {kind for target in document["targets"] for finding in target["findings"]
                for kind in finding["kinds"]}

    def test_narrows_a_scenario(self):
        search = ("open.toml", "--runs", "300", "--keep-going")
        self.assertEqual(self.kinds(*search), {"pause", "evict", "clock_step"})
        self.assertEqual(self.kinds(*search, "--faults", "evict,pause"), {"pause", "evict"})
        self.assertEqual(self.kinds(*search, "--except", "evict,pause"), {"clock_step"})
        self.assertEqual(self.kinds(*search, "--faults", "evict,pause", "--except", "evict"), {"pause"})
        # What is saved is of the narrowed scenario.
        for name in self.program.files("lockstep-out"):
            if name.endswith("trace.jsonl"):
                result = self.program.run("replay", "lockstep-out/" + name)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_closed_scenario_says_so_and_is_opened(self):
        search = ("closed.toml", "--runs", "300")
        closed = " ".join(self.fuzz(*search, codes=(0,)).stdout.split())
        self.assertIn("only delays and what else its runs draw were varied", closed)
        self.assertIn("--faults any opens it", closed)
        opened = self.fuzz(*search, "--faults", "any", codes=(1,)).stdout
        self.assertNotIn("only delays", opened)
        self.assertEqual(self.kinds(*search, "--faults", "pause"), {"pause"})
        document = json.loads(self.fuzz(*search, "--format", "json").stdout)
        self.assertFalse(document["targets"][0]["opens_faults"])

    def test_narrows_a_lock(self):
        for runs, choice, allowed in (("300", ("--faults", "pause,drop"), {"pause", "drop"}),
                                      ("700", ("--faults", "evict"), {"evict"})):
            document = json.loads(self.fuzz("plain", "--runs", runs, "--format", "json", *choice).stdout)
            struck = {kind["kind"] for row in document["targets"][0]["rows"] for kind in row["kinds"]
                      if kind["struck"] > 0}
            self.assertEqual(struck, allowed)

    def test_refuses_mistakes(self):
        cases = [
            (("open.toml", "--faults", "paus"), "did you mean 'pause'"),
            (("open.toml", "--faults", "pause,"), "--faults"),
            (("open.toml", "--faults", "crash"), "leaves pause, clock_step and evict open"),
            (("open.toml", "--except", "pause,evict,clock_step"), "no fault of 'open.toml' is left"),
            (("closed.toml", "--except", "pause"), "expected --faults too"),
        ]
        for arguments, part in cases:
            with self.subTest(arguments):
                result = self.fuzz(*arguments, codes=(2,))
                self.assertEqual(result.stdout, "")
                self.assertIn(part, result.stderr)


if __name__ == "__main__":
    unittest.main()
