"""The README of each lock says as long as what it keeps its promises, as its contract does today."""

import os
import subprocess
import unittest

from newcomer import REPOSITORY, Clone


def update(*arguments):
    return subprocess.run([str(REPOSITORY / "tools/update-contracts"), "--lockstep", os.environ["LOCKSTEP_BINARY"],
                           *map(str, arguments)], capture_output=True, text=True, check=False)


class TheReadmes(unittest.TestCase):
    def setUp(self):
        self.clone = Clone()
        self.addCleanup(self.clone.close)

    def test_say_what_the_contracts_say(self):
        result = update("--check")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)

    def test_are_written_anew_where_a_contract_changed(self):
        lock = self.clone.folder / "scripts/plain"
        readme = (lock / "README.md").read_text(encoding="utf-8")
        toml = (lock / "lock.toml").read_text(encoding="utf-8")
        changed = toml.replace('executed_once = ["acquire"]', 'executed_once = ["acquire", "release"]')
        self.assertNotEqual(changed, toml)
        (lock / "lock.toml").write_text(changed, encoding="utf-8")
        result = update("--check", lock)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("plain/README.md: out of date", result.stdout)
        self.assertEqual((lock / "README.md").read_text(encoding="utf-8"), readme)
        self.assertEqual(update(lock).returncode, 0)
        self.assertIn("no acquire or release that is sent again", (lock / "README.md").read_text(encoding="utf-8"))
        self.assertEqual(update("--check", lock).returncode, 0)

    def test_must_have_a_place_for_it(self):
        lock = self.clone.folder / "scripts/plain"
        readme = lock / "README.md"
        readme.write_text(readme.read_text(encoding="utf-8").replace("<!-- end of the contract -->\n", ""),
                          encoding="utf-8")
        result = update("--check", lock)
        self.assertEqual(result.returncode, 1)
        self.assertIn("README.md: expected the two lines", result.stderr)


if __name__ == "__main__":
    unittest.main()
