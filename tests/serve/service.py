"""`lockstep serve` as a child process, for tests of client programs.

LOCKSTEP_BINARY names the program.
"""

import os
import re
import select
import signal
import subprocess


class Service:
    """Serves on a free port until close()."""

    def __init__(self, *arguments):
        # With sanitizers: what was freed is to be free, as its memory is looked at.
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1:thread_local_quarantine_size_kb=64"
        self.process = subprocess.Popen(
            [os.environ["LOCKSTEP_BINARY"], "serve", "--port", "0", *arguments],
            env={**os.environ, "ASAN_OPTIONS": sanitizer},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.where = self.process.stdout.readline()
        match = re.match(r"listening on \S+?:(\d+)", self.where)
        if match is None:
            raise RuntimeError(f"it says {self.where!r} {self.process.stderr.read()}")
        self.port = match.group(1)

    def end(self, with_signal=signal.SIGTERM):
        """Ends it and returns the exit code and what else it printed."""
        self.process.send_signal(with_signal)
        out, errors = self.process.communicate(timeout=300)
        return self.process.returncode, out + errors

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def read_until(stream, *texts, timeout_s=30):
    """What comes from a file until the texts are in it, one after another."""
    seen = ""
    pattern = re.compile(".*".join(map(re.escape, texts)), re.DOTALL)
    while not pattern.search(seen):
        ready, _, _ = select.select([stream], [], [], timeout_s)
        if not ready:
            raise TimeoutError(f"{texts} does not come after {seen!r}")
        more = os.read(stream if isinstance(stream, int) else stream.fileno(), 65536)
        if not more:
            raise EOFError(f"{texts} did not come; all there was: {seen!r}")
        seen += more.decode(errors="replace")
    return seen
