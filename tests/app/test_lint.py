"""lockstep lint: what it prints, its exit codes, and files that are no scripts."""

import json
import unittest

from program import REPOSITORY, Program

NAIVE = "redis.call('set', KEYS[1], ARGV[1])\nreturn redis.call('del', 'other')\n"


class Lint(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def test_prints_place_rule_reason_and_scenario(self):
        self.program.write("naive.lua", NAIVE)
        result = self.program.run("lint", "naive.lua")
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertEqual(result.stdout.splitlines(), [
            "naive.lua:1:1: no-lease: SET writes KEYS[1], which gets no TTL on some way to the end",
            "  Whoever dies while it has the lock leaves a key that nothing ever removes: locked for "
            "ever.",
            "  see scenarios/known-bugs/setnx-then-expire.toml",
            "naive.lua:2:26: key-not-in-keys: the key 'other' of DEL is a literal",
            "  A cluster routes a script by KEYS and refuses keys of other slots; a proxy or a client "
            "library that adds a prefix changes KEYS only.",
            "  see docs/lint.md#key-not-in-keys",
        ])

    def test_prints_for_programs(self):
        self.program.write("naive.lua", NAIVE)
        result = self.program.run("lint", "naive.lua", "--format", "json")
        self.assertEqual(result.returncode, 1)
        findings = json.loads(result.stdout)["findings"]
        self.assertEqual([(each["file"], each["line"], each["column"], each["rule"])
                          for each in findings],
                         [("naive.lua", 1, 1, "no-lease"), ("naive.lua", 2, 26, "key-not-in-keys")])
        self.assertEqual(set(findings[0]),
                         {"file", "line", "column", "rule", "what", "reason", "shown_in"})

    def test_is_silent_on_what_is_right(self):
        for name in ("plain", "setnx", "fenced"):
            result = self.program.run("lint", name)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        result = self.program.run("lint", "plain", "--format", "json")
        self.assertEqual(json.loads(result.stdout), {"findings": []})

    def test_takes_folders_variants_and_files(self):
        setnx = REPOSITORY / "scripts" / "setnx"
        for path, code in ((setnx, 0), (setnx / "lock.toml", 0), (setnx / "client.lua", 0),
                           (setnx / "get-then-del", 1), ("setnx/fixed-value", 1)):
            with self.subTest(path):
                self.assertEqual(self.program.run("lint", str(path)).returncode, code)

    def test_complains_of_what_is_no_script_and_looks_at_the_rest(self):
        self.program.write("naive.lua", NAIVE)
        self.program.write("broken.lua", "local x\nif x")
        self.program.write("bytes.lua", b"return '\xff'\n")
        self.program.write("folder/other.txt", "")
        result = self.program.run("lint", "missing.lua", "broken.lua", "bytes.lua", "folder",
                                  "naive.lua")
        self.assertEqual(result.returncode, 2)
        self.assertIn("naive.lua:1:1: no-lease", result.stdout)
        lines = [line for line in result.stderr.splitlines() if "error: " in line]
        self.assertEqual(len(lines), 4, result.stderr)
        self.assertIn("\n  2 | if x\n    | ^\n", result.stderr)
        self.assertEqual(lines[0], "missing.lua: error: there is no such file, folder or lock")
        self.assertEqual(lines[1], "broken.lua:2:1: error: 'then' expected near '<eof>'")
        self.assertTrue(lines[2].startswith("bytes.lua:1:"), lines[2])
        self.assertEqual(lines[3], "folder: error: this folder has no lock.toml")

    def test_leads_to_extract_where_the_script_is_in_another_language(self):
        self.program.write("MyLock.java", 'class A { String s = "return redis.call(1)"; }\n')
        result = self.program.run("lint", "MyLock.java")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "MyLock.java: error: expected a Lua script; 'lockstep extract "
                                        "MyLock.java' finds those in this file\n")

    def test_says_a_script_is_wrong_as_run_does(self):
        self.program.write("mine/lock.toml", 'base = "plain"\n[scripts]\nacquire = "acquire.lua"\n')
        self.program.write("mine/acquire.lua", "local a = 1\nreturn )\n")
        self.program.write("s.toml", 'title = "t"\nlock = "./mine"\n'
                           'expect = { holds = "harm" }\n[[client]]\nname = "a"\nrun = ["lock"]\n')
        of_run = self.program.run("run", "s.toml", "--no-files")
        of_lint = self.program.run("lint", "mine")
        self.assertEqual((of_run.returncode, of_lint.returncode), (2, 2))
        self.assertEqual(of_lint.stderr, of_run.stderr)

    def test_lists_its_rules(self):
        text = self.program.run("lint", "--rules")
        rules = json.loads(self.program.run("lint", "--rules", "--format", "json").stdout)["rules"]
        self.assertEqual(text.returncode, 0)
        self.assertGreater(len(rules), 10)
        for rule in rules:
            self.assertIn(f"{rule['rule']}: {rule['title']}\n", text.stdout)


if __name__ == "__main__":
    unittest.main()
