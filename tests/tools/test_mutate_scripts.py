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


def mutants_of(source):
    return [mutant.after for mutant in tool.mutants_of_script("lock/script.lua", source)]


def texts_of(source, kind):
    return [mutant.text for mutant in tool.mutants_of_script("lock/script.lua", source)
            if mutant.kind == kind]


class Mutants(unittest.TestCase):
    def test_drop_a_statement(self):
        self.assertEqual(mutants_of("  redis.call('del', KEYS[1])  -- free"),
                         ["", "redis.call('del', KEYS[2])"])
        self.assertIn("", mutants_of("local count = redis.call('get', KEYS[1])"))
        self.assertEqual(texts_of("a() b = 2; c()", "statement"),
                         [" b = 2; c()", "a() ; c()", "a() b = 2; "])

    def test_drop_a_statement_of_many_lines_and_keep_the_others_in_their_places(self):
        self.assertEqual(texts_of("call(1,\n  'end',\n  2)\nreturn 1", "statement"),
                         ["\n\n\nreturn 1", "call(1,\n  'end',\n  2)\n"])

    def test_drop_each_statement_of_a_compound_one_and_the_whole_one(self):
        self.assertEqual(texts_of("while a do\n  if b then break end\n  c()\nend", "statement"),
                         ["\n\n\n", "while a do\n  \n  c()\nend",
                          "while a do\n  if b then  end\n  c()\nend",
                          "while a do\n  if b then break end\n  \nend"])
        self.assertEqual(texts_of("for i = 1, 2 do a() end", "statement"), ["", "for i = 1, 2 do  end"])
        self.assertEqual(texts_of("repeat a() until b", "statement"), ["", "repeat  until b"])
        self.assertEqual(texts_of("local function f(a) return a end", "statement"),
                         ["", "local function f(a)  end"])
        self.assertEqual(texts_of("local a local b = 1", "statement"), [" local b = 1", "local a "])

    def test_turn_conditions(self):
        self.assertEqual(mutants_of("if a == b and not c then d() end"),
                         ["", "if true then d() end", "if false then d() end",
                          "if a ~= b and not c then d() end", "if a == b or not c then d() end",
                          "if a == b and c then d() end", "if a == b and not c then end"])
        self.assertIn("if count >= 0 then", mutants_of("if count > 0 then\n d()\nend"))

    def test_turn_conditions_of_many_lines(self):
        source = "if a == 'x' and\n   b ~= 'y' then\n  d()\nend"
        self.assertEqual(texts_of(source, "condition"),
                         ["if true\n then\n  d()\nend", "if false\n then\n  d()\nend"])
        self.assertEqual(texts_of(source, "comparison"),
                         [source.replace("==", "~="), source.replace("~=", "==")])

    def test_flip_comparisons_and_move_them_by_one(self):
        for operator, others in {"==": ["~="], "~=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"],
                                 ">": [">=", "<="], ">=": [">", "<"]}.items():
            self.assertEqual(texts_of(f"return a {operator} b", "comparison"),
                             [f"return a {other} b" for other in others])

    def test_turn_sums(self):
        self.assertEqual(texts_of("a(b + c - d, -e)", "operator"),
                         ["a(b - c - d, -e)", "a(b + c + d, -e)"])

    def test_return_something_else(self):
        self.assertEqual(mutants_of("    return 1"), ["", "return nil", "return 0", "return 2",
                                                      "return -1"])
        self.assertEqual(mutants_of("return nil"), ["", "return 0", "return 1"])
        self.assertEqual(mutants_of("if a then return end"),
                         ["", "if true then return end", "if false then return end",
                          "if a then end", "if a then return nil end", "if a then return 0 end",
                          "if a then return 1 end"])

    def test_change_numbers_and_parameters(self):
        found = mutants_of("redis.call('hincrby', KEYS[1], ARGV[2], -1)")
        for after in ("redis.call('hincrby', KEYS[2], ARGV[2], -1)",
                      "redis.call('hincrby', KEYS[1], ARGV[1], -1)",
                      "redis.call('hincrby', KEYS[1], ARGV[3], -1)",
                      "redis.call('hincrby', KEYS[1], ARGV[2], 1)",
                      "redis.call('hincrby', KEYS[1], ARGV[2], 0)"):
            self.assertIn(after, found)
        self.assertIn("return ARGV[i + 2]", mutants_of("return ARGV[i + 1]"))

    def test_leave_what_is_no_code(self):
        self.assertEqual(mutants_of("-- a == b\n--[[ return 1\nreturn 2 ]]\n"), [])
        self.assertEqual(texts_of("a = 'x == 1' .. \"y < 2\" .. [[z > 3]]", "comparison"), [])

    def test_need_a_script_that_is_lua(self):
        for source in ("if a then", "return return", "local = 1", "a ==", "a ? b"):
            with self.assertRaises(SyntaxError, msg=source):
                mutants_of(source)

    def test_are_made_of_the_scripts_that_the_lock_names(self):
        with tempfile.TemporaryDirectory() as folder:
            lock = Path(folder) / "scripts" / "mine"
            lock.mkdir(parents=True)
            (lock / "lock.toml").write_text(
                'client = "client.lua"\n[libraries]\nwait = "wait.lua"\n'
                '[scripts]\nrelease = "release.lua"\nrenew = "../plain/renew.lua"\n'
                '[variants.old]\nscripts = { release = "old.lua" }\n')
            (lock / "release.lua").write_text("local a = 1\n  return a\n")
            for name in ("old.lua", "client.lua", "wait.lua"):
                (lock / name).write_text("return 1\n")
            mutants = list(tool.mutants_of(lock))
            self.assertEqual({mutant.script for mutant in mutants},
                             {"mine/release.lua", "mine/old.lua"})
            self.assertIn(tool.Mutant("mine/release.lua", 2, "return", "return a", "return nil",
                                      "local a = 1\n  return nil\n"), mutants)
            self.assertEqual(tool.locks_in(lock.parent), ["mine"])
            (lock / "forgotten.lua").write_text("return 1\n")
            with self.assertRaisesRegex(ValueError, "does not name forgotten.lua"):
                tool.scripts_of(lock)


class Tests(unittest.TestCase):
    def test_of_a_lock_are_told_from_those_of_others_and_of_its_model(self):
        with tempfile.TemporaryDirectory() as folder:
            tests = Path(folder)
            (tests / "my_lock_scripts_test.cpp").write_text(
                "TEST_F(Mine, Frees) {\n}\nTEST_F(Mine, Takes) {\n}\nTEST_P(MineToo, Frees) {\n}\n")
            (tests / "my_lock_model_test.cpp").write_text("RC_GTEST_PROP(MyModel, Is, ()) {\n}\n")
            (tests / "other_scripts_test.cpp").write_text("TEST(Other, Frees) {\n}\n")
            self.assertEqual(tool.suites_of("my-lock", tests),
                             (["Mine", "MineToo"], ["Mine", "MineToo", "MyModel"]))
        self.assertEqual(tool.filter_of(["Mine", "MyModel"]),
                         "--gtest_filter=Mine.*:*/Mine.*:MyModel.*:*/MyModel.*")

    def test_of_scenarios_are_those_that_use_the_script(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in {
                    "scripts/mine/lock.toml":
                        '[scripts]\nrelease = "release.lua"\n'
                        '[variants.old]\nscripts = { release = "old.lua" }\n',
                    "scenarios/mine/a-story.toml": 'lock = "mine"\n',
                    "scenarios/stories/old.toml": 'lock = "mine/old"\n',
                    "scenarios/mine/other.toml": 'lock = "other"\n'}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            self.assertEqual(list(tool.scenarios_of("mine", root)),
                             [("mine_a_story", {"release.lua"}), ("stories_old", {"old.lua"})])
        scenarios = {"mine/release.lua": [["tests"]]}
        judges = tool.Judges([], [], scenarios)
        dropped = tool.Mutant("mine/release.lua", 1, "statement", "a()", "", "")
        number = tool.Mutant("mine/release.lua", 1, "number", "a(1)", "a(2)", "")
        self.assertEqual(judges.scenarios_for(dropped), [["tests"]])
        self.assertEqual(judges.scenarios_for(number), [])

    def test_run_on_a_copy_that_is_as_it_was_afterwards(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "mine" / "release.lua"
            script.parent.mkdir()
            script.write_text("return 1\n")
            mutant = tool.Mutant("mine/release.lua", 1, "return", "return 1", "return 0", "return 0\n")
            look = ["sh", "-c", 'grep -q "return 1" "$LOCKSTEP_SCRIPTS_DIR/mine/release.lua"']
            noticed = tool.judge(mutant, tool.Judges([look], [], {}), Path(folder))
            self.assertEqual(noticed.test, "sh (crashed)")
            self.assertEqual(script.read_text(), "return 1\n")
            unnoticed = tool.judge(mutant, tool.Judges([["true"]], [["true"]], {}), Path(folder))
            self.assertTrue(unnoticed.is_survivor())
            by_other = tool.judge(mutant, tool.Judges([["true"]], [look], {}), Path(folder))
            self.assertEqual(by_other.test, "sh (crashed)")
            broken = tool.judge(mutant, tool.Judges([["true"]], [["false"]], {}), Path(folder))
            self.assertTrue(broken.is_survivor(), "a test that always fails notices nothing")


class Verdicts(unittest.TestCase):
    def test_name_the_first_test_that_failed(self):
        self.assertEqual(tool.first_failure("x\n[  FAILED  ] Plain.Frees (3 ms)\n"
                                            "[  FAILED  ] Plain.Other\n"), "Plain.Frees")
        self.assertIsNone(tool.first_failure("[  PASSED  ] 3 tests."))

    def test_show_survivors_and_why_some_change_nothing(self):
        noticed = tool.Mutant("plain/a.lua", 1, "return", "return 1", "return 0", "")
        survivor = tool.Mutant("plain/a.lua", 2, "return", "return 2", "return 0", "")
        verdicts = [tool.Verdict(noticed, "Plain.Frees", "plain_x"), tool.Verdict(survivor, None)]
        page = "\n".join(tool.report("plain", verdicts))
        self.assertIn("| 1 | `return 1` | `return 0` | Plain.Frees | plain_x |", page)
        self.assertIn("| 2 | `return 2` | `return 0` | **nobody** |  |", page)
        whole = "\n".join(tool.summary({"plain": verdicts}))
        self.assertIn("2 mutants: 1 noticed by a test, 1 not", whole)
        self.assertIn("| [plain](mutation/plain.md) | 1/2 |", whole)
        self.assertIn("| plain/a.lua:2 | `return 2` | `return 0` | **nobody** |", whole)


class ThePages(unittest.TestCase):
    def test_are_about_the_scripts_as_they_are(self):
        locks = tool.locks_in(REPOSITORY / "scripts")
        self.assertIn("plain", locks)
        for lock in locks:
            page = REPOSITORY / "docs" / "mutation" / f"{lock}.md"
            self.assertTrue(page.exists(), f"{page}: run tools/mutate-scripts --write docs")
            text = page.read_text(encoding="utf-8")
            rows = [line.rsplit(" | ", 2)[0] for line in text.splitlines() if re.match(r"\| \d", line)]
            self.assertEqual(rows, [tool.row(mutant)
                                    for mutant in tool.mutants_of(REPOSITORY / "scripts" / lock)],
                             f"{lock}: run tools/mutate-scripts --write docs")
            self.assertNotIn("**nobody**", text)

    def test_give_reasons_for_mutants_that_there_are(self):
        mutants = {(mutant.script, mutant.line, mutant.before, mutant.after)
                   for lock in tool.locks_in(REPOSITORY / "scripts")
                   for mutant in tool.mutants_of(REPOSITORY / "scripts" / lock)}
        self.assertEqual([key for key in tool.EQUIVALENT if key not in mutants], [])


if __name__ == "__main__":
    unittest.main()
