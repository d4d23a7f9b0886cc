"""Two clients are on two machines: what libraries make owner ids of differs, and is never the real machine's.

Where a language is missing (tools/setup live) its test is skipped and says so.
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs" / "identity"
OF_ALL = {"same-interfaces": "lo+eth0", "same-folders": "lo+eth0", "same-pids": "1", "same-PPid": "1", "same-VmRSS": "102400 kB",
          "same-Cpus_allowed": "1",
          "same-mtu": "1500", "same-traffic": "untold", "same-voluntary_ctxt_switches": "0", "same-groups": "/", "same-roots": "/"}
OF_MACHINE = ("/etc/machine-id", "/var/lib/dbus/machine-id", "/proc/sys/kernel/random/boot_id", "/sys/class/net/eth0/address")
STORY = """
title     = "Who are they?"
lock      = "setnx"
lock_name = "orders"
expect    = {{ holds = "mutual-exclusion" }}
[[client]]
name    = "w"
count   = 2
command = {command}
reuse   = "{reuse}"
"""


def real(path):
    return Path(path).read_text(encoding="ascii").strip() if Path(path).exists() else None


class Identities(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)
        for program in PROGRAMS.iterdir():
            shutil.copy(program, self.folder)

    def build(self, language, *command, **environment):
        if shutil.which(language) is None:
            print(f"SKIPPED: there is no {language} (tools/setup live)")
            self.skipTest(f"there is no {language}")
        if command:
            subprocess.run(command, check=True, cwd=self.folder, env={**os.environ, **environment})

    def what_they_say(self, command, reuse, seed):
        """Of each client, what it says of itself."""
        (self.folder / "story.toml").write_text(STORY.format(command=command, reuse=reuse))
        said = subprocess.run([os.environ["LOCKSTEP_BINARY"], "run", "story.toml", "--seed", str(seed), "--out", "out"],
                              capture_output=True, text=True, timeout=300, check=False, cwd=self.folder)
        trace = self.folder / "out" / "story.trace.jsonl"
        self.assertTrue(trace.exists(), said.stdout + said.stderr)
        lines = dict(re.findall(r'"arguments":"who ([^"]*)".*"on_behalf_of":"(w.)/1"', trace.read_text()))
        self.assertEqual(len(lines), 2, said.stdout)
        return [dict(each.split("=") for each in line.split(",")) for line in sorted(lines, key=lines.get)]

    def check(self, command, reuses=("fork", "process"), of_seed=()):
        """All of it is each client's own, and `of_seed` alone differs from seed to seed."""
        for reuse in reuses:
            with self.subTest(reuse):
                one, other = first = self.what_they_say(command, reuse, 1)
                self.assertIn("eth0-ip", one)
                self.assertEqual(one.get("eth0-mac", one[OF_MACHINE[-1]]), one[OF_MACHINE[-1]])
                for name, value in one.items():
                    if name.startswith("same-"):
                        self.assertEqual((value, other[name]), (OF_ALL[name],) * 2, name)
                        continue
                    self.assertNotEqual(value, other[name], name)
                    if name in OF_MACHINE:
                        self.assertEqual(len(value), len(real(name)), name)
                        self.assertNotIn(real(name), (value, other[name]), name)
                self.assertEqual(self.what_they_say(command, reuse, 1), first)
                second = self.what_they_say(command, reuse, 2)
                for before, after in zip(first, second):
                    self.assertEqual({name for name in before if before[name] != after[name]} - set(of_seed), set())

    def test_python(self):
        self.check(["/usr/bin/python3", "identity.py"], of_seed={"pid", "random-uuid", "random-node"})

    def test_node(self):
        self.build("node")
        self.check(["node", "identity.mjs"])

    def test_java(self):
        self.build("javac", "javac", "Identity.java")
        self.check(["java", "-XX:+UseSerialGC", "-XX:-UsePerfData", "Identity"])

    def test_go(self):
        self.build("go", "go", "build", "-ldflags=-linkmode=external", "-o", "identity", "identity.go", CGO_ENABLED="1")
        self.check(["./identity"], reuses=["process"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
