"""lockstep extract gives what real libraries hold: their scripts as node itself sees them.

The packages come from npm when the test runs. Where npm or node is missing, or npm cannot fetch them,
the test is skipped and says so: it exits with 77, which ctest shows as skipped.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

from program import Program

SKIPPED = 77
PACKAGES = ("bullmq@6.7.0", "ioredis-lock@4.0.0", "redlock@4.2.0", "redis-semaphore@5.8.0")

# What node says the scripts of a folder of modules are: { name: script }.
BULLMQ = """
const { readdirSync } = require('fs');
(async () => {
  const found = {};
  for (const file of readdirSync('.').filter(each => /-\\d+\\.js$/.test(each))) {
    for (const each of Object.values(require(process.cwd() + '/' + file))) {
      if (each.content) found[file.replace('.js', '')] = each.content;
    }
  }
  console.log(JSON.stringify(found));
})();
"""


def skip(why):
    print(f"SKIPPED: real libraries are not read: {why}", flush=True)
    sys.exit(SKIPPED)


def fetch(folder):
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            skip(f"there is no {program} (apt-get install nodejs npm)")
    for package in PACKAGES:
        result = subprocess.run(["npm", "pack", "--prefer-offline", "--silent", package], cwd=folder,
                                capture_output=True, text=True, timeout=300, check=False)
        if result.returncode != 0:
            print(result.stderr)
            skip(f"npm cannot fetch {package}")
        name = package.split("@")[0]
        with tarfile.open(folder / result.stdout.split()[-1]) as archive:
            archive.extractall(folder / name)


class RealLibraries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.kept.cleanup)
        cls.folder = Path(cls.kept.name)
        fetch(cls.folder)

    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def extract(self, path, code=0):
        result = self.program.run("extract", str(self.folder / path), "--format", "json")
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)["scripts"]

    def node(self, path, program):
        result = subprocess.run(["node", "-e", program], cwd=self.folder / path, text=True,
                                capture_output=True, timeout=300, check=True,
                                env={**os.environ, "NODE_PATH": ""})
        return json.loads(result.stdout)

    def test_gives_the_scripts_of_bullmq_as_node_has_them(self):
        path = "bullmq/package/dist/cjs/scripts"
        expected = self.node(path, BULLMQ)
        self.assertGreater(len(expected), 50)
        found = {Path(each["file"]).stem: each["script"] for each in self.extract(path)}
        self.assertEqual(found, expected)

    def test_gives_the_scripts_of_ioredis_lock_as_node_has_them(self):
        expected = self.node("ioredis-lock/package/lib",
                             "console.log(JSON.stringify(Object.values(require('./scripts.js'))"
                             ".map(each => each.lua || each)))")
        found = [each["script"] for each in self.extract("ioredis-lock/package/lib")]
        self.assertEqual(sorted(found), sorted(each for each in expected if "redis" in str(each)))

    def test_finds_the_scripts_of_redlock_and_redis_semaphore(self):
        names = [each["name"] for each in self.extract("redlock/package/redlock.js")]
        self.assertEqual(names, ["lockScript", "unlockScript", "extendScript"])
        names = [each["name"] for each in self.extract("redis-semaphore/package/lib")]
        self.assertEqual(sorted(name.split("-")[0] for name in names),
                         ["acquireLua", "acquireLua", "delIfEqualLua", "expireIfEqualLua",
                          "refreshLua", "refreshLua", "releaseLua"])


if __name__ == "__main__":
    unittest.main()
