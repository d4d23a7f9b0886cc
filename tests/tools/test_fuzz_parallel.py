"""tools/fuzz-parallel: a search in parts, dealt by GNU parallel or by xargs, is the whole search."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests" / "app"))
# pylint: disable-next=wrong-import-position
from test_fuzz import OPEN, SAFE


class FuzzParallel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        tools = self.folder / "tools"
        tools.mkdir()
        for name in ("fuzz-parallel", "common.bash"):
            shutil.copy(REPOSITORY / "tools" / name, tools / name)
        lockstep = tools / "lockstep"
        lockstep.write_text(f'#!/bin/sh\nexec "{os.environ["LOCKSTEP_BINARY"]}" "$@"\n')
        lockstep.chmod(0o755)
        # Everything but GNU parallel.
        self.path = self.folder / "bin"
        self.path.mkdir()
        for name in ("bash", "sh", "env", "nproc", "seq", "xargs", "mkdir", "rm", "cat", "dirname",
                     "readlink", "test", "sed"):
            (self.path / name).symlink_to(shutil.which(name))
        (self.folder / "open.toml").write_text(OPEN)
        (self.folder / "safe.toml").write_text(SAFE)

    def run_tool(self, *arguments, code, path=None):
        environment = {**os.environ, "PATH": str(path) if path else os.environ["PATH"]}
        result = subprocess.run([self.folder / "tools" / "fuzz-parallel", *arguments],
                                cwd=self.folder, env=environment, timeout=300,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def findings(self, folder):
        """What was found, by the joined record."""
        records = [json.loads(line)
                   for line in (self.folder / folder / "open.search.jsonl").read_text().splitlines()]
        return {finding["hash"] for record in records
                for finding in record.get("result", {}).get("findings", [])}

    def test_deals_parts_and_joins_them(self):
        self.run_tool("--shards", "1", "--out", "one", "open.toml", "--runs", "1100", "--keep-going",
                      code=1, path=self.path)
        wanted = self.findings("one")
        self.assertGreater(len(wanted), 3)
        paths = [self.path] + ([None] if shutil.which("parallel") else [])
        for path in paths:
            with self.subTest(path):
                result = self.run_tool("--shards", "3", "--out", "out dir", "open.toml", "--runs",
                                       "1100", "--keep-going", code=1, path=path)
                self.assertEqual(self.findings("out dir"), wanted)
                self.assertIn(" in 1100 runs", result.stdout)
                self.assertTrue((self.folder / "out dir" / "shard-2" / "log").exists())

    def test_forgets_the_parts_of_before(self):
        self.run_tool("--shards", "2", "safe.toml", "--runs", "20", code=0)
        self.run_tool("--shards", "1", "safe.toml", "--runs", "20", "--seed", "2", code=0)

    def test_says_what_is_wrong(self):
        (self.folder / "wrong.toml").write_text(OPEN.replace("lock ", "lok "))
        for arguments, part in [
                ((), "wants what lockstep fuzz is to search"),
                (("--shards", "many", "safe.toml"), "--shards wants a number, not 'many'"),
                (("--shards",), "--shards wants a value"),
                (("safe.toml", "--jobs", "3"), "--jobs is for this tool to say"),
                (("--shards", "2", "wrong.toml"), "wrong.toml:2")]:
            with self.subTest(arguments):
                self.assertIn(part, self.run_tool(*arguments, code=2).stderr)

    def test_says_what_other_hosts_take(self):
        result = self.run_tool("--hosts", ":,other", "safe.toml", code=2, path=self.path)
        self.assertIn("--hosts needs GNU parallel", result.stderr)
        (self.path / "parallel").symlink_to(shutil.which("true"))
        result = self.run_tool("--hosts", ":,other", "safe.toml", code=2, path=self.path)
        self.assertIn("--hosts needs rsync (Debian's package 'rsync')", result.stderr)

    def test_says_why_a_part_was_not_made(self):
        lockstep = self.folder / "tools" / "lockstep"
        lockstep.write_text(lockstep.read_text().replace(
            "exec", 'case $* in *--shard*) echo it could not be built; exit 4 ;; esac\nexec'))
        result = self.run_tool("--shards", "2", "safe.toml", code=2, path=self.path)
        self.assertIn("a part could not be made:\nit could not be built\n", result.stderr)


if __name__ == "__main__":
    unittest.main()
