"""What else than a broken property lockstep fuzz comes upon: it is saved, told, and replays."""

import json
import unittest

from program import Program
from test_fuzz import SAFE

PAUSES = SAFE.replace("script_flush", "pause").replace("holds =", "violates =")

# What goes wrong: the scenario, or what replaces a part of the lock's client model; the exit code; a
# part of the words.
INCIDENTS = {
    "client-failed": (SAFE.replace('"plain"', '"./my-lock"').replace("script_flush", "pause")
                      .replace("holds =", "violates ="), 1, "the client model failed: a/1: "),
    "script-failed": (SAFE.replace('"plain"', '"./wrong-lock"'), 3,
                      "release.lua:2: attempt to index local 't' (a nil value)"),
    "overlap": (PAUSES.replace('expect = {', 'expect = { overlap_at_most = "1ms",'), 1,
                "overlap_at_most is 1ms, but two believed"),
    "wait": (PAUSES.replace('expect = {', 'expect = { wait_at_most = "1ms",'), 1,
             "wait_at_most is 1ms, but a thread waited"),
    "requests": (PAUSES.replace('expect = {', 'expect = { requests_per_second_at_most = 1,'), 1,
                 "requests_per_second_at_most is 1, but a client sent more requests in a second"),
    "unknown": (SAFE.replace('["mutual-exclusion", "lease-linearizability"]', '"no-leak"') +
                "\n[limits]\nevents = 25\n", 3, "nobody knows whether no-leak held: "),
}


class Incidents(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.run("new", "lock", "my-lock")
        client = self.program.folder / "my-lock/client.lua"
        client.write_text(client.read_text().replace("function model.unlock(lock)",
                                                 "function model.unlock(lock) error('oh')"))
        self.program.run("new", "lock", "wrong-lock")
        self.program.write("wrong-lock/release.lua", "local t = nil\nreturn t.x\n")

    def target(self, result):
        target, = json.loads(result.stdout)["targets"]
        del target["elapsed_ms"]
        for finding in target["findings"]:
            del finding["shrink_elapsed_ms"]
        return target

    def test_are_saved_and_told(self):
        for kind, (scenario, code, words) in INCIDENTS.items():
            with self.subTest(kind):
                self.program.write("open.toml", scenario)
                arguments = ("fuzz", "open.toml", "--runs", "600", "--keep-going")
                result = self.program.run(*arguments, "--jobs", "1", "--out", "found",
                                          "--annotations", "github")
                self.assertEqual(result.returncode, code, result.stdout + result.stderr)
                self.assertIn(f" {kind}: seen in ", result.stdout)
                self.assertIn(f"lockstep replay found/open-{kind}.found.trace.jsonl", result.stdout)
                level = "warning" if code == 3 else "error"
                self.assertIn(f"::{level} file=found/open-{kind}.toml,title=open.toml::",
                              result.stderr)
                json_of = [self.target(self.program.run(*arguments, "--jobs", jobs, "--out", "found",
                                                        "--format", "json")) for jobs in "13"]
                self.assertEqual(json_of[0], json_of[1])
                incident, = [each for each in json_of[0]["incidents"] if each["kind"] == kind]
                self.assertIn(words, incident["what"])
                result = self.program.run("replay", incident["found_trace"])
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                result = self.program.run("run", incident["scenario"], "--no-files")
                self.assertNotEqual(result.returncode, 2, result.stderr)

    def test_an_unknown_is_told_beside_a_finding(self):
        scenario = (SAFE.replace("script_flush", "pause")
                    .replace('"lease-linearizability"', '"no-leak"') + "\n[limits]\nevents = 110\n")
        self.program.write("open.toml", scenario)
        target = self.target(self.program.run("fuzz", "open.toml", "--runs", "600", "--keep-going",
                                              "--format", "json"))
        self.assertIn("mutual-exclusion", [each["property"] for each in target["findings"]])
        self.assertIn("unknown", [each["kind"] for each in target["incidents"]])

    def test_two_mistakes_of_a_client_model_are_two(self):
        client = self.program.folder / "my-lock/client.lua"
        client.write_text(client.read_text().replace(
            "error('oh')", "\n  if client.wall_ms() % 2 == 0 then error('oh') end\n  error('ah')"))
        self.program.write("open.toml", INCIDENTS["client-failed"][0])
        target = self.target(self.program.run("fuzz", "open.toml", "--runs", "100", "--keep-going",
                                              "--format", "json"))
        failures = [each["what"] for each in target["incidents"] if each["kind"] == "client-failed"]
        self.assertEqual(len(failures), 2, failures)
        self.assertRegex(" ".join(failures), "ah.*oh|oh.*ah")

    def test_are_the_same_where_parts_are_merged(self):
        # A mistake, a bound that was passed, and what nobody knows.
        for kind in ("script-failed", "wait", "unknown"):
            scenario, code, _ = INCIDENTS[kind]
            with self.subTest(kind):
                self.program.write("open.toml", scenario)
                arguments = ("fuzz", "open.toml", "--runs", "600", "--keep-going")
                folders = [f"{kind}-{number}" for number in "12"]
                for number, folder in enumerate(folders, start=1):
                    self.program.run(*arguments, "--shard", f"{number}/2", "--out", folder)
                whole = self.program.run(*arguments, "--out", "joined", "--format", "json")
                joined = self.program.run("merge", *folders, "-o", "joined", "--format", "json")
                self.assertEqual(joined.returncode, code, joined.stderr)
                self.assertEqual(self.target(joined), self.target(whole))
                self.assertIn(kind, [each["kind"] for each in self.target(joined)["incidents"]])


if __name__ == "__main__":
    unittest.main()
