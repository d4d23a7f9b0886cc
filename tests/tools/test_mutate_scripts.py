"""tools/mutate-scripts makes the mutants it should, and takes a mutant nobody notices for that."""

import importlib.machinery
import importlib.util
import re
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def load_tool():
    """The tool as a module; its file name has no .py."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("mutate_scripts",
                                                  str(REPOSITORY / "tools" / "mutate-scripts"))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader("mutate_scripts", loader))
    sys.modules["mutate_scripts"] = module
    loader.exec_module(module)
    return module


tool = load_tool()


class Mutants(unittest.TestCase):
    def test_drop_a_statement(self):
        self.assertEqual(tool.mutants_of_line("  redis.call('del', KEYS[1])  -- free"),
                         ["", "redis.call('del', KEYS[2])"])
        self.assertIn("", tool.mutants_of_line("local count = redis.call('get', KEYS[1])"))

    def test_turn_conditions(self):
        self.assertEqual(tool.mutants_of_line("if a == b and not c then"),
                         ["if true then", "if false then", "if a == b and c then",
                          "if a == b or not c then", "if a ~= b and not c then"])
        self.assertIn("if count >= 0 then", tool.mutants_of_line("if count > 0 then"))

    def test_return_something_else(self):
        self.assertEqual(tool.mutants_of_line("    return 1"), ["return nil", "return 0",
                                                                "return 2", "return -1"])
        self.assertEqual(tool.mutants_of_line("return nil"), ["return 0", "return 1"])

    def test_change_numbers_and_parameters(self):
        found = tool.mutants_of_line("redis.call('hincrby', KEYS[1], ARGV[2], -1)")
        for after in ("redis.call('hincrby', KEYS[2], ARGV[2], -1)",
                      "redis.call('hincrby', KEYS[1], ARGV[1], -1)",
                      "redis.call('hincrby', KEYS[1], ARGV[3], -1)",
                      "redis.call('hincrby', KEYS[1], ARGV[2], 1)",
                      "redis.call('hincrby', KEYS[1], ARGV[2], 0)"):
            self.assertIn(after, found)

    def test_leave_what_is_no_statement(self):
        for line in ("", "  end", "else", "-- a == b", "  local x = call('a',", "  1)"):
            self.assertNotIn("", tool.mutants_of_line(line), line)
        self.assertEqual(tool.mutants_of_line("-- return 1"), [])

    def test_are_written_into_a_copy_with_the_lines_in_their_places(self):
        with tempfile.TemporaryDirectory() as folder:
            scripts = Path(folder) / "scripts"
            (scripts / "plain").mkdir(parents=True)
            (scripts / "plain" / "release.lua").write_text("local a = 1\n  return a\n")
            (scripts / "plain" / "client.lua").write_text("return 1\n")
            (scripts / "plain" / "client-old.lua").write_text("return 1\n")
            (scripts / "plain" / "waiting.lua").write_text("return 1\n")
            (scripts / "plain" / "lock.toml").write_text(
                'client = "client.lua"\n[libraries]\nwaiting = "waiting.lua"\n'
                '[variants.old]\nclient = "client-old.lua"\n')
            mutants = list(tool.mutants_of(scripts / "plain"))
            self.assertEqual({mutant.script for mutant in mutants}, {"plain/release.lua"})
            mutant = tool.Mutant("plain/release.lua", 2, "return a", "return nil")
            self.assertIn(mutant, mutants)
            target = Path(folder) / "copy"
            tool.write_mutant(mutant, scripts, target)
            self.assertEqual((target / "plain" / "release.lua").read_text(),
                             "local a = 1\n  return nil\n")


class Verdicts(unittest.TestCase):
    def test_name_the_first_test_that_failed(self):
        self.assertEqual(tool.first_failure("x\n[  FAILED  ] Plain.Frees (3 ms)\n"
                                            "[  FAILED  ] Plain.Other\n"), "Plain.Frees")
        self.assertIsNone(tool.first_failure("[  PASSED  ] 3 tests."))

    def test_show_survivors_and_why_some_change_nothing(self):
        noticed = tool.Mutant("plain/a.lua", 1, "return 1", "return 0")
        survivor = tool.Mutant("plain/a.lua", 2, "return 2", "return 0")
        page = "\n".join(tool.report("plain", [tool.Verdict(noticed, "Plain.Frees", "plain_x"),
                                               tool.Verdict(survivor, None)]))
        self.assertIn("2 mutants: 1 noticed by a test, 1 not", page)
        self.assertIn("| 1 | `return 1` | `return 0` | Plain.Frees | plain_x |", page)
        self.assertIn("| 2 | `return 2` | `return 0` | **nobody** |  |", page)


class ThePage(unittest.TestCase):
    def test_is_about_the_scripts_as_they_are(self):
        page = (REPOSITORY / "docs" / "mutation.md").read_text(encoding="utf-8")
        mutants = list(tool.mutants_of(REPOSITORY / "scripts" / "plain"))
        self.assertGreater(len(mutants), 0)
        rows = [line.rsplit(" | ", 2)[0] for line in page.splitlines() if re.match(r"\| \d", line)]
        self.assertEqual(rows, [tool.row(mutant) for mutant in mutants],
                         "run tools/mutate-scripts --write docs/mutation.md")
        self.assertNotIn("**nobody**", page)


if __name__ == "__main__":
    unittest.main()
