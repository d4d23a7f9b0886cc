"""Programs of Python, node and Java do the same in every run, as processes and by fork server.

Where a language is missing its test is skipped and says so.
"""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from simulator import EXITING, READY, REFUSED, ForkServer, resp_server, run

PROGRAMS = Path(__file__).resolve().parent / "programs"
PYTHON = [sys.executable, str(PROGRAMS / "worker.py")]


def outcome(run_):
    return run_.log, run_.text, run_.status


def program(language):
    path = shutil.which(language)
    if path is None:
        raise unittest.SkipTest(f"there is no {language}")
    return path


class TheSameEachTime(unittest.TestCase):
    maxDiff = None

    def check(self, command, processes, forks, draws_after_fork=True, **how):
        first = outcome(run(command, resp_server(), **how))
        self.assertEqual(first[2], 0, first[1])
        self.assertIn("b':1", "\n".join(first[0]))
        for _ in range(processes - 1):
            self.assertEqual(outcome(run(command, resp_server(), **how)), first)
        other = outcome(run(command, resp_server(), seed=2, **how))
        self.assertNotEqual(other[0], first[0])
        server = ForkServer(command, **how)
        forked = outcome(server.run(resp_server()))
        self.assertEqual(forked[2], 0, forked[1])
        for _ in range(forks - 1):
            self.assertEqual(outcome(server.run(resp_server())), forked)
        if draws_after_fork:
            self.assertNotEqual(outcome(server.run(resp_server(), seed=2))[0], forked[0])
        descriptors = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        self.assertLess(descriptors, 60)
        server.stop()

    def test_python(self):
        self.check(PYTHON, processes=4, forks=20, env={"PYTHONHASHSEED": "0"})

    def test_node(self):
        # node has drawn many random identifiers ahead when it connects.
        self.check([program("node"), str(PROGRAMS / "worker.mjs")], processes=3, forks=6,
                   draws_after_fork=False)

    def test_java(self):
        compiler, java = program("javac"), program("java")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([compiler, "-d", folder, str(PROGRAMS / "Worker.java")], check=True)
            self.check([java, "-cp", folder, "-XX:-UsePerfData", "Worker"], processes=2, forks=5)


class AForkServer(unittest.TestCase):
    def test_ends_as_the_program_does_if_it_never_connects(self):
        server = ForkServer([sys.executable, "-c", "print('done')"])
        self.assertEqual((server.ready.kind, server.ready.status), (EXITING, 0))
        self.assertEqual(server.stop(), 0)

    def test_ends_with_the_simulator_and_leaves_no_child(self):
        server = ForkServer(PYTHON)
        self.assertEqual(server.ready.kind, READY)
        waiting = server.begin()
        server.stop()
        self.assertFalse(waiting.control.recv(1))
        waiting.abandon()

    def test_hears_in_each_fork_a_report_that_was_opened_by_its_name_before(self):
        program = "import os; say = os.open('/proc/self/fd/242', os.O_WRONLY)\n" \
                  "for word in (b'one', b'two'): os.write(say, word + b'\\n')"
        server = ForkServer([sys.executable, "-c", program])
        for _ in range(2):
            log = server.run(resp_server()).log
            self.assertEqual([line.rsplit(" ", 1)[1] for line in log if " says " in line],
                             ["one", "two"])
        server.stop()

    def test_reaps_its_children(self):
        server = ForkServer(PYTHON)
        for _ in range(5):
            server.run(resp_server())
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
        self.assertLessEqual(len(children.read_text().split()), 2)
        server.stop()

    def test_refuses_a_program_that_waits_for_ever_before_it_connects(self):
        server = ForkServer([sys.executable, "-c", "import signal; signal.pause()"])
        self.assertEqual(server.ready.kind, REFUSED)
        self.assertIn("before its first network socket", server.ready.text)
        server.stop()


if __name__ == "__main__":
    unittest.main()
