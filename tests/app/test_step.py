"""lockstep step: through a run event by event, from a terminal, a pipe or an option."""

import re
import subprocess
import unittest

from program import GC_PAUSE, HOLDS, Program


class Stepping(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("gc-pause.toml", GC_PAUSE)
        self.assertEqual(self.program.run("run", "gc-pause.toml", "--out", "out").returncode, 0)
        self.trace = "out/gc-pause.trace.jsonl"

    def step(self, commands, *options, target=None):
        return self.program.run("step", target or self.trace, "--commands", commands, *options)

    def piped(self, text):
        return subprocess.run([self.program.binary, "step", self.trace], cwd=self.program.folder,
                              env=self.program.environment(), input=text, capture_output=True,
                              text=True, timeout=60, check=False)

    def test_greets_with_what_broke(self):
        result = self.step("quit")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("A pause longer than the lease\nseed 1", result.stdout)
        self.assertIn("mutual-exclusion is violated: ", result.stdout)
        self.assertIn("\nEvent 0 of 113 at 0.0 ms: ", result.stdout)

    def test_shows_two_that_believe_where_it_broke(self):
        result = self.step("violation; state")
        self.assertEqual(result.returncode, 0)
        shown = result.stdout[result.stdout.index("lock lock\n"):]
        self.assertRegex(shown, r"truly held by: b/1 holds it, [\d,.]+ ms left")
        self.assertRegex(shown, r"(?s)\na/1\n.*believes in lock: has it\n.*\nb/1\n.*believes in lock: has it")
        self.assertIn("process: paused", shown)
        self.assertRegex(shown, r"(?s)\nn1\n.*key \S+: hash \{.*\}, [\d,.]+ ms left")

    def test_goes_forward_and_back_to_the_same_place(self):
        events = re.findall(r"^Event (\d+) of 113 at ", self.step("next 3; back 2; next; last; next; first; back").stdout, re.M)
        last = max(map(int, events))
        self.assertEqual(events, ["0", "1", "2", "3", "1", "2", str(last), "0"])

    def test_goes_to_numbers_times_and_actors(self):
        result = self.step("go 5; go 5s; actor n1; find executes; where")
        self.assertEqual(result.returncode, 0)
        lines = [line for line in result.stdout.splitlines() if re.match(r"Event \d+ of 113 at ", line)]
        self.assertTrue(lines[1].startswith("Event 5 of 113 at "))
        at = float(re.match(r"Event \d+ of 113 at ([\d,.]+) ms", lines[2])[1].replace(",", ""))
        self.assertGreaterEqual(at, 5000.0)
        self.assertIn(" ms: n1 ", lines[3])
        self.assertIn(" executes ", lines[4])
        self.assertEqual(lines[4], lines[5])

    def test_says_what_changes_without_an_intervention(self):
        result = self.step("faults; without 1")
        self.assertIn("  1 pause a for 15s when a read\n", result.stdout)
        self.assertIn("without: pause a for 15s when a read\n  mutual-exclusion is held (it was violated)\n",
                      result.stdout)
        self.assertRegex(result.stdout, r"the first \d+ events are the same; then\n"
                                        r"    with it:    Event \d+ of 113 at .*\n    without it: Event \d+ of \d+ at ")

    def test_reads_commands_from_a_pipe_without_prompting(self):
        result = self.piped("next\n\n  state n1  \nquit\nnext\n")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(re.findall(r"^Event \d+ of", result.stdout, re.M), ["Event 0 of", "Event 1 of"])
        self.assertNotIn("(0) ", result.stdout)

    def test_goes_on_after_a_bad_command_and_says_so_at_the_end(self):
        cases = {
            "nxt": "there is no command 'nxt'; did you mean 'next'?; help lists them",
            "next 0": "expected how many events",
            "next x": "expected how many events",
            "go": "expected an event's number or a time",
            "go 99999999": "there is no event 99999999; the last is ",
            "go -1s": "expected an event's number or a time",
            "go 9999h": "the run has ended by then",
            "actor nobody": "there is nobody called 'nobody'",
            "state nobody": "there is nobody called 'nobody'",
            "without 2": "expected which intervention, from 1 to 1",
            "without": "expected which intervention",
            "find": "expected what to look for",
        }
        result = self.piped("\n".join(cases) + "\nwhere\n")
        self.assertEqual(result.returncode, 2)
        errors = result.stderr.splitlines()
        self.assertEqual(len(errors), len(cases), result.stderr)
        for error, words in zip(errors, cases.values()):
            self.assertIn(words, error)
        self.assertEqual(result.stdout.count("\nEvent 0 of "), 2)

    def test_hostile_lines_do_no_harm(self):
        result = self.piped("\x1b[31m\x00\x07\nfind " + "x" * 100_000 + "\n\xa0\u202e\n")
        self.assertEqual(result.returncode, 2)
        self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assertNotIn("\u202e", result.stdout + result.stderr)

    def test_of_a_scenario_takes_its_seed(self):
        result = self.step("where", "--seed", "7", target="gc-pause.toml")
        self.assertEqual(result.returncode, 0)
        self.assertIn("seed 7", result.stdout)

    def test_of_a_run_in_which_nothing_breaks(self):
        self.program.write("holds.toml", HOLDS)
        result = self.step("violation; faults; without 1", target="holds.toml")
        self.assertIn("no property is violated", result.stdout)
        self.assertIn("there are no interventions", result.stdout + result.stderr)
        self.assertEqual(result.returncode, 2)

    def test_in_ascii(self):
        result = self.step("violation; state; last; help", "--ascii")
        self.assertTrue(result.stdout.isascii())

    def test_refuses_what_is_no_run(self):
        for content, code in (("", 2), ("{}", 2), ("nonsense", 2)):
            self.program.write("bad", content)
            result = self.step("next", target="bad")
            self.assertEqual(result.returncode, code)
            self.assertIn("error: ", result.stderr)

    def test_tells_the_same_each_time(self):
        commands = "next 50; state; clocks; violation; state; without 1"
        self.assertEqual(self.step(commands).stdout, self.step(commands).stdout)


if __name__ == "__main__":
    unittest.main()
