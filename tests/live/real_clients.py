"""The real clients of examples/real-clients do what their scenarios say, also under the faults of tests/live/faults, and
their helper modules do nothing without Lockstep.

    python3 real_clients.py LANGUAGE

Where the language is missing the test is skipped, and says so: it exits with 77, which ctest shows as skipped.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests" / "docs"))
from commands import commands_of, files_of, matches  # noqa: E402
from newcomer import Clone  # noqa: E402

SKIPPED = 77
# More of the languages that start quickly.
SEEDS = {"python": 2, "go": 2, "node": 1, "java": 1}
SCENARIOS_MIN = 4  # contention, a pause, a lost reply, a failover

# What a program does that has the helper module, and no Lockstep.
ALONE = {
    "python": ["/usr/bin/python3", "-c", """
import lockstep
lock = object()
assert lockstep.watched(lock) is lock
lockstep.acquired("orders", token=5)
assert lockstep.read() is None and lockstep.write() is True
"""],
    "node": ["node", "--input-type=module", "-e", """
import lockstep from "./lockstep.cjs";
const lock = {}, random = Math.random;
if (lockstep.watched(lock) !== lock) throw new Error("watched");
lockstep.acquired("orders", 5);
if ((await lockstep.read()) !== undefined || !(await lockstep.write())) throw new Error("resource");
if (Math.random !== random) throw new Error("random");
"""],
    "java": ["java", "Alone.java"],
    "go": ["go", "test", "-run", "Alone", "."],
}
# What that reads.
ALONE_FILES = {
    "java": ("Alone.java", """
class Alone {
  public static void main(String[] arguments) throws Exception {
    Class<?> helper = new java.net.URLClassLoader(new java.net.URL[] {new java.io.File(".").toURI().toURL()}).loadClass("Lockstep");
    helper.getMethod("acquired", String.class, long.class).invoke(null, "orders", 5L);
    helper.getMethod("released", String.class).invoke(null, "orders");
    if (!helper.getMethod("write", long.class, long.class).invoke(null, 1L, 5L).equals(true)) throw new Exception("write");
  }
}
"""),
    "go": ("alone_test.go", """
package main

import "testing"

func TestAlone(t *testing.T) {
	helper := openLockstep()
	helper.AcquiredToken("orders", 5)
	helper.Released("orders")
	if !helper.Write(helper.Read(), 5) {
		t.Fatal("write")
	}
}
"""),
}


class RealClients(unittest.TestCase):
    language: str
    folder: Path

    def test_do_what_their_scenarios_say(self):
        result = subprocess.run(
            [os.environ["LOCKSTEP_BINARY"], "run", str(self.folder), "--seeds", str(SEEDS[self.language]),
             "--format", "json", "--no-files"],
            capture_output=True, text=True, timeout=600, check=False)
        self.assertIn(result.returncode, (0, 1, 3), result.stderr)
        scenarios = json.loads(result.stdout)["scenarios"]
        self.assertGreaterEqual(len(scenarios), SCENARIOS_MIN)
        for scenario in scenarios:
            with self.subTest(Path(scenario["path"]).name):
                self.assertEqual(scenario["outcome"], "as-expected", scenario["complaints"])

    def test_draw_tokens_of_their_own(self):
        scenarios = sorted(map(str, self.folder.rglob("contention.toml")))
        scenarios = [each for each in scenarios if "node_modules" not in each]
        out = self.folder / "tokens"
        subprocess.run([os.environ["LOCKSTEP_BINARY"], "run", *scenarios, "--out", str(out)],
                       capture_output=True, text=True, timeout=600, check=False)
        compared = 0
        for trace in out.rglob("*.trace.jsonl"):
            tokens = {}
            for event in map(json.loads, trace.read_text(encoding="utf-8").splitlines()):
                fields = event.get("fields", {})
                taken = re.match(r"\S*orders (\S{20,}) .*\bNX\b", fields.get("arguments", ""))
                if event.get("kind") == "command-executed" and taken:
                    tokens.setdefault(fields["on_behalf_of"], set()).add(taken[1])
            if not tokens:
                continue  # a lock of scripts of its own
            compared += 1
            with self.subTest(trace.name):
                self.assertGreater(len(tokens), 1)
                self.assertEqual(len(set.union(*tokens.values())), sum(map(len, tokens.values())), tokens)
        self.assertGreater(compared, 0)

    def test_do_nothing_without_lockstep(self):
        if self.language in ALONE_FILES:
            name, text = ALONE_FILES[self.language]
            (self.folder / name).write_text(text, encoding="utf-8")
        result = subprocess.run(ALONE[self.language], cwd=self.folder, capture_output=True, text=True,
                                timeout=60, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(re.sub(r"(?m)^ok\s.*\n", "", result.stdout), "", "but for what go test says")

    def test_are_as_the_document_tells_a_new_user(self):
        if self.language != "python":
            return
        text = (REPOSITORY / "docs" / "real-clients.md").read_text(encoding="utf-8")
        clone = Clone()
        self.addCleanup(clone.close)
        for name in ("tools/setup", "tools/real-clients"):
            (clone.folder / name).symlink_to(REPOSITORY / name)
        for name, content in files_of(text).items():
            (clone.folder / name).write_text(content, encoding="utf-8")
        commands = [each for each in commands_of("real-clients.md", text) if not each.not_run]
        self.assertGreater(len(commands), 3)
        for command in commands:
            with self.subTest(f"real-clients.md:{command.line}"):
                result = clone.run(command.script)
                self.assertEqual(result.returncode, command.exit_code, result.stdout + result.stderr)
                if command.prints is not None:
                    self.assertTrue(matches(command.prints, result.stdout.splitlines()), result.stdout)


def main():
    language = sys.argv.pop(1)
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run([REPOSITORY / "tools" / "real-clients", folder, language], capture_output=True, text=True,
                              timeout=600, check=False)
        if made.returncode != 0:
            sys.exit(made.stdout + made.stderr)
        faults = REPOSITORY / "tests" / "live" / "faults" / language
        if faults.exists() and (Path(folder) / language).exists():
            shutil.copytree(faults, Path(folder) / language, dirs_exist_ok=True)
        RealClients.language = language
        RealClients.folder = Path(folder) / language
        if not RealClients.folder.exists():
            print(made.stderr, flush=True)
            sys.exit(SKIPPED)
        result = unittest.main(exit=False).result
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
