"""lockstep explore: certificates, least counterexamples, going on after Ctrl-C."""

import json
import re
import signal
import subprocess
import time
import unittest

from program import Program

HOLDS = """\
title  = "Two who try once"
lock   = "plain"
expect = { holds = ["mutual-exclusion", "valid-grant"] }

[[client]]
name  = "w"
count = 2
run   = ["try_lock lease=2s", "unlock"]
"""

PAUSE = """\
title  = "Two clients, one pause"
lock   = "plain"
expect = { violates = "mutual-exclusion" }
faults = ["pause"]

[budget]
faults = 1

[[client]]
name = "a"
run  = ["try_lock lease=2s", "sleep 1s", "unlock"]

[[client]]
name  = "b"
start = "2100ms"
run   = ["try_lock lease=2s", "sleep 1s", "unlock"]
"""

LONG = HOLDS.replace("count = 2", "count = 4").replace("try_lock", "lock")


def without_times(text):
    return re.sub(r'"elapsed_ms": \d+|time: [\d.]+ s', "", text)


class Explore(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def explore(self, *arguments, code):
        result = self.program.run("explore", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def file_of(self, result):
        document = json.loads(result.stdout)
        self.assertEqual(document["schema"], 1)
        return document["files"][0]

    def test_certifies_a_small_scenario_the_same_with_any_number_of_jobs(self):
        self.program.write("holds.toml", HOLDS)
        alone = self.explore("holds.toml", "--jobs", "1", code=0)
        self.assertIn("no violation within these bounds", alone.stdout)
        self.assertIn("this says nothing of: lease-linearizability", alone.stdout)
        together = self.explore("holds.toml", "--jobs", "3", code=0)
        self.assertEqual(without_times(alone.stdout), without_times(together.stdout))

    def test_saves_the_certificate_where_it_is_asked_to(self):
        self.program.write("holds.toml", HOLDS)
        told = self.file_of(self.explore("holds.toml", "--format", "json", "--out", "out", code=0))
        saved = json.loads((self.program.folder / "out/holds.certificate.json").read_text())
        self.assertEqual(saved["files"][0]["hash"], told["hash"])
        self.assertGreater(told["counts"]["states"], 10)
        self.assertEqual(told["counts"]["paths_left"], 0)
        self.assertEqual(told["end"], "exhausted")

    def test_finds_the_least_run_that_breaks_and_saves_a_scenario_that_breaks_by_itself(self):
        self.program.write("pause.toml", PAUSE)
        found = self.file_of(self.explore("pause.toml", "--format", "json", code=0))["found"]
        self.assertEqual([(each["property"], each["faults"], each["deviations"])
                          for each in found if each["property"] == "mutual-exclusion"],
                         [("mutual-exclusion", 1, 0)])
        kept = (self.program.folder / "lockstep-out/pause-mutual-exclusion.toml").read_text()
        self.assertRegex(kept, r"^# Found by lockstep explore pause\.toml: run \d+\.\n")
        again = self.program.run("run", "lockstep-out/pause-mutual-exclusion.toml", "--no-files")
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        trace = "lockstep-out/pause-mutual-exclusion.found.trace.jsonl"
        self.assertEqual(self.program.run("replay", trace).returncode, 0)

    def test_says_where_what_was_to_break_holds(self):
        self.program.write("pause.toml", PAUSE)
        result = self.explore("pause.toml", "--faults", "0", "--deviations", "2", code=1)
        self.assertIn("it holds within these bounds", result.stdout)
        self.assertIn("at most 2 choices of a run", result.stdout)

    def test_goes_on_after_an_interruption_to_the_same_certificate(self):
        self.program.write("holds.toml", HOLDS)
        whole = self.file_of(self.explore("holds.toml", "--format", "json", code=0))
        part = self.file_of(self.explore("holds.toml", "--format", "json", "--limit-memory", "20KiB",
                                         code=3))
        self.assertEqual(part["end"], "out-of-memory")
        self.assertEqual(part["properties"][0]["status"], "unknown")
        resumed = self.file_of(self.explore("holds.toml", "--format", "json", "--resume",
                                            part["resume"], code=0))
        for name in ("counts", "hash", "properties", "outcome"):
            self.assertEqual(resumed[name], whole[name])

    def test_limit_of_time_stops_between_runs_and_leaves_what_goes_on(self):
        self.program.write("holds.toml", HOLDS)
        whole = self.file_of(self.explore("holds.toml", "--format", "json", code=0))
        ample = self.file_of(self.explore("holds.toml", "--format", "json", "--limit-time", "1h",
                                          code=0))
        self.assertEqual((ample["counts"], ample["hash"]), (whole["counts"], whole["hash"]))
        self.program.write("long.toml", LONG)
        for limit in ("1ms", "500ms", "4s", "20s"):  # a busy machine may not begin in time
            result = self.explore("long.toml", "--format", "json", "--limit-time", limit, code=3)
            files = json.loads(result.stdout)["files"]
            if files and files[0]["counts"]["runs"] > 0:
                break
        self.assertEqual(files[0]["end"], "interrupted")
        self.assertLessEqual({each["status"] for each in files[0]["properties"]},
                             {"unknown", "undecided"})
        self.assertGreater(files[0]["counts"]["paths_left"], 0)
        self.assertTrue((self.program.folder / files[0]["resume"]).exists())
        resumed = self.explore("long.toml", "--format", "json", "--limit-time", "1ms", "--resume",
                               files[0]["resume"], code=3)
        for each in json.loads(resumed.stdout)["files"]:
            self.assertGreaterEqual(each["counts"]["runs"], files[0]["counts"]["runs"])

    def test_control_c_leaves_what_goes_on(self):
        self.program.write("long.toml", LONG)
        process = subprocess.Popen(
            [self.program.binary, "explore", "long.toml", "--format", "json"],
            cwd=self.program.folder, env=self.program.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, errors)
        self.assertIn("interrupted", errors)
        left = json.loads(output)["files"][0]
        self.assertEqual(left["end"], "interrupted")
        self.assertTrue((self.program.folder / left["resume"]).exists())

    def test_refuses_what_it_can_not_go_on_with(self):
        self.program.write("holds.toml", HOLDS)
        self.program.write("other.explored", "nothing of the kind")
        for path, why in (("none.explored", "cannot read it"), ("other.explored", "no search")):
            result = self.explore("holds.toml", "--resume", path, code=2)
            self.assertIn(why, result.stderr)
            self.assertIn(path, result.stderr)
        left = self.file_of(self.explore("holds.toml", "--format", "json", "--limit-memory", "20KiB",
                                         code=3))["resume"]
        result = self.explore("holds.toml", "--delay-steps", "3", "--resume", left, code=2)
        self.assertIn("other bounds", result.stderr)
        path = self.program.folder / left
        path.write_bytes(path.read_bytes()[:-9])
        self.assertIn("damaged", self.explore("holds.toml", "--resume", left, code=2).stderr)

    def test_helps_with_an_example(self):
        text = self.program.run("explore", "--help").stdout
        self.assertIn("Example:\n  lockstep explore scenarios/explore/pause.toml\n", text)
        self.assertIn("Exit codes: 0 as expected", text)
        self.assertLess(max(map(len, text.splitlines())), 120)

    def test_refuses_bounds_that_are_none(self):
        self.program.write("holds.toml", HOLDS)
        for option, word in (("--delay-steps", "0"), ("--faults", "-1"), ("--jobs", "0"),
                             ("--fault-places", "all"), ("--limit-memory", "much")):
            result = self.explore("holds.toml", option, word, code=2)
            self.assertIn(option, result.stderr)


if __name__ == "__main__":
    unittest.main()
