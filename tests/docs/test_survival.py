"""docs/survival.md: its tool writes what the search says today, and notices what is another.

That its tables are those of today is a matter of .ci/run, which makes one of them with each commit.
"""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from newcomer import REPOSITORY

PAGE = """# Survival

## one

<!-- one: tools/update-survival-tables writes it -->
<!-- end of one -->

## two

<!-- two: tools/update-survival-tables writes it -->
<!-- end of two -->
"""

# Stands in for lockstep: its report is what the file FOUND says.
PROGRAM = """#!/bin/sh
test "$1" = fuzz && test "$LOCKSTEP_COMMAND" = tools/lockstep || exit 2
while test "$1" != --markdown; do shift; done
printf '## %s\\n\\nfound: %s\\n' "$LOCK" "$(cat FOUND)" > "$2"
exit CODE
"""


class TheTool(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.page = self.folder / "page.md"
        self.page.write_text(PAGE, encoding="utf-8")
        self.find("nothing")

    def find(self, what, code=0):
        (self.folder / "found").write_text(what, encoding="utf-8")
        program = self.folder / "lockstep"
        program.write_text(PROGRAM.replace("FOUND", str(self.folder / "found")).replace("CODE", str(code))
                           .replace('"$LOCK"', '"$lock"')
                           .replace("while test", 'lock=$2\nwhile test', 1), encoding="utf-8")
        program.chmod(0o755)

    def update(self, *arguments):
        return subprocess.run([str(REPOSITORY / "tools/update-survival-tables"), "--page", str(self.page),
                               "--lockstep", str(self.folder / "lockstep"), *arguments],
                              capture_output=True, text=True, check=False)

    def test_writes_all_and_then_finds_them_the_same(self):
        self.assertEqual(self.update("--check").returncode, 1)
        self.assertEqual(self.page.read_text(encoding="utf-8"), PAGE)
        self.assertEqual(self.update().stdout, "one: written\ntwo: written\n")
        text = self.page.read_text(encoding="utf-8")
        self.assertRegex(text, r"(?s)tools/lockstep fuzz one --runs \d+ --seed 1\n.+found: nothing\n.+fuzz two ")
        result = self.update("--check")
        self.assertEqual((result.returncode, result.stdout), (0, "one: as it is on the page\n"
                                                                 "two: as it is on the page\n"))

    def test_sees_another_table_and_writes_that_alone(self):
        self.update()
        self.find("a bug", code=1)
        result = self.update("--check", "two")
        self.assertEqual(result.returncode, 1)
        self.assertIn("two: another one today", result.stdout)
        self.assertIn("+found: a bug\n", result.stdout)
        self.assertEqual(self.update("two").returncode, 0)
        self.assertEqual(re.findall("found: .*", self.page.read_text(encoding="utf-8")),
                         ["found: nothing", "found: a bug"])

    def test_leaves_out_what_is_said_elsewhere(self):
        self.find("a bug\n\n**Limits**\n\n- harm may break (pauses)\n\n**What else went wrong**\n\n"
                  "- unknown in 2 runs\n\nThe end.", code=1)
        self.update("one")
        text = self.page.read_text(encoding="utf-8")
        self.assertRegex(text, r"found: a bug\n\nThe end\.\n")
        self.find("nothing\n\n**What else went wrong**\n\n- client-failed in 2 runs\n\nThe end.", code=1)
        self.update("one")
        self.assertIn("client-failed", self.page.read_text(encoding="utf-8"))

    def test_takes_one_in_turn(self):
        self.assertEqual(len(self.update("--check", "--in-turn").stdout.split(": another")), 2)

    def test_says_what_goes_wrong(self):
        result = self.update("three")
        self.assertEqual(result.returncode, 1)
        self.assertIn("has no place for three; it has one, two", result.stderr)
        self.find("nothing", code=2)
        self.assertIn("lockstep fuzz one ended with 2", self.update("one").stderr)

    def test_the_page_has_a_table_of_each_of_its_locks(self):
        text = (REPOSITORY / "docs/survival.md").read_text(encoding="utf-8")
        for lock in ("plain", "fair", "redlock", "fenced"):
            with self.subTest(lock):
                part = text.split(f"<!-- {lock}: ")[1].split(f"<!-- end of {lock} -->")[0]
                self.assertRegex(part, r"(?m)^\| no fault \| ([\d,]+|known flaw) \|")
                self.assertRegex(part, rf"(?m)^.*{lock}.*contract.*: 3,000 runs, ")


if __name__ == "__main__":
    unittest.main()
