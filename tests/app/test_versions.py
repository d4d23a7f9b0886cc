"""Versions of the server: [redis] version, run --redis-version, serve --version, confirm --server."""

import json
import os
import shutil
import socket
import subprocess
import unittest
from pathlib import Path

from program import GC_PAUSE, REPOSITORY, Program

ALL = ["redis-6.0", "redis-7.0", "redis-8.0", "valkey-8.0", "valkey-8.1", "valkey-9.1"]


class Versions(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("pause.toml", GC_PAUSE)

    def test_are_compared_in_one_line(self):
        result = self.program.run("run", "pause.toml", "--redis-version", "all")
        self.assertEqual(result.returncode, 0, result.stderr)
        others = ", ".join(each for each in ALL if each != "redis-7.0")
        self.assertRegex(result.stdout.splitlines()[-1], rf" on redis-7\.0: the same verdicts on {others}$")

    def test_that_differ_are_told_apart(self):
        """redlock extends with PEXPIRE … GT, which 6.0 lacks: nothing is extended there."""
        result = self.program.run("run", REPOSITORY / "scenarios/known-bugs/delayed-restart-after-extension.toml", "--redis-version", "all")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, r"; others on redis-6\.0: mutual-exclusion holds")

    def test_are_in_the_trace_that_is_replayed(self):
        for version in ALL:
            result = self.program.run("run", "pause.toml", "--redis-version", version, "--out", version)
            self.assertEqual(result.returncode, 0, result.stderr)
            trace = self.program.folder / version / "pause.trace.jsonl"
            with trace.open(encoding="utf-8") as lines:
                text = json.loads(next(lines))["scenario"]["text"]
            said = f'version = "{version}"'
            self.assertEqual(said in text.replace("version  ", "version "), version != "redis-7.0", text)
            self.assertEqual(self.program.run("replay", str(trace)).returncode, 0)

    def test_are_explained_where_they_are_not_the_usual_one(self):
        words = self.program.run("run", "pause.toml", "--dry-run").stdout
        self.assertIn("redis: 1 master, 0 replicas; a hop", words)
        words = self.program.run("run", "pause.toml", "--dry-run", "--redis-version", "valkey-8.0").stdout
        self.assertIn("redis: 1 master, 0 replicas, valkey-8.0; a hop", words)
        self.program.write("node.toml", GC_PAUSE + '\n[redis.nodes.n1]\nversion = "redis-8.0"\n')
        self.assertIn("node n1: redis-8.0\n", self.program.run("run", "node.toml", "--dry-run").stdout)

    def test_are_named_by_the_command_that_runs_again(self):
        said = self.program.run("run", "pause.toml", "--redis-version", "valkey-8.0", "--no-files").stdout
        self.assertIn("lockstep run pause.toml --redis-version valkey-8.0 --seed 1", said)

    def test_that_are_not_simulated_are_refused_with_the_nearest(self):
        self.program.write("newer.toml", GC_PAUSE + '\n[redis]\nversion = "7.2"\n')
        for words in (["run", "pause.toml", "--redis-version", "7.2"], ["run", "newer.toml"],
                      ["serve", "--port", "0", "--version", "7.2"]):
            result = self.program.run(*words)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn("'7.2' is not simulated; the nearest are redis-7.0 and redis-8.0", result.stderr)

    def test_are_served(self):
        path = self.program.folder / "redis.sock"
        with subprocess.Popen([os.environ["LOCKSTEP_BINARY"], "serve", "--unix", str(path), "--version", "valkey-9.1"],
                              stdout=subprocess.PIPE, text=True) as serving:
            self.addCleanup(serving.kill)
            serving.stdout.readline()
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(path))
                client.sendall(b"SET lock me\r\nDELIFEQ lock me\r\n")
                said = b""
                while said.count(b"\r\n") < 2:
                    said += client.recv(100)
            serving.terminate()
        self.assertEqual(said, b"+OK\r\n:1\r\n")

    def test_of_6_0_run_their_timers_while_the_clock_stands_still(self):
        """Its event loop runs them where time() goes back; no replica would connect without."""
        clock = self.program.folder / "clock"
        clock.write_bytes((1_700_000_000_000_000).to_bytes(8, "little"))
        library = Path(os.environ["LOCKSTEP_BINARY"]).with_name("lockstep_step_clock.so")
        code = "import ctypes; now = ctypes.CDLL(None).time; print(*(now(None) for _ in range(4)))"
        said = {}
        for wavers in ({}, {"STEP_CLOCK_TIME_WAVERS": "1"}):
            times = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True, check=True,
                                   env={"LD_PRELOAD": str(library), "STEP_CLOCK_FILE": str(clock), **wavers}).stdout
            said[bool(wavers)] = [int(each) for each in times.split()]
        self.assertEqual(said[False], 4 * [1_700_000_000])
        self.assertEqual(said[True][:2], said[True][2:])
        self.assertEqual(sorted(said[True][:2]), [1_699_999_999, 1_700_000_000])

    def test_of_real_servers_confirm_a_trace(self):
        self.program.run("run", "pause.toml", "--out", "out")
        server = shutil.which("redis-server")
        result = self.program.run("confirm", "out/pause.trace.jsonl", "--server", server)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^confirmed on redis-server 7\.")
        result = self.program.run("confirm", "out/pause.trace.jsonl", "--server", "redis-1.0")
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn("redis-1.0", result.stderr)


if __name__ == "__main__":
    unittest.main()
