"""The npm clients ioredis and redis work against the service: see npm/check_*.js.

Their versions are those of npm/package-lock.json. They are installed once, into the build folder
(LOCKSTEP_NPM_FOLDER). Where npm or Node.js (18 or later) is missing the test is skipped, and says so:
it exits with 77, which ctest shows as skipped. So it does where npm cannot install them: a registry
out of reach says nothing of Lockstep.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from service import Service

SKIPPED = 77
HERE = Path(__file__).resolve().parent
SOURCES = HERE / "npm"
NODE_VERSION_MIN = 18


def skip(why):
    print(f"SKIPPED: the npm clients are not tested: {why}", flush=True)
    sys.exit(SKIPPED)


def require_node():
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            skip(f"there is no {program} (apt-get install nodejs npm)")
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout.strip().lstrip("v").split(".")[0]) < NODE_VERSION_MIN:
        skip(f"node {version.stdout.strip()} is older than {NODE_VERSION_MIN}")


def install(folder):
    """Installs the clients unless they are there in these versions."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = (SOURCES / "package-lock.json").read_text(encoding="utf-8")
        stamp = folder / "installed.json"
        if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
            return
        for name in ("package.json", "package-lock.json"):
            shutil.copy(SOURCES / name, folder / name)
        result = subprocess.run(["npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit",
                                 "--no-fund"],
                                cwd=folder, capture_output=True, text=True, timeout=300,
                                check=False)
        if result.returncode != 0:
            print(result.stderr)
            skip("npm cannot install them; its words are above")
        stamp.write_text(wanted, encoding="utf-8")


class TheNpmClients(unittest.TestCase):
    folder: Path

    def check_client(self, name):
        service = Service()
        self.addCleanup(service.close)
        result = subprocess.run(
            ["node", str(SOURCES / f"check_{name}.js")], capture_output=True, text=True, timeout=300,
            check=False,
            env={**os.environ, "REDIS_PORT": service.port, "NODE_PATH": str(self.folder / "node_modules"),
                 "LOCKSTEP_SOURCE_DIR": str(HERE.parents[1])})
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertGreater(result.stdout.count("passed: "), 5)
        self.assertEqual(service.end(), (0, ""))

    def test_ioredis_works(self):
        self.check_client("ioredis")

    def test_redis_works(self):
        self.check_client("redis")


if __name__ == "__main__":
    require_node()
    TheNpmClients.folder = Path(os.environ["LOCKSTEP_NPM_FOLDER"])
    install(TheNpmClients.folder)
    unittest.main()
