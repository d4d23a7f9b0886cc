"""The built program in a folder of its own, for the tests of its command line.

LOCKSTEP_BINARY names the program.
"""

import os
import subprocess
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

GC_PAUSE = """\
title  = "A pause longer than the lease"
lock   = "plain"
expect = { violates = "mutual-exclusion", holds = "lease-linearizability" }

[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]

[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "sleep 3s", "unlock"]

[[fault]]
pause = "a"
when  = "a read"
for   = "15s"
"""

HOLDS = """\
title  = "Contention"
lock   = "plain"
expect = { holds = ["mutual-exclusion", "harm"] }

[[client]]
name   = "a"
rounds = 2
run    = ["lock lease=10s", "write", "unlock"]

[[client]]
name = "b"
run  = ["lock lease=10s", "write", "unlock"]
"""


class Program:
    """Runs lockstep in a temporary folder, which is gone after close()."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.binary = os.environ["LOCKSTEP_BINARY"]

    def close(self):
        self._folder.cleanup()

    def write(self, path, content):
        """Writes a file, text or bytes, and returns its path as the program is told it."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def environment(self, **more):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("NO_COLOR", "LOCKSTEP_COMMAND")}
        return {**environment, "TERM": "xterm", "LOCKSTEP_COMMAND": "lockstep", **more}

    def run(self, *arguments, folder=".", **environment):
        return subprocess.run([self.binary, *arguments], cwd=self.folder / folder, timeout=300,
                              env=self.environment(**environment), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def files(self, folder="."):
        """The paths of all files below a folder, hidden ones included."""
        root = self.folder / folder
        return sorted(path.relative_to(root).as_posix() for path in root.rglob("*")
                      if path.is_file())
