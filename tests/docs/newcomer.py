"""A folder that looks to commands as a newcomer's clone does, with the program under test in it.

LOCKSTEP_BINARY names that program; it stands in for tools/lockstep, which tests/tools looks at.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


class Clone:
    """Owns a temporary folder; `close()` removes it."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name) / "lockstep"
        self.folder.mkdir()
        for name in ("scenarios", "scripts", "histories", "docs", "examples"):
            shutil.copytree(REPOSITORY / name, self.folder / name, ignore=shutil.ignore_patterns("node_modules"))
        tool = self.folder / "tools" / "lockstep"
        tool.parent.mkdir()
        tool.write_text("#!/bin/sh\nexport LOCKSTEP_COMMAND=tools/lockstep\n"
                        f'exec "{os.environ["LOCKSTEP_BINARY"]}" "$@"\n')
        tool.chmod(0o755)
        for name in ("ci-job", "common.bash"):
            shutil.copy(REPOSITORY / "tools" / name, tool.parent)

    def close(self):
        self._folder.cleanup()

    def run(self, script):
        """Runs a shell script in the clone, to its end or the first command that fails."""
        return subprocess.run(["sh", "-e", "-c", script], cwd=self.folder, timeout=900,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
