"""Debian's redis-cli works against the service: piped, typed, inserting masses, subscribed."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios
import unittest
from pathlib import Path

from service import Service, read_until


class RedisCli(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service("--replicas", "1")
        cls.addClassCleanup(cls.service.close)

    def setUp(self):
        self.cli("flushall")

    def cli(self, *arguments, **options):
        """What redis-cli prints."""
        result = subprocess.run(["redis-cli", "-p", self.service.port, *arguments], timeout=300,
                                capture_output=True, check=True, **options)
        return result.stdout.decode(errors="replace")

    def test_sends_a_command_and_prints_the_reply(self):
        self.assertEqual(self.cli("set", "a", "b"), "OK\n")
        self.assertEqual(self.cli("get", "a"), "b\n")
        self.assertIn("ERR unknown command 'nosuch'", self.cli("nosuch"))
        self.assertIn("role:master", self.cli("info", "replication"))

    def test_scripts_that_are_flushed_take_no_memory(self):
        """Once 12 MB stayed of each round."""
        def round_of(number):
            lines = [f'eval "return {number * 1000 + i} --{"x" * 5000}" 0' for i in range(1000)]
            self.cli(input="\n".join([*lines, "script flush"]).encode())
            status = Path(f"/proc/{self.service.process.pid}/status").read_text(encoding="utf-8")
            return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1])

        before = max(round_of(number) for number in range(3))
        self.assertLess(round_of(3), before + 10_000)
        self.assertLess(max(round_of(number) for number in range(4, 7)), before + 10_000)

    def test_takes_commands_from_a_pipe(self):
        printed = self.cli(input=b"set n 5\nincrby n 2\nmulti\nincr n\nget n\nexec\nhset h f v\n"
                                 b"hgetall h\nselect 3\nget n\n")
        self.assertEqual(printed.split(), ["OK", "7", "OK", "QUEUED", "QUEUED", "8", "8", "1", "f",
                                           "v", "OK"])

    def test_works_interactively(self):
        terminal, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        child = subprocess.Popen(["redis-cli", "-p", self.service.port], stdin=inside,
                                 stdout=inside, stderr=inside,
                                 env={**os.environ, "TERM": "xterm", "REDISCLI_HISTFILE": "/dev/null"})
        os.close(inside)
        try:
            prompt = f"127.0.0.1:{self.service.port}> "  # it reads nothing before it says so
            read_until(terminal, prompt)
            os.write(terminal, b"set typed 1\r")
            read_until(terminal, "OK", prompt)
            os.write(terminal, b"incr typed\r")
            read_until(terminal, "(integer) 2", prompt)
            os.write(terminal, b"lrange typed 0 -1\r")
            read_until(terminal, "WRONGTYPE", prompt)
            os.write(terminal, b"select 1\r")
            read_until(terminal, "OK", prompt.replace(">", "[1]>"))
            os.write(terminal, b"quit\r")
            self.assertEqual(child.wait(timeout=300), 0)
        finally:
            child.kill()
            child.wait()
            os.close(terminal)

    def test_inserts_masses_from_a_pipe(self):
        count = 20_000
        requests = b"".join(b"*3\r\n$3\r\nSET\r\n$%d\r\nkey:%d\r\n$1\r\nx\r\n" % (4 + len(str(i)), i)
                            for i in range(count))
        self.assertIn(f"errors: 0, replies: {count}", self.cli("--pipe", input=requests))
        self.assertEqual(self.cli("dbsize"), f"{count}\n")

    def test_scans(self):
        self.cli(input="".join(f"set key:{i} x\n" for i in range(500)).encode())
        keys = self.cli("--scan", "--pattern", "key:4*").split()
        self.assertEqual(sorted(set(keys)), sorted({f"key:{i}" for i in range(500)
                                                   if str(i).startswith("4")}))

    def test_speaks_resp3(self):
        self.cli("hset", "h", "f", "v")
        printed = self.cli("-3", "--no-raw", "hgetall", "h")
        self.assertEqual(printed, '1# "f" => "v"\n')

    def test_evaluates_a_script_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "script.lua"
            script.write_text("redis.call('set', KEYS[1], ARGV[1])\nreturn {KEYS[1], ARGV[1], 3}\n")
            self.assertEqual(self.cli("--eval", str(script), "k", ",", "v"), "k\nv\n3\n")

    def test_publishes_to_one_that_is_subscribed(self):
        listener = subprocess.Popen(["redis-cli", "-p", self.service.port, "psubscribe", "news.*"],
                                    stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        try:
            read_until(listener.stdout, "psubscribe\nnews.*\n1\n")
            self.assertEqual(self.cli("publish", "news.1", "hello"), "1\n")
            self.assertEqual(read_until(listener.stdout, "hello\n"),
                             "pmessage\nnews.*\nnews.1\nhello\n")
        finally:
            listener.kill()
            listener.communicate()

    def test_waits_for_an_element_that_another_pushes(self):
        waiting = subprocess.Popen(["redis-cli", "-p", self.service.port, "blpop", "queue", "10"],
                                   stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        try:
            while self.cli("llen", "queue") == "0\n" and waiting.poll() is None:
                self.cli("rpush", "queue", "element")
            self.assertEqual(waiting.communicate(timeout=300)[0], b"queue\nelement\n")
        finally:
            waiting.kill()
            waiting.communicate()

    def test_repeats_and_waits_for_replicas(self):
        self.assertEqual(self.cli("-r", "3", "incr", "n"), "1\n2\n3\n")
        self.assertEqual(self.cli(input=b"set a b\nwait 1 0\n"), "OK\n1\n")

    def test_measures_latency(self):
        self.assertRegex(self.cli("--latency", "-i", "1", "--raw", stdin=subprocess.DEVNULL),
                         r"^\d+ \d+ [\d.]+ \d+\s*$")


class TheEnd(unittest.TestCase):
    def test_of_a_service_is_silent_and_clean(self):
        service = Service()
        self.addCleanup(service.close)
        self.assertEqual(service.end(), (0, ""))

    def test_comes_where_the_port_is_taken(self):
        service = Service()
        self.addCleanup(service.close)
        result = subprocess.run([os.environ["LOCKSTEP_BINARY"], "serve", "--port", service.port],
                                capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, f"error: cannot listen on 127.0.0.1 port {service.port}: "
                                        "Address already in use\n")

    def test_comes_at_once_for_wrong_options(self):
        for arguments, complaint in (((), "expected --port N or --unix PATH"),
                                     (("--port", "65536"), "whole number from 0 to 65535"),
                                     (("--port", "x"), "'x' is not a whole number"),
                                     (("--port", "0", "--replicas", "101"), "from 0 to 100"),
                                     (("--port", "0", "--bind", "nowhere"), "is no address"),
                                     (("--port", "0", "--clock", "/no/clock"), "the clock"),
                                     (("--prot", "0"), "did you mean '--port'?")):
            with self.subTest(arguments):
                result = subprocess.run([os.environ["LOCKSTEP_BINARY"], "serve", *arguments],
                                        capture_output=True, text=True, timeout=300, check=False)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(complaint, result.stderr)

    def test_comes_by_the_command_too(self):
        service = Service()
        self.addCleanup(service.close)
        subprocess.run(["redis-cli", "-p", service.port, "shutdown", "nosave"], timeout=300,
                       check=False)
        self.assertEqual(service.process.wait(timeout=300), 0)


if __name__ == "__main__":
    unittest.main()
