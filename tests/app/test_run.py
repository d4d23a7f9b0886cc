"""lockstep run: verdicts, exit codes, and the files that it leaves."""

import json
import os
import re
import shutil
import signal
import subprocess
import unittest
import xml.etree.ElementTree

from program import GC_PAUSE, HOLDS, Program

LONG = """\
title  = "A run that is cut off after very many events"
lock   = "setnx"
expect = { sometimes = "a acquired" }

[limits]
events = 51_000

[[client]]
name   = "a"
rounds = 100_000
run    = ["lock lease=10s", "unlock"]
"""

DRAWN = """\
title  = "Each run draws its faults, and breaks or does not"
lock   = "plain"
expect = EXPECTED
faults = ["pause", "delay", "crash"]

[[client]]
name  = "a"
count = 2
start = "0s..1s"
run   = ["lock lease=2s", "write", "sleep 500ms..2s", "unlock"]
"""


class Run(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def run_text(self, text, *arguments):
        self.program.write("scenario.toml", text)
        return self.program.run("run", "scenario.toml", *arguments)

    def write_four(self):
        """Two that are as expected and two that are not."""
        self.program.write("s/a-holds.toml", HOLDS)
        self.program.write("s/b-pause.toml", GC_PAUSE)
        self.program.write("s/c-wrong.toml", GC_PAUSE.replace("15s", "1s"))
        self.program.write("s/d-wrong.toml", GC_PAUSE.replace("15s", "2s").replace("A pause", "A nap"))

    def test_prints_the_same_for_any_number_of_jobs(self):
        self.write_four()
        self.program.write("s/e-broken.toml", "title = 1\n")
        for options in ((), ("--format", "json"), ("-v",), ("--fail-fast",)):
            with self.subTest(options):
                results = []
                for jobs in ("1", "2", "5"):
                    result = self.program.run("run", "s", "--seeds", "7", "--jobs", jobs, "--out",
                                              "out", "--html", "out/report.html", *options)
                    files = {path: (self.program.folder / "out" / path).read_bytes()
                             for path in self.program.files("out")}
                    results.append((result.returncode, result.stdout, result.stderr, files))
                    shutil.rmtree(self.program.folder / "out")
                self.assertEqual(results[0], results[1])
                self.assertEqual(results[0], results[2])

    def test_parts_the_seeds_of_one_scenario_among_jobs(self):
        for expect in ('{ holds = "mutual-exclusion", wait_at_most = "2s" }', '{ sometimes = "a1 acquired" }'):
            self.program.write("drawn.toml", DRAWN.replace("EXPECTED", expect))
            for options in ((), ("--format", "json")):
                with self.subTest((expect, options)):
                    results = []
                    for jobs in ("1", "2", "5"):
                        result = self.program.run("run", "drawn.toml", "--seed", "11", "--seeds", "101",
                                                  "--jobs", jobs, "--no-files", *options)
                        results.append((result.returncode, result.stdout, result.stderr))
                    self.assertIn("101", results[0][1])
                    self.assertEqual(results[0], results[1])
                    self.assertEqual(results[0], results[2])

    def test_chooses_by_words_of_name_and_title(self):
        self.write_four()
        for words, ran in (("pause", 2), ("PAUSE wrong", 1), ("not pause", 2), ("nap", 1),
                           ("pause not wrong", 1)):
            with self.subTest(words):
                result = self.program.run("run", "s", "-k", words, "--no-files", "--format", "json")
                self.assertEqual(len(json.loads(result.stdout)["scenarios"]), ran, result.stdout)
        result = self.program.run("run", "s", "-k", "nothing-like-it", "--no-files")
        self.assertEqual((result.returncode, result.stderr),
                         (2, "error: no scenario has 'nothing-like-it' in its name or title\n"))

    def test_stops_at_the_first_that_is_not_as_expected(self):
        self.write_four()
        result = self.program.run("run", "s", "--fail-fast", "--no-files")
        self.assertEqual(result.returncode, 1)
        self.assertIn("stopped at the first that is not as expected: 3 of 4 scenarios were run",
                      result.stderr)

    def test_runs_what_failed_last(self):
        self.write_four()
        self.program.run("run", "s")
        self.assertEqual((self.program.folder / "lockstep-out/last-failed.txt").read_text(),
                         "s/c-wrong.toml\ns/d-wrong.toml\n")
        self.program.write("s/c-wrong.toml", GC_PAUSE)
        result = self.program.run("run", "--last-failed", "--format", "json")
        self.assertEqual([each["path"] for each in json.loads(result.stdout)["scenarios"]],
                         ["s/c-wrong.toml", "s/d-wrong.toml"])
        result = self.program.run("run", "s", "--last-failed", "--format", "json")
        self.assertEqual(len(json.loads(result.stdout)["scenarios"]), 1)
        self.program.write("s/d-wrong.toml", GC_PAUSE)
        self.program.run("run", "--last-failed")
        result = self.program.run("run", "--last-failed")
        self.assertEqual((result.returncode, result.stdout),
                         (0, "no failure is on record in lockstep-out/ (a run with --no-files leaves no record)\n"))

    def test_runs_again_when_a_file_changes(self):
        self.program.write("s.toml", GC_PAUSE.replace("15s", "1s"))
        with subprocess.Popen([self.program.binary, "run", "s.toml", "--watch", "--no-files"],
                              cwd=self.program.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=self.program.environment()) as process:
            self.addCleanup(process.kill)
            first = self.lines_until(process, "watching for changes")
            self.assertIn("not as expected", first)
            self.program.write("s.toml", GC_PAUSE)
            second = self.lines_until(process, "watching for changes")
            self.assertIn("s.toml changed", second)
            self.assertNotIn("not as expected", second)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0)

    @staticmethod
    def lines_until(process, end):
        text = ""
        while end not in text:
            line = process.stdout.readline()
            if not line:
                break
            text += line
        return text

    def test_ends_with_0_where_all_is_as_expected(self):
        result = self.run_text(GC_PAUSE)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertIn("A pause longer than the lease", result.stdout)
        self.assertIn("mutual-exclusion", result.stdout)

    def test_shows_what_becomes_of_the_server_scripts(self):
        result = self.run_text(HOLDS, "--verbose")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"script acquire \(.*acquire.lua\): runs as it stands")
        self.assertNotIn("warning", result.stdout)

    def test_ends_with_1_where_an_expected_violation_does_not_appear(self):
        result = self.run_text(HOLDS.replace("holds", "violates"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("mutual-exclusion was expected to be violated, but it held", result.stdout)

    def test_ends_with_1_where_something_breaks_that_should_hold(self):
        result = self.run_text(GC_PAUSE.replace("violates", "holds ").replace(
            'holds = "lease-linearizability"', 'violates = "harm"'))
        self.assertEqual(result.returncode, 1)
        self.assertIn("violated, though it was expected to hold", result.stdout)

    def test_ends_with_3_where_a_property_stays_unknown(self):
        result = self.run_text(HOLDS.replace('"harm"', '"no-leak"') + '[limits]\nevents = 40\n')
        self.assertEqual(result.returncode, 3, result.stdout)

    def test_says_first_what_is_unknown_where_a_run_was_cut_off_at_work(self):
        result = self.run_text(HOLDS + '[limits]\nevents = 40\n')
        self.assertEqual(result.returncode, 3, result.stdout)
        self.assertRegex(result.stdout, r"  unknown, \d+ runs? .*\n  unknown  mutual-exclusion[,:] ")
        self.assertIn("still at work", " ".join(result.stdout.split()))

    def test_ends_with_1_where_a_fault_never_strikes(self):
        result = self.run_text(HOLDS + '[[fault]]\ndrop = "acquire"\nnth = 1000\n')
        self.assertEqual(result.returncode, 1)
        self.assertIn("never struck", result.stdout)

    def test_refuses_what_is_wrong_with_its_place_and_the_nearest_word(self):
        cases = [
            (GC_PAUSE.replace("title ", "titel "), r"scenario.toml:1:1: error: unknown key 'titel'"
                                                   r"; did you mean 'title'\?"),
            (GC_PAUSE.replace('"5ms"', "5"), r"scenario.toml:11:9: error: 'start' is a whole number"
                                             r"; expected a duration"),
            (GC_PAUSE.replace('pause = "a"', 'pause = "ab"'),
             r"scenario.toml:15:10: error: there is no client or node 'ab'; did you mean 'a'\?"),
            (GC_PAUSE.replace("lease=10s", "leese=10s", 1),
             r"scenario.toml:7:15: error: 'lock' has no option 'leese'; did you mean 'lease'\?"),
            (GC_PAUSE.replace('"plain"', '"plian"'),
             r"scenario.toml:2:11: error: .*'plian'.*'plain'"),
            (GC_PAUSE + "[options]\nretry_atempts = 3\n",
             r"scenario.toml:19:1: error: .*'retry_atempts'.*'retry_attempts'"),
            (GC_PAUSE + '[options]\nwatchdog_leese = "9s"\n',
             r"scenario.toml:19:1: error: unknown option 'watchdog_leese'; did you mean 'watchdog_lease'\?"),
            (GC_PAUSE + "[options]\nwatchdog_leese_ms = 9000\n",
             r"scenario.toml:19:1: error: unknown option 'watchdog_leese_ms'; did you mean 'watchdog_lease_ms'\?"),
            (GC_PAUSE + '[options]\nwatchdog = "9s"\n',
             r"scenario.toml:19:1: error: option 'watchdog' is a duration; expected a word in quotes"),
            ("", r"scenario.toml:1:1: error: this file is empty; expected a scenario"),
            (b"\x7fELF\x02\x00\x00", r"scenario.toml:1:6: error: this is not a text file"),
            (b"\xff\xfe" + GC_PAUSE.encode("utf-16-le"), r"scenario.toml:1:1: error: .*not a text"),
            ("title = ", r"scenario.toml:1:\d+: error: this is not TOML"),
        ]
        for text, error in cases:
            with self.subTest(error):
                result = self.run_text(text)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertRegex(result.stderr, "^" + error)
                self.assertEqual(result.stderr.count("error: "), 1, "one mistake")

    def test_refuses_paths_without_scenarios(self):
        self.program.write("folder/readme.md", "nothing")
        for path, error in [("none.toml", "none.toml: error: there is no such file or folder\n"),
                            ("folder", "folder: error: this folder has no scenario; expected files "
                                       "that end in .toml\n"),
                            ("", "error: there is no such file or folder\n")]:
            with self.subTest(path):
                result = self.program.run("run", path)
                self.assertEqual((result.returncode, result.stderr), (2, error))

    def test_takes_a_folder_with_all_below_it_in_order(self):
        for path in ("all/b.toml", "all/a/c.toml", "all/z.toml"):
            self.program.write(path, HOLDS)
        self.program.write("all/notes.md", "not one")
        result = self.program.run("run", "all")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(re.findall(r"all/\S*toml", result.stdout),
                         ["all/a/c.toml", "all/b.toml", "all/z.toml"])
        self.assertIn("3 ", result.stdout.splitlines()[-1])

    def test_passes_over_open_scenarios_unless_they_are_named(self):
        open_one = HOLDS.replace("holds", "violates").replace("lock ", 'faults = ["drop"]\nlock ', 1)
        self.program.write("all/a.toml", HOLDS)
        self.program.write("all/b.toml", open_one)
        self.program.write("all/c.toml", open_one.replace("violates", "holds"))
        result = self.program.run("run", "all")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(result.stdout.endswith(
            ": 2 as expected; 1 open scenario was passed over, which is for `lockstep fuzz`\n"))
        self.assertEqual(re.findall(r"all/\S*toml", result.stdout), ["all/a.toml", "all/c.toml"])
        result = self.program.run("run", "all", "--format", "json", "--junit", "j.xml")
        document = json.loads(result.stdout)
        self.assertEqual((document["as_expected"], document["passed_over"]), (2, ["all/b.toml"]))
        suite = xml.etree.ElementTree.parse(self.program.folder / "j.xml").getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("skipped")), ("3", "1"))
        self.assertEqual([case.get("file") for case in suite if case.find("skipped") is not None],
                         ["all/b.toml"])
        result = self.program.run("run", "all/b.toml")
        self.assertEqual((result.returncode, result.stderr), (1, ""))

    def test_says_that_nothing_was_run_where_all_was_passed_over(self):
        open_one = HOLDS.replace("holds", "violates").replace("lock ", 'faults = ["drop"]\nlock ', 1)
        self.program.write("all/a.toml", open_one)
        result = self.program.run("run", "all")
        self.assertEqual((result.returncode, result.stdout), (
            3, "nothing was run: 1 open scenario was passed over, which is for `lockstep fuzz`\n"))
        self.program.write("all/b.toml", open_one)
        result = self.program.run("run", "all", "--format", "json", "--junit", "j.xml")
        self.assertEqual(result.returncode, 3)
        self.assertEqual(json.loads(result.stdout)["passed_over"], ["all/a.toml", "all/b.toml"])

    def test_says_how_far_it_is_with_many_short_scenarios(self):
        for number in range(100):
            self.program.write(f"all/{number}.toml", HOLDS)
        terminal, errors = os.openpty()
        process = subprocess.Popen(
            [self.program.binary, "run", "all", "--seeds", "200", "--no-files"],
            cwd=self.program.folder, env=self.program.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=errors)
        os.close(errors)
        told = ""
        try:
            while not re.search(r"\d+ of 100: Contention  \d+ of 20000 runs, \d+/s, ", told):
                told += os.read(terminal, 1000).decode()
        except OSError:  # it has ended
            self.fail(told)
        finally:
            os.close(terminal)
            process.send_signal(signal.SIGINT)
            process.wait(60)

    def test_ends_with_the_worst_of_several_files_and_runs_all(self):
        good = self.program.write("good.toml", HOLDS)
        unmet = self.program.write("unmet.toml", HOLDS.replace("holds", "violates"))
        unknown = self.program.write(
            "unknown.toml", HOLDS.replace('"harm"', '"no-leak"') + "[limits]\nevents = 40\n")
        wrong = self.program.write("wrong.toml", "title = 3\n")
        for paths, code in [((good, unknown), 3), ((unknown, unmet, good), 1),
                            ((unknown, wrong, unmet, good), 2)]:
            result = self.program.run("run", *paths)
            self.assertEqual(result.returncode, code)
            self.assertIn(good, result.stdout)

    def test_leaves_what_is_worth_a_look(self):
        result = self.run_text(GC_PAUSE)
        self.assertEqual(self.program.files("lockstep-out"), ["scenario.svg", "scenario.trace.jsonl"])
        self.assertIn("lockstep-out/scenario.svg", result.stdout)
        self.assertIn("lockstep replay lockstep-out/scenario.trace.jsonl", result.stdout)

    def test_leaves_a_long_trace_only_where_it_is_asked_for(self):
        path = self.program.write("long.toml", LONG)
        result = self.program.run("run", path)
        self.assertEqual(self.program.files("lockstep-out"), ["long.svg"])
        self.assertRegex(result.stdout, r"trace    not written, for it has \d{5} events \(some \d+ "
                                        r"MB\); --out DIR writes it")
        self.assertRegex(result.stdout, r"replay   \S+ run long.toml --seed 1\n")
        self.assertEqual(result.stderr, "")
        self.program.run("run", path, "--out", "all")
        self.assertIn("long.trace.jsonl", self.program.files("all"))

    def test_says_in_one_line_what_could_not_be_run(self):
        self.program.write("all/good.toml", HOLDS)
        self.program.write("all/wrong.toml", "title = 3\n")
        result = self.program.run("run", "all")
        self.assertTrue(result.stdout.endswith(": 1 as expected; 1 file was refused\n"))
        result = self.program.run("run", "all/wrong.toml", "all/wrong.toml")
        self.assertEqual((result.returncode, result.stdout),
                         (2, "nothing was run: 2 files were refused\n"))
        document = json.loads(self.program.run("run", "all", "--format", "json").stdout)
        self.assertEqual((document["files_refused"], document["as_expected"]), (1, 1))
        mistakes = [(each["file"], each["line"], each["column"]) for each in document["refused"]]
        self.assertIn(("all/wrong.toml", 1, 9), mistakes)
        self.assertTrue(all(each["message"] for each in document["refused"]))

    def test_leaves_only_what_is_not_as_expected_of_several(self):
        self.program.write("all/good.toml", HOLDS)
        self.program.write("all/deep/unmet.toml", HOLDS.replace("holds", "violates"))
        self.program.run("run", "all")
        self.assertEqual(self.program.files("lockstep-out"),
                         ["deep/unmet.svg", "deep/unmet.trace.jsonl", "last-failed.txt"])

    def test_writes_everything_to_the_folder_that_is_named(self):
        self.program.write("all/good.toml", HOLDS)
        self.program.write("other/good.toml", GC_PAUSE)
        result = self.program.run("run", "all/good.toml", "other", "--out", "an/out folder")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(self.program.files("an/out folder"),
                         ["good-2.svg", "good-2.trace.jsonl", "good.svg", "good.trace.jsonl",
                          "junit.xml"])
        self.assertEqual(self.program.files("lockstep-out"), [])
        xml.etree.ElementTree.parse(self.program.folder / "an/out folder/good.svg")

    def test_writes_nothing_where_nothing_is_wanted(self):
        result = self.run_text(GC_PAUSE, "--no-files")
        self.assertEqual(self.program.files(), ["scenario.toml"])
        self.assertIn("lockstep run scenario.toml --seed 1", result.stdout)

    def test_quotes_what_a_shell_would_take_apart(self):
        self.program.write("it's a $HOME.toml", GC_PAUSE)
        result = self.program.run("run", "it's a $HOME.toml", "--no-files")
        self.assertIn(r"lockstep run 'it'\''s a $HOME.toml' --seed 1", result.stdout)

    def test_says_which_files_can_t_be_written(self):
        self.program.write("taken", "a file where a folder is wanted")
        result = self.run_text(GC_PAUSE, "--out", "taken/out")
        self.assertEqual(result.returncode, 2)
        self.assertIn("error: --out: cannot write 'taken/out': 'taken' is a file", result.stderr)
        result = self.run_text(GC_PAUSE, "--junit", "taken/junit.xml")
        self.assertEqual(result.returncode, 2)
        self.assertIn("error: --junit: cannot write 'taken/junit.xml'", result.stderr)
        self.assertEqual((self.program.folder / "taken").read_text(),
                         "a file where a folder is wanted")

    def test_goes_on_where_files_that_nobody_asked_for_can_t_be_written(self):
        self.program.write("lockstep-out", "a file where a folder is wanted")
        result = self.run_text(GC_PAUSE)
        self.assertEqual(result.returncode, 0)
        self.assertIn("error: cannot write it", result.stderr)
        self.assertNotIn("lockstep-out", result.stdout)

    def test_puts_a_file_in_the_place_of_an_old_one(self):
        self.program.write("out/scenario.svg", "old")
        self.run_text(GC_PAUSE, "--out", "out")
        self.assertIn("<svg", (self.program.folder / "out/scenario.svg").read_text())
        self.assertEqual(self.program.files("out"),
                         ["junit.xml", "scenario.svg", "scenario.trace.jsonl"])

    def test_writes_junit(self):
        self.program.write("all/good.toml", HOLDS)
        self.program.write("all/unmet.toml", HOLDS.replace("holds", "violates"))
        self.program.run("run", "all", "--junit", "reports/junit.xml", "--no-files")
        tree = xml.etree.ElementTree.parse(self.program.folder / "reports/junit.xml")
        self.assertEqual(len(list(tree.iter("testcase"))), 2)

    def test_prints_json_and_nothing_else(self):
        self.program.write("all/good.toml", HOLDS)
        self.program.write("all/unmet.toml", HOLDS.replace("holds", "violates"))
        result = self.program.run("run", "all", "--format", "json", "--no-files")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(json.loads(result.stdout)["scenarios"]), 2)

    def test_runs_as_many_seeds_as_it_is_told(self):
        self.program.write("good.toml", HOLDS)
        result = self.program.run("run", "good.toml", "--seed", "7", "--seeds", "25")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"\b25\b")
        self.assertRegex(result.stdout, r"\b(7|31)\b")

    def test_says_the_same_every_time(self):
        first = self.run_text(GC_PAUSE, "--seeds", "3", "--out", "one")
        second = self.run_text(GC_PAUSE, "--seeds", "3", "--out", "two")
        self.assertEqual(first.stdout.replace("one/", "two/"), second.stdout)
        for name in ("scenario.trace.jsonl",):
            self.assertEqual((self.program.folder / "one" / name).read_bytes(),
                             (self.program.folder / "two" / name).read_bytes())

    def test_does_not_depend_on_what_ran_before(self):
        self.program.write("all/a.toml", HOLDS)
        self.program.write("all/b.toml", GC_PAUSE)
        self.program.run("run", "all/b.toml", "--out", "alone")
        self.program.run("run", "all/a.toml", "all/b.toml", "all/a.toml", "--out", "together")
        self.assertEqual((self.program.folder / "alone/b.trace.jsonl").read_bytes(),
                         (self.program.folder / "together/b.trace.jsonl").read_bytes())
        self.assertEqual((self.program.folder / "together/a.trace.jsonl").read_bytes(),
                         (self.program.folder / "together/a-2.trace.jsonl").read_bytes())

    def test_reads_a_scenario_from_a_pipe(self):
        self.program.write("scenario.toml", GC_PAUSE)
        pipe = self.program.folder / "pipe"
        os.mkfifo(pipe)
        writer = os.fork()
        if writer == 0:
            pipe.write_text(GC_PAUSE)
            os._exit(0)
        result = self.program.run("run", "pipe", "--no-files")
        os.waitpid(writer, 0)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_runs_a_lock_that_lies_beside_the_scenario(self):
        self.program.write("mine/scenario.toml", GC_PAUSE.replace('"plain"', '"./no-lock"'))
        result = self.program.run("run", "mine/scenario.toml")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"^mine/scenario.toml:2:11: error: ")

    def test_says_once_what_is_wrong_with_a_lock_and_names_each_scenario_that_it_refuses(self):
        self.program.run("new", "lock", "my-lock")
        (self.program.folder / "my-lock/client.lua").write_text("return {}")
        for name in ("a.toml", "b.toml"):
            self.program.write(name, GC_PAUSE.replace('"plain"', '"./my-lock"'))
        result = self.program.run("run", "a.toml", "b.toml")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.count("my-lock/client.lua"), 1, result.stderr)
        self.assertIn("\nb.toml: error: refused for an error that is told above\n", result.stderr)


if __name__ == "__main__":
    unittest.main()
