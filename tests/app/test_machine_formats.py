"""What programs read: JSON that fits its schema, JUnit that fits its, histories that read back."""

import json
import re
import subprocess
import unittest

import jsonschema
from program import GC_PAUSE, HOLDS, REPOSITORY, Program
from test_fuzz import OPEN

PARAMETERS = HOLDS.replace('lock   = "plain"', 'lock   = "plain"\nparameters = { lease = ["1s", "2s"] }') \
    .replace("lease=10s", "lease={lease}")


def schema_of(name):
    schema = json.loads((REPOSITORY / "docs/schemas" / name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


class Formats(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("pause.toml", GC_PAUSE)
        self.program.write("holds.toml", HOLDS)

    def fits(self, name, text):
        problems = [f"{'/'.join(map(str, each.absolute_path))}: {each.message[:200]}"
                    for each in schema_of(name).iter_errors(json.loads(text))]
        self.assertEqual(problems, [])

    def test_json_of_runs_fits_its_schema(self):
        self.program.write("wrong.toml", GC_PAUSE.replace('violates = "mutual-exclusion", ', ""))
        self.program.write("bad.toml", "nonsense")
        runs = (["pause.toml"], ["pause.toml", "holds.toml", "wrong.toml", "bad.toml", "--seeds", "3"],
                ["pause.toml", "--out", "out", "--seed", str(2**63)],
                [str(REPOSITORY / "scenarios/known-bugs"), "--no-files"],
                [str(REPOSITORY / "scenarios/open-safe"), "--no-files"])
        for arguments in runs:
            with self.subTest(arguments):
                self.fits("run.schema.json", self.program.run("run", *arguments, "--format", "json").stdout)

    def test_json_of_searches_and_checks_fits_its_schema(self):
        history = str(REPOSITORY / "histories/double-hold.edn")
        search = str(REPOSITORY / "scenarios/open-safe/acknowledged-through-failovers.toml")
        self.program.run("run", "pause.toml", "--out", "out")
        self.program.write("open.toml", OPEN)
        self.program.run("fuzz", "open.toml", "--runs", "200", "--shard", "1/2", "--out", "part", "--jobs", "1")
        for schema, arguments in (
                ("fuzz", ["fuzz", "open.toml", "--runs", "200", "--jobs", "1"]),
                ("survival", ["fuzz", "plain", "setnx/fixed-value", "--runs", "160", "--jobs", "1"]),
                ("contract", ["explain", "plain", "setnx/fixed-value", "latch", "redlock"]),
                ("fuzz", ["fuzz", search, "--runs", "30", "--jobs", "1", "--corpus", "corpus"]),
                ("fuzz", ["merge", "part", "--out", "merged"]),
                ("corpus", ["corpus", search, "--corpus", "corpus"]),
                ("shrink", ["shrink", "pause.toml"]),
                ("explore", ["explore", str(REPOSITORY / "scenarios/explore/pause.toml"), "--deviations", "0"]),
                ("replay", ["replay", "out/pause.trace.jsonl"]),
                ("check", ["check", history, "--model", "owned-mutex"]),
                ("check", ["check", history, "--model", "mutex", "--witness"]),
                ("check", ["check", "out/pause.trace.jsonl", "--model", "leased-mutex", "--witness"])):
            with self.subTest(arguments):
                result = self.program.run(*arguments, "--format", "json")
                self.assertNotEqual(result.stdout, "", result.stderr)
                self.fits(f"{schema}.schema.json", result.stdout)

    def test_the_schema_refuses_what_does_not_fit(self):
        text = self.program.run("run", "pause.toml", "--format", "json").stdout
        for change in ({"schema": 2}, {"runs": "many"}, {"more": 1}):
            self.assertNotEqual(
                list(schema_of("run.schema.json").iter_errors({**json.loads(text), **change})), [])

    def test_the_schema_of_a_survival_table_refuses_what_does_not_fit(self):
        text = self.program.run("fuzz", "plain", "--runs", "40", "--jobs", "1", "--format", "json").stdout
        self.fits("survival.schema.json", text)
        document = json.loads(text)
        for change in ({"version": 2}, {"format": "lockstep-fuzz"}, {"targets": {}}, {"more": 1}):
            self.assertNotEqual(
                list(schema_of("survival.schema.json").iter_errors({**document, **change})), [], change)
        target = document["targets"][0]
        for change in ({"rows": []}, {"conclusion": None}, {"more": 1},
                       {"contract": {**target["contract"], "assumes": {"harm": ["good-luck"]}}}):
            changed = {**document, "targets": [{**target, **change}]}
            self.assertNotEqual(list(schema_of("survival.schema.json").iter_errors(changed)), [], change)

    def test_schemas_with_contracts_know_all_assumptions_and_are_alike(self):
        source = (REPOSITORY / "model/lock/assumption.cpp").read_text(encoding="utf-8")
        words = re.findall(r'"([a-z-]+)"', source[:source.index("};")])
        survival, contract = (json.loads((REPOSITORY / f"docs/schemas/{name}.schema.json").read_text(encoding="utf-8"))
                              for name in ("survival", "contract"))
        self.assertEqual(survival["$defs"]["assumption"]["enum"], words)
        self.assertEqual(contract["$defs"]["assumption"]["enum"], words)
        self.assertEqual(*(each["items"]["properties"]["contract"]
                           for each in (survival["properties"]["targets"], contract["properties"]["locks"])))

    def test_junit_fits_the_common_schema(self):
        self.program.write("wrong.toml", GC_PAUSE.replace('violates = "mutual-exclusion", ', "")
                           .replace("A pause longer than the lease", "<>&' \\u0000 \\u202e \U0001f512"))
        self.program.write("limit.toml", HOLDS + "\n[limits]\nevents = 10\n")
        runs = (["run", "pause.toml"], ["run", "pause.toml", "holds.toml", "wrong.toml", "limit.toml"],
                ["run", str(REPOSITORY / "scenarios/open-safe"), str(REPOSITORY / "scenarios/open"), "--no-files"],
                ["fuzz", "open.toml", "--runs", "200", "--jobs", "1"],
                ["fuzz", "plain", "setnx/fixed-value", "--runs", "160", "--jobs", "1"])
        self.program.write("open.toml", OPEN)
        for arguments in runs:
            with self.subTest(arguments):
                self.program.run(*arguments, "--junit", "junit.xml")
                result = subprocess.run(
                    ["xmllint", "--noout", "--schema", REPOSITORY / "docs/schemas/junit.xsd", "junit.xml"],
                    cwd=self.program.folder, capture_output=True, text=True, check=False)
                self.assertEqual((result.returncode, result.stderr), (0, "junit.xml validates\n"))

    def test_histories_read_back_as_the_same(self):
        self.assertEqual(self.program.run("run", "pause.toml", "--out", "out").returncode, 0)
        for name in ("fair/contention", "readwrite/writers-exclude-readers", "redlock/contention"):
            path = REPOSITORY / "scenarios" / f"{name}.toml"
            if path.exists():
                self.program.run("run", str(path), "--out", f"out/{name}")
        traces = [path for path in self.program.files("out") if path.endswith(".trace.jsonl")]
        self.assertGreater(len(traces), 0)
        for trace in traces:
            with self.subTest(trace):
                result = self.program.run("export", f"out/{trace}", "-o", "history.edn")
                self.assertEqual((result.returncode, result.stdout), (0, "history.edn\n"), result.stderr)
                printed = self.program.run("export", f"out/{trace}")
                self.assertEqual(printed.stdout, (self.program.folder / "history.edn").read_text())
                answers = []
                for file in (f"out/{trace}", "history.edn"):
                    checked = self.program.run("check", file, "--model", "leased-mutex", "--witness",
                                               "--format", "json")
                    answers.append((checked.returncode, self.comparable(checked.stdout)))
                self.assertEqual(*answers)
                self.assertEqual(answers[0][0], 0)

    @staticmethod
    def comparable(text):
        """Without the names of the files, and lines counted from the first."""
        document = json.loads(text)
        lines = sorted({line for line in _numbers_of(document, "line")})
        places = {line: place for place, line in enumerate(lines)}
        return _with_lines(document, places)

    def test_histories_of_what_has_none_are_refused(self):
        self.program.write("bad", "nonsense")
        for arguments in (["bad"], ["missing"]):
            result = self.program.run("export", *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("error: ", result.stderr)
        self.program.run("run", "pause.toml", "--out", "out")
        result = self.program.run("export", "out/pause.trace.jsonl", "-o", "history.json")
        self.assertEqual(result.returncode, 2)
        self.assertIn("expected a name that ends in .edn", result.stderr)


def _is_place(key):
    return key.endswith(("line", "lines"))


def _numbers_of(value, key=""):
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _numbers_of(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from _numbers_of(each, key)
    elif _is_place(key) and isinstance(value, int):
        yield value


def _with_lines(value, places, key=""):
    if isinstance(value, dict):
        return {name: _with_lines(each, places, name) for name, each in value.items()
                if name not in ("path", "history", "file", "format", "input_format")}
    if isinstance(value, list):
        return [_with_lines(each, places, key) for each in value]
    return places[value] if _is_place(key) and isinstance(value, int) else value


if __name__ == "__main__":
    unittest.main()
