"""lockstep check: what it prints, its exit codes, its picture, and files that are no histories."""

import json
import os
import subprocess
import unittest

from program import GC_PAUSE, REPOSITORY, Program

HISTORIES = REPOSITORY / "histories"

DOUBLE = """\
{:process 0 :owner "a/1" :type :invoke :f :acquire}
{:process 0 :owner "a/1" :type :ok :f :acquire}
{:process 1 :owner "b/1" :type :invoke :f :acquire}
{:process 2 :owner "c <&>" :type :invoke :f :acquire}
{:process 1 :owner "b/1" :type :ok :f :acquire}
"""


class Check(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def check(self, *arguments, **more):
        return self.program.run("check", *map(str, arguments), **more)

    def test_says_what_is_linearizable(self):
        for history, model in (("register.log", "cas-register"), ("time-outs.jsonl", "owned-mutex")):
            result = self.check(HISTORIES / history, "--model", model)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"{history}: linearizable as {model}\n", result.stdout)
            self.assertRegex(result.stderr, r"^read in [\d.]+ ms, decided in [\d.]+ ms\n$")

    def test_says_why_and_draws_it(self):
        self.program.write("double.edn", DOUBLE)
        runs = [self.check("double.edn", "--model", "mutex", "--out", f"{name}.svg")
                for name in ("one", "two")]
        self.assertEqual([run.returncode for run in runs], [1, 1])
        self.assertEqual(runs[0].stdout, runs[1].stdout)
        self.assertIn("double.edn: not linearizable as mutex\n", runs[0].stdout)
        self.assertIn("By line 5, 2 acquires have returned, and no release has begun. "
                      "So 2 hold the lock at once.\n", runs[0].stdout)
        pictures = [(self.program.folder / f"{name}.svg").read_text() for name in ("one", "two")]
        self.assertEqual(pictures[0], pictures[1])
        for text in ("a/1", "b/1", "lines 3, 5", "no order of the operations",
                     "2 acquires have returned"):
            self.assertIn(text, pictures[0])
        self.assertNotIn("c <&>", pictures[0])
        self.assertIn("drawn: one.svg", runs[0].stderr)

    def test_draws_unknown_outcomes_open(self):
        self.program.write("open.edn", DOUBLE.replace(
            "{:process 1 ", "{:process 0 :type :invoke :f :release}\n{:process 1 ", 1) +
            "{:process 2 :type :ok}\n")
        result = self.check("open.edn", "--model", "mutex", "--out", "open.svg")
        self.assertEqual(result.returncode, 1, result.stdout)
        picture = (self.program.folder / "open.svg").read_text()
        for text in ("release ?", "outcome unknown; it may take effect", "c &lt;&amp;&gt;"):
            self.assertIn(text, picture)
        # The upper and lower edge of the release, and the moment that no order gets past: lines of
        # one kind are one path.
        dashed = [line for line in picture.splitlines() if "stroke-dasharray" in line]
        self.assertEqual([line.count("M") for line in dashed], [2, 1])

    def test_prints_for_programs(self):
        self.program.write("double.edn", DOUBLE)
        result = self.check("double.edn", "--model", "mutex", "--format", "json")
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        report = json.loads(result.stdout)
        self.assertEqual({name: report[name] for name in
                          ("schema", "history", "input_format", "model", "answer", "operations",
                           "processes", "passed_over", "left_out")},
                         {"schema": 1, "history": "double.edn", "input_format": "edn",
                          "model": "mutex", "answer": "not-linearizable", "operations": 3,
                          "processes": 3, "passed_over": 0, "left_out": 0})
        [part] = report["not_explained"]
        self.assertEqual((part["key"], part["answer"]), (None, "not-linearizable"))
        self.assertEqual((part["stuck"]["owner"], part["stuck"]["line"],
                          part["stuck"]["completed_line"]), ("b/1", 3, 5))
        proof = part["proof"]
        self.assertEqual(proof["steps"], [{"f": "acquire", "until_line": 5, "within": 2,
                                           "at_least": 2}])
        self.assertEqual((proof["capacity"], proof["others_invoked"]), (1, 0))
        self.assertEqual([each["line"] for each in proof["counted"]], [1, 3])
        self.assertIn(proof["claim"], part["in_words"])
        owned = self.check("double.edn", "--model", "owned-mutex", "--format", "json")
        [part] = json.loads(owned.stdout)["not_explained"]
        self.assertEqual(part["ways"][0]["order_lines"], [1])
        self.assertNotIn("proof", part)

    def test_a_page_is_enough_and_the_rest_is_a_file(self):
        # Of a pair of calls one is lost in ten cases; then three hold the lock.
        events = []
        for i in range(3000):
            for f in ("acquire", "release"):
                lost = i % 10 == 0 and (f == "acquire") == (i % 20 == 0)
                events.append(f'{{"process":"{f}{i}","type":"invoke","f":"{f}"}}')
                events.append(f'{{"process":"{f}{i}","type":"{"info" if lost else "ok"}"}}')
        for who in "abc":
            events += [f'{{"process":"{who}","type":"{t}","f":"acquire"}}' for t in ("invoke", "ok")]
        self.program.write("long.jsonl", "\n".join(events))
        crowd = [f'{{"process":{i},"type":"invoke","f":"acquire"}}' for i in range(200)]
        crowd += [f'{{"process":{i},"type":"ok","token":{i}}}' for i in range(200)]
        self.program.write("crowd.jsonl", "\n".join(crowd))
        keys = [f'{{"process":{i},"type":"{t}","f":"acquire","key":{i // 2}}}'
                for i in range(40) for t in ("invoke", "ok")]
        self.program.write("keys.jsonl", "\n".join(keys))
        for name, models, is_cut in (("long", ("mutex", "semaphore"), True),
                                     ("long", ("owned-mutex",), False),
                                     ("crowd", ("fenced-lock", "fifo-mutex", "mutex"), None),
                                     ("keys", ("mutex", "owned-mutex", "fifo-mutex"), None)):
            for model in models:
                with self.subTest(name=name, model=model):
                    result = self.check(f"{name}.jsonl", "--model", model, "--explanation", "all.txt")
                    self.assertEqual(result.returncode, 1, result.stderr)
                    self.assertLessEqual(result.stdout.count("\n"), 40)
                    self.assertIn("written: all.txt", result.stderr)
                    whole = (self.program.folder / "all.txt").read_text()
                    missing = [line for line in result.stdout.splitlines()[3:]
                               if line not in whole and "…" not in line and line[:1] != "("]
                    self.assertEqual(missing, [])
                    if is_cut is not None:
                        self.assertEqual("--explanation FILE writes all" in result.stdout, is_cut)
        self.assertIn("From line ", self.check("long.jsonl", "--model", "mutex").stdout)
        fine = self.check(HISTORIES / "register.log", "--model", "cas-register",
                          "--explanation", "none.txt")
        self.assertEqual(fine.returncode, 0)
        self.assertIn("nothing to explain", fine.stderr)
        self.assertFalse((self.program.folder / "none.txt").exists())

    def test_reads_standard_input_and_traces(self):
        self.program.write("pause.toml", GC_PAUSE)
        self.program.run("run", "pause.toml", "--out", "out")
        trace = "out/pause.trace.jsonl"
        self.assertEqual(self.check(trace, "--model", "leased-mutex").returncode, 0)
        refuted = self.check(trace, "--model", "reentrant-mutex")
        self.assertEqual(refuted.returncode, 1)
        lines = (self.program.folder / trace).read_text().splitlines()
        stuck = json.loads(self.check(trace, "--model", "reentrant-mutex", "--format", "json").stdout)
        stuck = stuck["not_explained"][0]["stuck"]
        for line, kind in ((stuck["line"], "service-invoked"),
                           (stuck["completed_line"], "service-completed")):
            event = json.loads(lines[line - 1])
            self.assertEqual((event["kind"], event["actor"]), (kind, stuck["owner"]))
        piped = subprocess.run(
            [self.program.binary, "check", "-", "--model", "mutex"], cwd=self.program.folder,
            input=DOUBLE, capture_output=True, text=True, check=False)
        self.assertEqual(piped.returncode, 1)
        self.assertIn("standard input: not linearizable", piped.stdout)

    def test_gives_up_at_a_limit(self):
        # Which of these make up 200 bytes? In very many ways some do, but none brings the "b".
        events = [f'{{:process {i} :type :invoke :f :append :value "{"a" * (i % 7 + 1)}"}}'
                  for i in range(60)]
        events.append("{:process 99 :type :invoke :f :read}")
        events.append(f'{{:process 99 :type :ok :f :read :value "{"a" * 200}b"}}')
        self.program.write("hard.edn", "\n".join(events))
        result = self.check("hard.edn", "--model", "key-value", "--limit-time", "200ms",
                            "--limit-memory", "64MiB")
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertIn("unknown", result.stdout)
        many = "\n".join(f"{{:process {i} :type :invoke :f :read}}" for i in range(2000))
        self.program.write("many.edn", many)
        result = self.check("many.edn", "--model", "register", "--limit-memory", "16KiB")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn("need more memory", result.stderr)

    def test_refuses_what_is_no_history_with_its_place(self):
        self.program.write("twice.edn", DOUBLE + "\n{:process 0 :type :ok}")
        self.program.write("reads.edn", "\n{:process 0 :type :invoke :f :read}")
        self.program.write("nothing.edn", "")
        for arguments, error in (
                (["twice.edn", "--model", "mutex"],
                 "twice.edn:7:11: error: process 0 completes an operation, and has none under way\n"),
                (["reads.edn", "--model", "mutex"], "reads.edn:2: error: the model mutex knows no"),
                (["nothing.edn", "--model", "mutex"], "nothing.edn:1:1: error: no operation in it"),
                (["absent.edn", "--model", "mutex"], "absent.edn: error: cannot open it"),
                ([".", "--model", "mutex"], ".: error: it is a folder"),
                (["twice.edn", "--model", "mutex", "--out", "x.gif"], "x.gif: error: cannot draw"),
                (["twice.edn"], "error: --model is required"),
                (["twice.edn", "--model", "mutx"],
                 "error: --model: 'mutx' is not a model (lockstep list models); did you mean 'mutex'?"),
                (["twice.edn", "--model", "mutex", "--limit-time", "5"],
                 "error: --limit-time: '5' is not a length of time such as 500ms, 60s, 2m or 1h"),
                (["twice.edn", "--model", "mutex", "--limit-memory", "1TB"],
                 "error: --limit-memory: '1TB' is not a size such as 64MiB or 1GiB"),
                (["twice.edn", "--model", "semaphore", "--initial", "two"],
                 "error: --initial: 'two' is not a whole number"),
                (["twice.edn", "--model", "mutex", "--input-format", "json"],
                 "error: --input-format: 'json' is not jsonl, edn, jepsen-log or trace")):
            with self.subTest(arguments=arguments):
                result = self.check(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(error, result.stderr)

    def test_tells_the_order_that_explains_it(self):
        result = self.check(HISTORIES / "time-outs.jsonl", "--model", "reentrant-mutex", "--witness")
        self.assertEqual(result.returncode, 0)
        self.assertIn('lock "orders", in an order that explains it:\n  a/1\'s acquire (ok, line 2)\n',
                      result.stdout)
        for arguments, members in (([], False), (["--witness"], True)):
            result = self.check(HISTORIES / "time-outs.jsonl", "--model", "reentrant-mutex",
                                "--format", "json", *arguments)
            self.assertEqual("explained" in json.loads(result.stdout), members)
        [orders, stock] = json.loads(result.stdout)["explained"]
        self.assertEqual((orders["key"], stock["key"], stock["order_lines"]), ("orders", "stock", [6]))
        self.program.write("double.edn", DOUBLE)
        refuted = self.check("double.edn", "--model", "mutex", "--witness")
        self.assertNotIn("explains it", refuted.stdout)

    def test_hostile_histories_end_with_their_place_in_bounded_memory(self):
        begin = '{"process":0,"type":"invoke","f":"read"}\n'
        hostile = {
            "truncated": (begin + '{"process":0,"ty', r"2:17: error: expected the string's closing"),
            "unordered": (begin.replace('"f"', '"time":9,"f"') +
                          '{"process":0,"type":"ok","time":8}\n', r"2:\d+: error: .*time"),
            "uninvoked": ('{"process":1,"type":"ok","f":"read"}\n',
                          r"1:\d+: error: process 1 completes an operation, and has none"),
            "twice": (begin + begin, r"2:\d+: error: process 0 begins an operation while"),
            "nan": (begin + '{"process":0,"type":"ok","value":NaN}\n', r"2:\d+: error: expected"),
            "huge": (begin.replace("0", "9" * 400, 1), r"1:12: error: expected a number that 64"),
            "deep": (begin + '{"process":0,"type":"ok","value":' + "[" * 1_000_000,
                     r"2:134: error: values in one another, deeper than 100"),
            "packed": (b"\x1f\x8b\x08\x00" + bytes(1000), r"1:1: error: it is packed by gzip"),
            "other": (bytes(range(128, 256)) * 1000, r"1:1: error: no operation in it")}
        for name, (content, error) in hostile.items():
            self.program.write(name, content)
            for more in ([], ["--format", "json"]):
                with self.subTest(name=name, more=more):
                    result = self.check(name, "--model", "register", *more)
                    self.assertEqual((result.returncode, result.stdout), (2, ""))
                    self.assertRegex(result.stderr, f"^{name}:{error}")

    def test_a_line_of_a_gigabyte_takes_no_memory(self):
        command = [self.program.binary, "check", "-", "--model", "register"]
        block = b"x" * (1 << 20)
        for opening, error in (
                (b'{:process 0 :type :invoke :f :read :note "', b"1:1073741867: error: expected"),
                (b'{:process 0 :type :invoke :f :write :value "', b"1:44: error: ")):
            with self.subTest(opening=opening), subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE) as program:
                try:
                    program.stdin.write(opening)
                    for _ in range(1024):
                        program.stdin.write(block)
                    program.stdin.close()
                except BrokenPipeError:
                    pass  # a text so long is refused before its end
                message = program.stderr.read()
                _, status, usage = os.wait4(program.pid, 0)
                program.returncode = os.waitstatus_to_exitcode(status)
                self.assertEqual((program.returncode, message[15:15 + len(error)]), (2, error))
                self.assertLess(usage.ru_maxrss, 200 * 1024)  # KiB; with sanitizers, too

    def test_a_crowd_is_bounded_by_the_memory_granted(self):
        # Of 2,000 clients each waits all the time: each return has as many under way.
        events = [f'{{"process":{i},"type":"invoke","f":"acquire"}}' for i in range(2000)]
        for i in range(2000):
            events.append(f'{{"process":{i},"type":"ok","f":"acquire","token":{i}}}')
            events.append(f'{{"process":{i},"type":"invoke","f":"release"}}')
            events.append(f'{{"process":{i},"type":"ok","f":"release"}}')
        self.program.write("crowd.jsonl", "\n".join(events))
        for limit, code in (("4MiB", 3), ("1GiB", 0)):
            result = self.check("crowd.jsonl", "--model", "fenced-lock", "--limit-memory", limit)
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        result = self.check("crowd.jsonl", "--model", "fenced-lock", "--limit-memory", "4MiB")
        self.assertIn("memory beside the history would not do", result.stdout)
        self.assertIn("the search had not got past", result.stdout)

    def test_lists_the_models(self):
        result = self.program.run("list", "models", "--format", "json")
        names = [each["name"] for each in json.loads(result.stdout)["models"]]
        self.assertEqual(result.returncode, 0)
        for name in ("mutex", "reentrant-mutex", "leased-mutex", "fifo-mutex", "read-write-lock",
                     "semaphore", "latch", "fenced-lock", "register", "cas-register", "key-value"):
            self.assertIn(name, names)


if __name__ == "__main__":
    unittest.main()
