"""Recordings of what real libraries send, compared with client models: lockstep record, conform --recording.

Needs redis-py (tools/setup live) and a redis-server; without redis-py the test is skipped, and says so: it exits
with 77.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"
ADAPTER = f"{PYTHON} '{REPOSITORY / 'examples/real-clients/python/adapter.py'}'"
SKIPPED = 77

STORY = """
title     = "Two clients, one after the other"
lock      = "setnx"
lock_name = "orders"
expect    = { holds = "no-leak" }
[[client]]
name = "a"
run  = ["lock lease=20s", "sleep 2s", "extend lease=30s", "unlock"]
[[client]]
name  = "b"
start = "600ms"
run   = ["lock lease=20s", "unlock"]
"""


class Recordings(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)
        self.recording = self.folder / "recording.jsonl"
        self.story = self.folder / "story.toml"
        self.story.write_text(STORY)

    def lockstep(self, *words):
        return subprocess.run([os.environ["LOCKSTEP_BINARY"], *map(str, words)], capture_output=True, text=True,
                              timeout=120, check=False, cwd=self.folder)

    def record(self, *words):
        return self.lockstep("record", "--port", 0, "--out", self.recording, *words)

    def requests(self):
        return [json.loads(line) for line in self.recording.read_text().splitlines()[1:]]

    def started(self, *words):
        """Record, and the ports that it says."""
        process = subprocess.Popen(
            [os.environ["LOCKSTEP_BINARY"], "record", "--port", "0", "--out", self.recording, *map(str, words)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process, int(process.stdout.readline().rsplit(":", 1)[1])

    def test_of_a_faithful_model_has_the_same_requests(self):
        recorded = self.record("--story", self.story, "--client", ADAPTER)
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        self.assertEqual({each["client"] for each in self.requests()}, {"a", "b"})
        said = self.lockstep("conform", "setnx", "--recording", self.recording)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
        self.assertIn("the same", said.stdout)
        other = self.lockstep("conform", "plain", "--recording", self.recording)
        self.assertEqual(other.returncode, 1, other.stdout + other.stderr)
        self.assertRegex(other.stdout, r"real   set orders <token> NX PX 20000")

    def test_of_a_client_of_a_real_server_are_taken_on_the_way(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir",
                                   self.folder], stdout=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.until_it_listens(port)
        recorded = self.record("--story", self.story, "--client", ADAPTER, "--to", f"127.0.0.1:{port}")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        said = self.lockstep("conform", "setnx", "--recording", self.recording)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)

    @staticmethod
    def until_it_listens(port):
        for _ in range(600):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)

    def test_of_somebody_who_connects_by_hand_end_with_ctrl_c(self):
        process, port = self.started()
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"SET k \xff\r\nGET k\r\nEVALSHA 1234 0\r\n")
            answer = b""
            while b"NOSCRIPT" not in answer:
                answer += client.recv(1000)
        self.assertTrue(answer.startswith(b"+OK\r\n$1\r\n\xff\r\n-NOSCRIPT"), answer)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertEqual([each["request"][0] for each in self.requests()], ["SET", "GET", "EVALSHA"])
        without = self.lockstep("conform", "setnx", "--recording", self.recording)
        self.assertEqual(without.returncode, 2)
        self.assertIn("does not say what its clients did", without.stderr)

    def test_leave_nothing_running(self):
        process, port = self.started()
        process.kill()
        process.wait(timeout=60)
        for _ in range(600):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) != 0:
                    return
            time.sleep(0.05)
        self.fail("somebody still listens")

    def test_tell_where_nothing_or_no_resp_came_by(self):
        for sent, why in ((None, "nothing was recorded"), (b"\x16\x03\x01\x02\x00\x01", "something else than RESP")):
            process, port = self.started()
            if sent is not None:
                with socket.create_connection(("127.0.0.1", port)) as client:
                    client.sendall(b"*1\r\n$4\r\nPING\r\n")
                    client.recv(100)
                    client.sendall(b"*1\r\n$x\r\n" + sent)
                    client.recv(100)
            process.send_signal(signal.SIGTERM)
            said = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 3, said)
            self.assertIn(why, said[1])
        self.assertEqual([each["request"] for each in self.requests()], [["PING"]])

    def test_that_cannot_be_made_are_refused(self):
        for words, why in ((("--story", self.story, "--client", "/nowhere/at-all"), "cannot start"),
                           (("--story", self.story, "--client", "false"), "ended with exit status 1"),
                           (("--to", "nowhere"), "expected HOST:PORT"),
                           (("--client", "true"), "--story")):
            said = self.record(*words)
            self.assertEqual(said.returncode, 2, said.stdout)
            self.assertIn(why, said.stderr)
        self.assertFalse(self.recording.exists())

    def test_that_are_none_are_refused_at_their_line(self):
        for text, why in (("", "it is empty"), ("hello\n", "no JSON object"), ("{}\n", "it is no recording"),
                          ('{"lockstep_recording": 9}\n', "of version 9"),
                          ('{"lockstep_recording": 1}\n{"client": "a"}\n', ":2:1: error: it lacks \"server\"")):
            self.recording.write_text(text)
            said = self.lockstep("conform", "setnx", "--recording", self.recording)
            self.assertEqual(said.returncode, 2, said.stdout)
            self.assertIn(why, said.stderr)


if __name__ == "__main__":
    if subprocess.run([PYTHON, "-c", "import redis.lock"], capture_output=True, check=False).returncode:
        print("SKIPPED: redis-py is not installed: tools/setup live")
        sys.exit(SKIPPED)
    unittest.main()
