"""The command line itself: help, lists, mistakes, colours, Ctrl-C."""

import json
import os
import pty
import re
import signal
import subprocess
import unittest

from program import GC_PAUSE, HOLDS, REPOSITORY, Program

COMMANDS = ("run", "fuzz", "replay", "confirm", "timeline", "list", "explain", "lint", "extract", "new")
SERVICES = ("serve",)  # run until they are ended


class Usage(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def test_prints_its_version(self):
        result = self.program.run("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"^lockstep \d+\.\d+\.\d+ \(model \d+\)\n$")

    def test_helps_with_an_example_for_every_command(self):
        for arguments in ((), *((command,) for command in COMMANDS + SERVICES)):
            with self.subTest(arguments):
                result = self.program.run(*arguments, "--help")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn("Example:\n  lockstep ", result.stdout)
                self.assertIn("Exit codes: 0 ", result.stdout)
                self.assertLess(max(map(len, result.stdout.splitlines())), 120)

    def test_lists_the_command_of_every_file(self):
        files = (REPOSITORY / "app/commands").glob("*_command.cpp")
        text = self.program.run("--help").stdout
        listed = text[text.index("Subcommands:\n"):text.index("Example:")]
        self.assertEqual(sorted(re.findall(r"(?m)^  (\w+) ", listed)),
                         sorted(path.stem.removesuffix("_command") for path in files))

    def test_shows_its_help_where_nothing_is_asked(self):
        result = self.program.run()
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, self.program.run("--help").stdout)
        self.assertEqual(self.program.run("help").stdout, result.stderr)
        self.assertEqual(self.program.run("help", "run").stdout,
                         self.program.run("run", "--help").stdout)
        self.assertEqual(self.program.run("-V").stdout, self.program.run("--version").stdout)

    def test_shows_the_line_that_a_mistake_is_in(self):
        self.program.write("s.toml", HOLDS.replace('"plain"', '"plian"'))
        result = self.program.run("run", "s.toml")
        self.assertEqual(result.stderr.splitlines()[1:],
                         ['  2 | lock   = "plian"', "    |           ^"])
        self.program.write("s.toml", HOLDS + "\u00e4 = \"\u00e4\u00e4\" = 1\n")
        self.assertIn(" | ", self.program.run("run", "s.toml").stderr)
        self.program.run("new", "lock", "my-lock")
        client = self.program.folder / "my-lock/client.lua"
        client.write_text("local x = = 1\n" + client.read_text())
        said = self.program.run("run", "my-lock").stderr
        self.assertIn("  1 | local x = = 1\n", said)
        self.assertEqual(said.count("client.lua:1:9: error: "), 1, said)  # once, not for each scenario

    def test_takes_a_client_model_with_a_byte_order_mark_and_no_such_server_script(self):
        self.program.run("new", "lock", "my-lock")
        client = self.program.folder / "my-lock/client.lua"
        client.write_text("\ufeff" + client.read_text())
        self.assertEqual(self.program.run("run", "my-lock", "--no-files").returncode, 0)
        script = self.program.folder / "my-lock/acquire.lua"
        script.write_text("\ufeff" + script.read_text())
        result = self.program.run("run", "my-lock", "--no-files")
        self.assertEqual(result.returncode, 2)
        self.assertIn("my-lock/acquire.lua:1:1: error: it begins with a byte order mark", result.stderr)

    def test_shows_examples_that_its_own_command_line_takes(self):
        self.program.write("scenarios/known-bugs/gc-pause.toml", GC_PAUSE)
        self.program.run("run", "scenarios/known-bugs/gc-pause.toml")
        self.program.write("Lock.java", 'class Lock { String a = "return KEYS[1]"; }\n')
        for command in ((), *((command,) for command in COMMANDS)):
            text = self.program.run(*command, "--help").stdout
            example = text.split("Example:\n  lockstep ")[1].splitlines()[0]
            # Within a second a promise may have been put to no test yet.
            expected = (0, 3) if "fuzz" in command else (0,)
            result = self.program.run(*example.replace("--time 60s", "--time 1s").split())
            self.assertIn(result.returncode, expected, example + result.stderr)

    def test_refuses_mistakes_and_names_the_nearest_word(self):
        cases = [
            (("rnu", "x.toml"), "there is no command 'rnu'; did you mean 'run'?", None),
            (("help", "rnu"), "there is no command 'rnu'; did you mean 'run'?", None),
            (("--sede", "3"), "there is no command '--sede'", None),
            (("run",), "PATH", None),
            (("run", "x.toml", "--sede", "3"), "--sede", "did you mean '--seed'?"),
            (("run", "x.toml", "--format=xml"), "--format: 'xml' is not text or json", None),
            (("run", "x.toml", "--format", "jsn"), "'jsn'", "did you mean 'json'?"),
            (("run", "x.toml", "--seed", "-1"), "--seed: '-1' is not a whole number", None),
            (("run", "x.toml", "--seeds", "1e3"), "--seeds: '1e3' is not a whole number", None),
            (("run", "x.toml", "--seeds", "0"), "--seeds: expected at least 1", None),
            (("run", "x.toml", "--seeds", "18446744073709551616"), "is not a whole number", None),
            (("run", "x.toml", "--seed", "18446744073709551615", "--seeds", "2"), "--seeds", None),
            (("run", "x.toml", "--out", "a", "--no-files"), "--no-files", None),
            (("replay",), "TRACE", None),
            (("timeline", "a", "b"), "b", None),
            (("list", "lock"), "'lock' is not", "did you mean 'locks'?"),
            (("lint",), "expected a SCRIPT to look at, or --rules", None),
            (("lint", "a.lua", "--rule"), "--rule", "did you mean '--rules'?"),
            (("extract",), "FILE", None),
        ]
        for arguments, *parts in cases:
            with self.subTest(arguments):
                result = self.program.run(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertTrue(result.stderr.startswith("error: "), result.stderr)
                self.assertIn("--help ", result.stderr)
                for part in filter(None, parts):
                    self.assertIn(part, result.stderr)

    def test_takes_eight_for_no_octal(self):
        self.program.write("s.toml", HOLDS)
        result = self.program.run("run", "s.toml", "--seed", "010", "--format", "json", "--no-files")
        self.assertEqual(result.returncode, 0)
        self.assertIn("--seed 10", result.stdout)

    def test_lists_what_there_is(self):
        self.program.write("scenarios/a.toml", GC_PAUSE)
        result = self.program.run("list")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for word in ("plain", "setnx", "scenarios/a.toml", "clock_drift", "mutual-exclusion"):
            self.assertIn(word, result.stdout)

    def test_lists_one_kind_alone(self):
        lines = self.program.run("list", "properties").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines],
                         ["mutual-exclusion", "valid-grant", "lease-linearizability", "harm",
                          "hold-count", "no-leak", "fencing", "fifo", "permits", "latch",
                          "no-deadlock", "no-lost-wakeup", "no-starvation", "truthful-answers"])

    def test_lists_locks_with_what_they_promise_and_what_is_wrong_with_them(self):
        text = self.program.run("list", "locks", "-v").stdout
        for lock in ("setnx", "plain", "fair", "readwrite", "multi", "redlock", "redisson-redlock",
                     "fenced", "spin", "semaphore", "latch"):
            self.assertRegex(text, rf"(?m)^{lock} +.+\n +promises .+")
        locks = json.loads(self.program.run("list", "locks", "--format", "json").stdout)["locks"]
        by_name = {lock["name"]: lock for lock in locks}
        self.assertIn("fifo", by_name["fair"]["promises"])
        self.assertNotIn("flaw", by_name["setnx"])
        self.assertIn("old holder", by_name["setnx/fixed-value"]["flaw"])

    def test_lists_locks_in_a_line_each(self):
        lines = self.program.run("list", "locks").stdout.splitlines()
        self.assertFalse([line for line in lines if line.startswith(" ")])
        self.assertLess(len(lines), 60)

    def test_lists_the_lock_that_a_class_word_means(self):
        for word, lock in (("RLock", "plain"), ("RFairLock", "fair"), ("RReadWriteLock", "readwrite"),
                           ("RSemaphore", "semaphore"), ("RCountDownLatch", "latch"), ("RMultiLock", "multi"),
                           ("RedLock", "redlock"), ("RedissonRedLock", "redisson-redlock"),
                           ("RFencedLock", "fenced"), ("RSpinLock", "spin"), ("RedissonLock", "plain"),
                           ("plain", "plain"), ("plain/unlatched", "plain/unlatched")):
            result = self.program.run("list", word)
            names = [line.split()[0] for line in result.stdout.splitlines()]
            self.assertEqual((result.returncode, result.stderr, names[0]), (0, "", lock), word)
            self.assertEqual([name for name in names if not f"{name}/".startswith(f"{lock}/")], [], word)
        self.assertIn("plain/unlatched ", self.program.run("list", "RLock").stdout)
        self.assertEqual(list(json.loads(self.program.run("list", "RLock", "--format", "json").stdout)), ["locks"])
        wrong = self.program.run("list", "fault")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("WHAT: 'fault' is not locks, scenarios, faults, properties, models or commands, nor a lock; "
                      "did you mean 'faults'?", wrong.stderr)

    def test_lists_locks_with_their_contracts(self):
        text = self.program.run("list", "locks", "-v").stdout
        for lock in ("setnx", "plain", "redlock", "semaphore", "latch"):
            self.assertRegex(text, rf"(?m)^{lock} +.+\n +promises .+\n +keeps all of that as long as .+")
        self.assertRegex(text, r"(?m)^setnx/fixed-value +.+\n +promises .+\n +judged by the contract of setnx$")
        locks = json.loads(self.program.run("list", "locks", "--format", "json").stdout)["locks"]
        contracts = {lock["name"]: lock["contract"] for lock in locks}
        self.assertFalse(contracts["plain"]["standard"])
        self.assertEqual(contracts["plain/unlatched"], contracts["plain"])
        self.assertIn("writes-survive", contracts["semaphore"]["assumes"]["permits"])

    def test_explains_what_locks_promise_and_as_long_as_what(self):
        result = self.program.run("explain", "plain", "latch")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        plain, latch = result.stdout.split("\n\nlatch: ")
        self.assertIn("plain: The reentrant lock, as Redisson has it today: RLock, RedissonLock\njudged by its [contract]\n"
                      "A hold taken without a lease has that of the option watchdog_lease, which the lock renews by itself.\n", plain)
        self.assertIn("  - no server loses a write that it has acknowledged\n", plain)
        self.assertRegex(plain, r"(?m)^hold-count needs besides that\n(  - .+\n|    .+\n)*  - each call is answered, and not with a server's error: ")
        self.assertIn("\nRules for callers, and the promises that need them\n  - several locks are taken in one "
                      "order (no-deadlock and no-lost-wakeup)\n", plain)
        self.assertIn("  - nobody forces a release (all but no-leak, no-deadlock, no-lost-wakeup and truthful-answers)\n", plain)
        self.assertIn("\nKnown flaws\n  - mutual-exclusion: ", plain)
        self.assertIn("judged by the standard contract of latch locks\n", latch)
        variant = self.program.run("explain", "setnx/fixed-value").stdout
        self.assertIn("\nknown bad: an old holder takes", variant)

    def test_explains_a_lock_of_ones_own(self):
        self.program.run("new", "lock", "my-lock")
        lock = self.program.folder / "my-lock/lock.toml"
        lock.write_text(lock.read_text() + """
[contract]
executed_once = []
drift = "200ppm"
assumes = { harm = ["calls-answered"], hold-count = ["clocks-steady"] }
reasons = { calls-answered = "nobody hangs up" }
usage = { harm = ["nobody-forces"] }

[[known]]
property = "no-leak"
what     = "it leaves a key"
cause    = "leaves"
issue    = "https://example.org/1"
scenario = "pause.toml"
""")
        text = self.program.run("explain", "my-lock").stdout
        self.assertIn("harm needs that\n  - each call is answered, and not with a server's error: nobody "
                      "hangs up\n", text)
        self.assertIn("hold-count needs that\n  - no clock steps, stops or drifts by more than 200 ppm\n", text)
        self.assertTrue(text.endswith("Known flaws\n  - no-leak: it leaves a key (https://example.org/1)\n"
                                      "    shown by my-lock/pause.toml\n"), text)

    def test_explains_no_scenario(self):
        self.program.write("s.toml", HOLDS)
        result = self.program.run("explain", "s.toml")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("'s.toml' is a scenario", result.stderr)
        self.assertIn("did you mean 'plain'", self.program.run("explain", "plian").stderr)

    def test_lists_for_programs(self):
        lists = json.loads(self.program.run("list", "faults", "locks", "--format", "json").stdout)
        self.assertEqual(list(lists), ["faults", "locks"])
        self.assertIn("pause", [fault["name"] for fault in lists["faults"]])

    def test_lists_faults_whose_examples_are_scenarios(self):
        faults = json.loads(self.program.run("list", "faults", "--format", "json").stdout)["faults"]
        for fault in faults:
            story = HOLDS + "[redis]\nmasters = 3\nreplicas = 2\n[[fault]]\ncrash = \"n1\"\nat = \"9m\"\n"
            story += "[[fault]]\n" + "\n".join(split_keys(fault["example"])) + "\n"
            self.program.write("s.toml", story)
            result = self.program.run("run", "s.toml", "--dry-run")
            self.assertEqual(result.returncode, 0, f"{fault['example']}\n{result.stderr}")

    def test_lists_scenarios_that_are_wrong_with_their_errors(self):
        self.program.write("scenarios/a.toml", GC_PAUSE)
        self.program.write("scenarios/b.toml", "")
        result = self.program.run("list", "scenarios")
        self.assertEqual(result.returncode, 2)
        self.assertIn("scenarios/a.toml", result.stdout)
        self.assertIn("scenarios/b.toml:1:1: error: ", result.stderr)

    def test_says_that_the_output_is_full(self):
        self.program.write("s.toml", HOLDS)
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([self.program.binary, "run", "s.toml", "--no-files"],
                                    cwd=self.program.folder, stdout=full, stderr=subprocess.PIPE,
                                    text=True, check=False)
        self.assertEqual((result.returncode, result.stderr),
                         (2, "error: cannot write to standard output\n"))


def split_keys(example):
    """`a = "x", b = ["y", "z"]` as two lines."""
    lines, depth, line = [], 0, ""
    for character in example:
        depth += (character == "[") - (character == "]")
        if character == "," and depth == 0:
            lines.append(line.strip())
            line = ""
        else:
            line += character
    return [*lines, line.strip()]


class Terminal(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("s.toml", GC_PAUSE)

    def output_on_terminal(self, **environment):
        """What a terminal gets, and the exit code."""
        ours, theirs = pty.openpty()
        with subprocess.Popen([self.program.binary, "run", "s.toml", "--no-files"],
                              cwd=self.program.folder, stdin=subprocess.DEVNULL, stdout=theirs,
                              stderr=theirs, env=self.program.environment(**environment)) as process:
            os.close(theirs)
            output = b""
            try:
                while piece := os.read(ours, 65536):
                    output += piece
            except OSError:  # the other end is closed
                pass
            os.close(ours)
        return output, process.returncode

    def test_has_colours(self):
        output, code = self.output_on_terminal()
        self.assertEqual(code, 0)
        self.assertIn(b"\x1b[", output)

    def test_has_none_where_they_are_not_wanted(self):
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            output, _ = self.output_on_terminal(**environment)
            self.assertNotIn(b"\x1b[", output)

    def test_has_none_on_a_pipe(self):
        self.assertNotIn("\x1b", self.program.run("run", "s.toml", "--no-files").stdout)


class Interruption(unittest.TestCase):
    def test_ends_a_long_campaign_with_what_it_has(self):
        program = Program()
        self.addCleanup(program.close)
        program.write("s.toml", HOLDS)
        ours, theirs = pty.openpty()  # its progress says when it is under way
        with subprocess.Popen([program.binary, "run", "s.toml", "--seeds", "1000000000",
                               "--no-files"],
                              cwd=program.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=theirs, env=program.environment(), text=True) as process:
            os.close(theirs)
            progress = b""
            while b"runs" not in progress:
                progress += os.read(ours, 4096)
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=300)
            os.close(ours)
        self.assertEqual(process.returncode, 3)
        self.assertIn("Contention", output)
        self.assertRegex(progress.decode(), r"Contention  \d+ of 1000000000 runs, \d+/s, \d+ s left")


if __name__ == "__main__":
    unittest.main()
