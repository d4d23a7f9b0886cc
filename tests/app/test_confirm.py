"""lockstep confirm: saved traces on real Redis servers."""

import json
import os
import shutil
import unittest

import jsonschema
from program import GC_PAUSE, HOLDS, REPOSITORY, Program

FAILOVER = HOLDS.replace("[[client]]", "[redis]\nreplicas = 1\n\n[[client]]", 1) + """
[[fault]]
crash = "n1"
when  = "b acquired"

[[fault]]
promote = "n1-replica-1"
when    = "n1 crashed"
"""


class Confirm(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def make_trace(self, name, text, **environment):
        self.program.write(f"{name}.toml", text)
        result = self.program.run("run", f"{name}.toml", "--seed", "5", "--out", "out",
                                  **environment)
        self.assertNotEqual(result.returncode, 2, result.stderr)
        return f"out/{name}.trace.jsonl"

    def put_in_path(self, name, script):
        """A folder with a program of that name, ahead of all others."""
        path = self.program.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(script)
        path.chmod(0o755)
        return f"{path.parent}:{os.environ['PATH']}"

    def test_confirms_several_traces(self):
        traces = [self.make_trace("gc-pause", GC_PAUSE), self.make_trace("failover", FAILOVER)]
        result = self.program.run("confirm", *traces)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertRegex(result.stdout, r"^confirmed on redis-server 7\.\d+\.\d+: \d+ commands, "
                                        r"\d+ equal replies  out/gc-pause\.trace\.jsonl\n")
        self.assertIn("1 promotion\n", result.stdout)
        self.assertIn("  A pause longer than the lease (gc-pause.toml, seed 5)\n", result.stdout)

    def test_confirms_without_the_scenario_s_file(self):
        trace = self.make_trace("gc-pause", GC_PAUSE)
        (self.program.folder / "gc-pause.toml").unlink()
        self.assertEqual(self.program.run("confirm", trace).returncode, 0)

    def test_confirms_for_programs(self):
        trace = self.make_trace("failover", FAILOVER)
        result = self.program.run("confirm", trace, "--format", "json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        schema = json.loads((REPOSITORY / "docs/schemas/confirm.schema.json").read_text())
        jsonschema.validate(json.loads(result.stdout), schema)
        found = json.loads(result.stdout)["confirmations"]
        self.assertEqual(len(found), 1)
        self.assertEqual((found[0]["confirmed"], found[0]["difference"], found[0]["seed"]),
                         (True, None, 5))
        self.assertEqual((found[0]["servers"], found[0]["promotions"]), (2, 1))
        self.assertGreater(found[0]["commands"], 10)
        self.assertEqual(found[0]["commands"], found[0]["equal_replies"])
        self.assertGreater(found[0]["stream_requests"], 0)

    def test_names_the_first_difference(self):
        trace = self.make_trace("gc-pause", GC_PAUSE)
        server = shutil.which("redis-server")
        path = self.put_in_path(
            "redis-server", f'#!/bin/sh\nexec {server} "$@" --rename-command EVALSHA ""\n')
        result = self.program.run("confirm", trace, PATH=path)
        self.assertEqual((result.returncode, result.stderr), (1, ""), result.stdout)
        self.assertRegex(result.stdout, r"^not confirmed on redis-server 7\.")
        self.assertRegex(result.stdout, r"the first difference: event \d+ of the trace, at "
                                        r"[\d,.]+ ms, n1: the reply to b/1's acquire: EVALSHA ")
        self.assertIn("real       (error) ERR unknown command 'EVALSHA'", result.stdout)
        result = self.program.run("confirm", trace, "--format", "json", PATH=path)
        self.assertEqual(result.returncode, 1)
        difference = json.loads(result.stdout)["confirmations"][0]["difference"]
        self.assertEqual(difference["node"], "n1")
        lines = (self.program.folder / trace).read_text().splitlines()
        event = next(line for line in lines if line.startswith(f'{{"event":{difference["event"]},'))
        self.assertIn('"kind":"command-executed","actor":"n1"', event)

    def test_says_how_to_get_a_missing_redis_server(self):
        trace = self.make_trace("gc-pause", GC_PAUSE)
        result = self.program.run("confirm", trace, trace, PATH="/nowhere")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr,
                         "error: redis-server is missing: install redis-server 7.0 or later (on "
                         "Debian and Ubuntu: apt-get install redis-server)\n")

    def test_says_that_a_server_that_does_not_start_did_not(self):
        trace = self.make_trace("gc-pause", GC_PAUSE)
        path = self.put_in_path("redis-server", "#!/bin/sh\nexit 3\n")
        result = self.program.run("confirm", trace, PATH=path)
        self.assertEqual(result.returncode, 2)
        self.assertIn("redis-server ended at its start", result.stderr)

    def test_refuses_what_is_no_trace_and_confirms_the_others(self):
        trace = self.make_trace("gc-pause", GC_PAUSE)
        text = (self.program.folder / trace).read_text()
        lines = text.splitlines(keepends=True)
        version = json.loads(lines[0])["model_version"]
        refused = {
            "cut.jsonl": "".join(lines[:-1]),
            "half.jsonl": text[: len(text) // 2],
            "changed.jsonl": text.replace('"lock"', '"lokk"', 1),
            "later.jsonl": text.replace(f'"model_version":{version}',
                                        f'"model_version":{version + 1}', 1),
            "empty.jsonl": "",
        }
        for name, content in refused.items():
            with self.subTest(name):
                self.assertNotEqual(content, text)
                self.program.write(name, content)
                result = self.program.run("confirm", name, trace)
                self.assertEqual(result.returncode, 2)
                self.assertRegex(result.stderr, rf"^{name}(:\d+)*: error: ")
                self.assertEqual(result.stdout.count("confirmed on "), 1)
        result = self.program.run("confirm", "none.jsonl")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"^none\.jsonl: error: ")

    def test_refuses_a_trace_whose_lock_has_changed(self):
        for change in (lambda text: text.replace("pexpire", "persist"),
                       lambda text: "-- only a comment\n" + text):
            shutil.copytree(REPOSITORY / "scripts" / "plain", self.program.folder / "mine")
            trace = self.make_trace("mine", GC_PAUSE.replace('"plain"', '"./mine"'))
            script = self.program.folder / "mine" / "acquire.lua"
            changed = change(script.read_text())
            self.assertNotEqual(changed, script.read_text())
            script.write_text(changed)
            result = self.program.run("confirm", trace)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertRegex(result.stderr, r"^out/mine\.trace\.jsonl: error: ")
            self.assertIn("lock's files have changed", result.stderr)
            shutil.rmtree(self.program.folder / "mine")

    def test_leaves_nothing_behind(self):
        trace = self.make_trace("failover", FAILOVER)
        temporary = self.program.folder / "temporary"
        temporary.mkdir()
        result = self.program.run("confirm", trace, TMPDIR=str(temporary))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(list(temporary.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
