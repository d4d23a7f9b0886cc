"""Real clients that ask for the same again and again: what they ask for is told. Who computes or sleeps for ever takes
minutes to be called stuck: stuck_for_long.py."""

import unittest

from program_story import RepeatingProgram

# It has connected, so that whatever it does then is an event of the run.
CONNECTS = "import fcntl, os, select, socket, threading, time\ns = socket.create_connection(('localhost', 6379))\n"
# What they ask for again and again, without waiting for it.
LOOPS = {
    "sleep for no time": "time.sleep(0)",
    "poll with a time-out of 0": "select.select([s], [], [], 0)",
}
ASKS = CONNECTS + """
s.setblocking(False)
def nothing_to_read():
    try:
        s.recv(1)
    except BlockingIOError:
        pass
"""
# Their reply comes, and they go on.
IMPATIENT = ASKS + """
os.write(int(os.environ["LOCKSTEP_REPORT"]), b"ACQUIRED orders\\n")
s.sendall(b"BLPOP nothing 30\\r\\n")
reply = None
while reply is None:
    try:
        reply = s.recv(64)
    except BlockingIOError:
        pass
s.sendall(b"SET replied 1\\r\\n")
"""


class StuckPrograms(RepeatingProgram):
    def test_who_asks_again_and_again_for_nothing_is_told_what_it_repeats(self):
        for what, act in LOOPS.items():
            with self.subTest(act):
                self.assert_repeats(f"{ASKS}while True: {act}", what)

    def test_is_not_who_asks_again_and_again_until_the_reply_comes(self):
        said = self.run_once(IMPATIENT, "", "--out", "out")
        self.assertNotIn("stuck", said.stdout)
        self.assertIn("replied 1", (self.folder / "out" / "story.trace.jsonl").read_text())


if __name__ == "__main__":
    unittest.main()
