"""Real clients that compute or sleep for ever, in minutes of processor time: to be run by hand, with LOCKSTEP_BINARY, where
live/patience.h changes. What it decides by is tested in live.Patience."""

import os
import signal
import subprocess
import time
import unittest

from program_story import RepeatingProgram, children, words_of
from stuck_programs import ASKS, CONNECTS

LOOPS = {
    "yield (sched_yield)": "os.sched_yield()",
    "read the clock": "time.time()",
    "read what has nothing to read": "nothing_to_read()",
}
ASYNC = CONNECTS + """
import asyncio
async def main():
    while True:
        await asyncio.sleep(0)
asyncio.run(main())
"""
HOLDS_A_FILE = CONNECTS + """
file = open('held', 'w')
fcntl.flock(file, fcntl.LOCK_EX)
time.sleep(1)
"""


class StuckForLong(RepeatingProgram):
    def test_who_asks_again_and_again_for_nothing_is_told_what_it_repeats(self):
        programs = {f"{ASKS}while True: {act}": what for what, act in LOOPS.items()} | {ASYNC: "poll with a time-out of 0"}
        for program, what in programs.items():
            with self.subTest(program.splitlines()[-1]):
                self.assert_repeats(program, what)

    def test_who_computes_for_ever_is_told_after_so_much_processor_time(self):
        said = self.run_once(f"{CONNECTS}while True: pass", 'reuse = "fork"', "--out", "out")
        self.assertEqual(said.returncode, 1, said.stderr)
        self.assertIn("the program failed in 1 of 1 run (first with seed 1): w: it is stuck: it has computed for 20 s of processor time",
                      words_of(said))
        trace = (self.folder / "out" / "story.trace.jsonl").read_text()
        self.assertIn('"how":"stuck"', trace.replace(" ", ""))

    def test_who_waits_for_another_process_is_told_so_with_the_call(self):
        said = self.run_once(HOLDS_A_FILE, "count = 2")
        self.assertEqual(said.returncode, 1, said.stderr)
        self.assertIn("it is stuck: it sleeps in the kernel (flock)", words_of(said))

    def test_is_not_who_computes_while_the_machine_does_something_else(self):
        """It stands still for longer than one that sleeps would be given."""
        program = CONNECTS + "open('begun', 'w').close()\nfor _ in range(40_000_000): pass\n"
        story = self.scenario(program)
        running = subprocess.Popen([os.environ["LOCKSTEP_BINARY"], "run", story, "--seeds", "1", "--no-files"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(running.kill)
        self.wait_until(lambda: (self.folder / "begun").exists())
        program = children(running.pid)[0]
        os.kill(program, signal.SIGSTOP)
        time.sleep(22)
        os.kill(program, signal.SIGCONT)
        output, errors = running.communicate(timeout=120)
        self.assertEqual(running.returncode, 3, output + errors)  # nothing was put to the test
        self.assertNotIn("stuck", output)

    def test_who_differs_for_that_is_called_stuck(self):
        """It prints until it is ended: how far it comes hangs on the machine."""
        program = CONNECTS + "i = 0\nwhile True:\n  i += 1\n  if i % 1_000_000 == 0: print(i, flush=True)\n"
        said = self.run_once(program)
        self.assertEqual(said.returncode, 2, said.stdout)
        self.assertIn("was stuck in one of two runs of seed 1: w/1: it is stuck: it has computed", words_of(said))
        self.assertNotIn("the same twice", said.stderr)


if __name__ == "__main__":
    unittest.main()
