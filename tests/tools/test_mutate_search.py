"""tools/mutate-search makes the mutants it should, tells found from missed, and runs only what is missing."""

import contextlib
import dataclasses
import importlib.machinery
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

REPOSITORY = Path(__file__).resolve().parents[2]


def load_tool():
    """The tool as a module; its file name has no .py."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("mutate_search",
                                                  str(REPOSITORY / "tools" / "mutate-search"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate_search", loader))
    sys.modules["mutate_search"] = module
    loader.exec_module(module)
    return module


tool = load_tool()

import lua_mutants  # noqa: E402  (the tool has told Python where)
import search_mutants  # noqa: E402

MINE = """\
function model.lock(lock)
  client.eval(1, "acquire", {lock.name})
  return true
end

function model.unlock(lock)
  return true
end
"""

# Prints what the file of its name in the lock's folder says, and writes down that it was called.
PROGRAM = """\
#!/bin/sh
[ "$1" = fuzz ] || exit 0
echo "$@" >> "$CALLS"
grep -q REFUSED "$2/client.lua" && exit 2
grep -q BROKEN "$2/client.lua" && exec cat "$FOUND"
cat "$SOUND"
"""


def entry(**others):
    return {"name": "mine-a", "what": "It forgets.", "file": "client.lua", "replace": "BEFORE",
            "with": "AFTER", "changes": ["unlock"], "properties": ["harm"], **others}


def finding(property_="harm", kinds=("pause",), **others):
    return {"property": property_, "kinds": list(kinds), "run": 3, **others}


def mutant_named(name, **others):
    return search_mutants.Mutant(name, "mine", "It forgets.", (("mine/client.lua", "x"),), ("unlock",),
                                 **others)


class ByHand(unittest.TestCase):
    def test_those_of_the_repository_fit(self):
        result = self.run_tool("check")
        self.assertEqual(result[0], 0, result)
        count = int(result[1].split()[0])
        self.assertGreaterEqual(count, 100)
        self.assertIn("of 11 locks", result[1])

    def test_the_program_loads_them(self):
        # All of them take a minute; .ci/run does that.
        code, out, errors = self.run_tool("check", "--load", "--lock", "spin")
        self.assertEqual((code, errors), (0, ""))

    def run_tool(self, *arguments):
        out, errors = io.StringIO(), io.StringIO()
        with mock.patch.object(sys, "argv", ["mutate-search", *arguments]), \
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            return tool.main(), out.getvalue(), errors.getvalue()

    def test_about_two_thirds_are_of_client_models_and_no_lock_is_left_out(self):
        mutants, complaints = search_mutants.by_hand(tool.MUTANTS, tool.SCRIPTS)
        self.assertEqual(complaints, [])
        scripts = {f"{lock}/{path}" for lock in search_mutants.locks_in(tool.SCRIPTS)
                   for path in search_mutants.described(tool.SCRIPTS, lock).get("scripts", {}).values()}
        of_scripts = sum(mutant.texts[0][0] in scripts for mutant in mutants)
        self.assertTrue(len(mutants) / 4 < of_scripts < len(mutants) / 2, of_scripts)
        self.assertEqual({mutant.lock for mutant in mutants},
                         set(search_mutants.locks_in(tool.SCRIPTS)))

    def test_change_what_occurs_once(self):
        self.assertEqual(search_mutants.changed("a BEFORE b", entry()), "a AFTER b")
        for text in ("a b", "BEFORE BEFORE"):
            with self.assertRaisesRegex(ValueError, "not once"):
                search_mutants.changed(text, entry())
        with self.assertRaisesRegex(ValueError, "nothing is changed"):
            search_mutants.changed("BEFORE", entry(**{"with": "BEFORE"}))

    def test_change_what_occurs_once_in_a_function(self):
        changed = search_mutants.changed(MINE, entry(**{
            "within": "function model.unlock(", "replace": "return true", "with": "return false"}))
        self.assertEqual(changed, MINE[:MINE.rindex("return true")] + "return false\nend\n")
        with self.assertRaisesRegex(ValueError, "occurs 0 times"):
            search_mutants.changed(MINE, entry(within="function model.lock(", replace="unlock"))
        with self.assertRaisesRegex(ValueError, "function model.no"):
            search_mutants.changed(MINE, entry(within="function model.no("))

    def test_change_several_places_at_once(self):
        self.assertEqual(search_mutants.changed("a b c", entry(**{
            "replace": ["c", "a"], "with": ["long", "x"]})), "x b long")
        with self.assertRaisesRegex(ValueError, "differ in length"):
            search_mutants.changed("a b", entry(**{"replace": ["a", "b"], "with": ["c"]}))

    def test_that_do_not_fit_are_told_with_their_names(self):
        cases = {
            "unknown keys": entry(name="mine-b", where="x"),
            "missing keys": {"name": "mine-b"},
            "begins with mine-": entry(name="other-a"),
            "does not promise fifo": entry(name="mine-b", properties=["fifo"]),
            "is empty": entry(name="mine-b", changes=[]),
            "some property can break": entry(name="mine-b", properties=[]),
            "no Lua": entry(name="mine-b", replace="return true\nend\n\n", **{"with": "return true\n\n"}),
            "No such file": entry(name="mine-b", file="gone.lua"),
            "is taken": entry(replace="function model.unlock(lock)\n  return true",
                              **{"with": "function model.unlock(lock)\n  return false"}),
        }
        for what, wrong in cases.items():
            with self.subTest(what), a_lock() as root:
                fits = entry(replace="function model.unlock(lock)\n  return true",
                             **{"with": "function model.unlock(lock)\n  return nil"})
                write_mutants(root, [fits, wrong])
                mutants, complaints = search_mutants.by_hand(root / "mutants", root / "scripts")
                self.assertEqual([mutant.name for mutant in mutants], ["mine-a"])
                self.assertEqual(len(complaints), 1)
                self.assertIn(what, complaints[0])
                self.assertIn(f"mine.toml: {wrong['name']}", complaints[0])

    def test_halves_stay_the_same(self):
        self.assertEqual([mutant_named(name).half for name in ("a", "b", "c", "d")],
                         ["second", "first", "first", "first"])

    def test_a_cause_names_a_word_or_does_not(self):
        named = mutant_named("mine-a").names_its_change
        self.assertTrue(named("a/1's Unlock came late"))
        self.assertTrue(named('["unlock"]'))
        self.assertFalse(named("unlock_all came late"))
        self.assertFalse(named("the unlocked one"))


class ByOperators(unittest.TestCase):
    def kinds(self, source):
        return [(change.kind, lua_mutants.apply(source, change))
                for change in lua_mutants.changes_of(source, wider=True)]

    def test_negate_conditions(self):
        self.assertIn(("negated", "if not (a and b) then c() end"), self.kinds("if a and b then c() end"))

    def test_change_arithmetic_and_constants(self):
        self.assertIn(("arithmetic", "return a * 3"), self.kinds("return a // 3"))
        self.assertIn(("arithmetic", "return a // b"), self.kinds("return a * b"))
        self.assertIn(("constant", "a = true"), self.kinds("a = false"))

    def test_change_arguments(self):
        changes = self.kinds('f(a, {1}, "b")')
        for mutant in ('f({1}, a, "b")', 'f(a, "b", {1})', "f(a, {1})"):
            self.assertIn(("argument", mutant), changes)
        self.assertNotIn("argument", [kind for kind, _ in self.kinds("f(a)")])

    def test_drop_error_paths(self):
        self.assertIn(("error-path", ""), self.kinds("if not a then error(b, 0) end"))
        self.assertIn(("error-path", "if a then  end"), self.kinds('if a then client.refuse("b") end'))
        self.assertIn(("error-path", "local a, b = true, f(c)"), self.kinds("local a, b = pcall(f, c)"))
        self.assertIn(("error-path", "local a = true, (function() return 1 end)()"),
                      self.kinds("local a = pcall(function() return 1 end)"))
        self.assertIn(("error-path", "f(a)"), self.kinds("pcall(f, a)"))
        self.assertEqual([kind for kind, _ in self.kinds("pcall(function() end)")], ["statement"])

    def test_know_the_lua_of_client_models(self):
        self.assertTrue(lua_mutants.is_lua("local a <const>, b <close> = 1 // 2, 3"))
        self.assertFalse(lua_mutants.is_lua("local a < = 1"))

    def test_leave_server_scripts_alone_unless_asked(self):
        kinds = {change.kind for change in lua_mutants.changes_of("if f(a, b) then error(c) end")}
        self.assertEqual(kinds, {"statement", "condition"})

    def test_are_made_of_what_the_lock_itself_uses(self):
        with a_lock() as root:
            mutants = search_mutants.by_operators(root / "mutants", root / "scripts")
            self.assertEqual({mutant.texts[0][0] for mutant in mutants},
                             {"mine/client.lua", "mine/acquire.lua"})
            self.assertEqual(len({mutant.name for mutant in mutants}), len(mutants))

    def test_say_what_a_cause_must_name(self):
        with a_lock() as root:
            mutants = search_mutants.by_operators(root / "mutants", root / "scripts")
            by_file = {}
            for mutant in mutants:
                by_file.setdefault(mutant.texts[0][0], set()).add(mutant.changes)
            self.assertEqual(by_file["mine/acquire.lua"], {("acquire",)})
            self.assertEqual(by_file["mine/client.lua"], {("lock", "acquire"), ("unlock",)})

    def test_of_a_function_that_asks_for_nothing_name_what_it_is_about(self):
        texts = {"mine/client.lua": """\
local reading = {acquires = "acquire_shared"}
local function node_of(lock) return client.node_of(lock.name) end
local function pause(lock) return lock.options.pause_ms end
local function send(mode, lock)
  local operation = client.invoke(mode.acquires, lock)
  return client.eval(node_of(lock), "acquire", {lock.name})
end
function model.lock(lock)
  while not send(reading, lock) do client.sleep(pause(lock)) end
  watchdog.start(lock)
end
function model.unlock(lock)
  client.invoke("release", lock)
  return client.command(node_of(lock), "DEL", lock.name)
end
local function queue_of(lock) return "queue:" .. lock.name end
local function give_up(lock)
  client.invoke("release", lock)
  return client.eval(node_of(lock), "release", {queue_of(lock)})
end
local function ask(lock, script) return client.eval("n1", script, {queue_of(lock)}) end
local function attempt(lock) return ask(lock, "acquire") end
""", "mine/watchdog.lua": """\
local function run(lock)
  client.invoke("renew", lock)
end
local function is_due(lock) return true end
function watchdog.start(lock)
  client.spawn("watchdog", run, lock)
end
"""}
        def words(path, function):
            return set(search_mutants.words_around(path, texts[path].index(function) + 20, texts, {"acquire"}))
        acquire = {"acquire_shared", "acquire"}
        self.assertEqual(words("mine/client.lua", "local function send"), {"send", *acquire})
        self.assertEqual(words("mine/client.lua", "function model.lock"), {"lock", *acquire})
        self.assertEqual(words("mine/client.lua", "local function pause"), {"pause", *acquire})
        self.assertEqual(words("mine/client.lua", "function model.unlock"), {"unlock", "release", "DEL"})
        # One that asks for what its caller says leads to the caller, though another names its own.
        self.assertEqual(words("mine/client.lua", "local function queue_of"), {"queue_of", "release", "acquire"})
        self.assertEqual(words("mine/client.lua", "local function node_of"),
                         {"node_of", "release", "DEL", *acquire})
        self.assertEqual(words("mine/watchdog.lua", "local function is_due"), {"is_due", "renew", "watchdog"})
        # The step that calls it, and the task that it spawns, are what a cause can name.
        self.assertEqual(words("mine/watchdog.lua", "function watchdog.start"),
                         {"start", "watchdog", "lock", "renew"})

    def test_are_left_out_where_nobody_can_judge(self):
        with a_lock() as root:
            every = search_mutants.by_operators(root / "mutants", root / "scripts")
            path = root / "mutants" / "unjudged.toml"
            path.write_text('[[unjudged]]\nfile = "mine/acquire.lua"\ntext = "return 1"\n'
                            'reason = "nobody calls it"\n'
                            f'[[equivalent]]\nnames = ["{every[-1].name}"]\nreason = "the same"\n')
            left = search_mutants.by_operators(root / "mutants", root / "scripts")
            self.assertEqual({mutant.texts[0][0] for mutant in left}, {"mine/client.lua"})
            self.assertEqual(left[-1].equivalent, "the same")
            path.write_text('[[equivalent]]\nnames = ["gone"]\nreason = "the same"\n')
            with self.assertRaisesRegex(ValueError, "gone"):
                search_mutants.by_operators(root / "mutants", root / "scripts")
            path.write_text('[[unjudged]]\nfile = "mine/acquire.lua"\ntext = "gone"\nreason = "x"\n')
            with self.assertRaisesRegex(ValueError, "occurs 0 times"):
                search_mutants.by_operators(root / "mutants", root / "scripts")

    def test_of_a_span_that_cannot_be_told_stay_in_the_draw_with_the_reason(self):
        with a_lock() as root:
            every = search_mutants.by_operators(root / "mutants", root / "scripts")
            (root / "mutants" / "unjudged.toml").write_text(
                '[[equivalent]]\nfile = "mine/acquire.lua"\ntext = "return 1"\nreason = "nobody calls it"\n')
            now = search_mutants.by_operators(root / "mutants", root / "scripts")
            self.assertEqual([mutant.name for mutant in now], [mutant.name for mutant in every])
            self.assertEqual({mutant.equivalent for mutant in now if mutant.texts[0][0] == "mine/acquire.lua"},
                             {"nobody calls it"})
            self.assertEqual({mutant.equivalent for mutant in now if mutant.texts[0][0] == "mine/client.lua"},
                             {""})

    def test_of_a_span_that_only_another_lock_comes_to_are_tried_on_that_lock(self):
        with a_lock() as root:
            other = root / "scripts" / "third"
            other.mkdir()
            (other / "lock.toml").write_text('base = "mine"\npromises = ["no-leak"]\n')
            path = root / "mutants" / "unjudged.toml"
            path.write_text('[[tried_on]]\nfile = "mine/acquire.lua"\ntext = "return 1"\nlock = "third"\n')
            mutants = search_mutants.by_operators(root / "mutants", root / "scripts")
            self.assertEqual({(mutant.texts[0][0], mutant.lock) for mutant in mutants},
                             {("mine/acquire.lua", "third"), ("mine/client.lua", "mine")})
            path.write_text('[[tried_on]]\nfile = "mine/acquire.lua"\ntext = "return 1"\nlock = "gone"\n')
            with self.assertRaisesRegex(ValueError, "no lock gone"):
                search_mutants.by_operators(root / "mutants", root / "scripts")

    def test_a_sample_is_the_same_again_and_grows(self):
        mutants = [mutant_named(f"mine-{i}") for i in range(100)]
        few = search_mutants.sample(mutants, 10, 1)
        self.assertEqual(search_mutants.sample(mutants, 20, 1)[:10], few)
        self.assertNotEqual(search_mutants.sample(mutants, 10, 2), few)

    def test_a_sample_without_one_that_is_equivalent_is_else_the_same(self):
        mutants = [mutant_named(f"mine-{i}") for i in range(100)]
        few = search_mutants.sample(mutants, 10, 1)
        mutants[mutants.index(few[0])] = dataclasses.replace(few[0], equivalent="the same")
        self.assertEqual(search_mutants.sample(mutants, 9, 1), few[1:])


class Verdicts(unittest.TestCase):
    def verdict(self, findings, sound=()):
        return tool.verdict(mutant_named("mine-a"), findings, list(sound))

    def test_where_the_program_tells_bugs(self):
        bug = finding(kind="bug", cause=["its unlock came late"])
        limit = finding(kinds=["failover"], kind="limit", cause=["its unlock came late"])
        self.assertEqual(self.verdict([limit, bug]), (True, "a bug"))
        self.assertEqual(self.verdict([limit]), (False, "only limits"))
        self.assertEqual(self.verdict([]), (False, "nothing"))
        self.assertEqual(self.verdict([bug], [bug]), (False, "only what the sound lock has"))
        self.assertEqual(self.verdict([bug], [{**bug, "kind": "limit"}]), (True, "a bug"))
        other = finding(kind="bug", cause={"said": "it was paused"})
        self.assertEqual(self.verdict([other]), (False, "a bug with another cause"))
        self.assertEqual(self.verdict([{**other, "violation": "its unlock came late"}]), (True, "a bug"))
        with self.assertRaises(tool.ProgramError):
            self.verdict([finding(kind="bug")])

    def test_where_it_does_not(self):
        self.assertEqual(self.verdict([finding()]), (True, "a violation"))
        self.assertEqual(self.verdict([finding()], [finding(kinds=["delay"])]), (True, "a violation"))
        self.assertEqual(self.verdict([finding()], [finding()]), (False, "only what the sound lock has"))
        self.assertEqual(self.verdict([]), (False, "nothing"))


class Runs(unittest.TestCase):
    """With a program that finds what it is told to find in a lock that is BROKEN."""

    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.root = stack.enter_context(a_lock())
        self.program = self.root / "lockstep"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        (self.root / "calls").touch()
        self.answer("FOUND", [finding()])
        self.answer("SOUND", [])
        stack.enter_context(mock.patch.dict(os.environ, {
            "CALLS": str(self.root / "calls"), "FOUND": str(self.root / "FOUND"),
            "SOUND": str(self.root / "SOUND")}))
        stack.enter_context(mock.patch.object(tool, "SCRIPTS", self.root / "scripts"))
        stack.enter_context(mock.patch.object(tool, "MUTANTS", self.root / "mutants"))
        # a is in the second half, b, c and d in the first.
        write_mutants(self.root, [self.mutant("a", "BROKEN"), self.mutant("b", "BROKEN"),
                                  self.mutant("c", "harmless"), self.mutant("d", "REFUSED")])
        halves = {"mine-a": "second", "mine-b": "first", "mine-c": "first", "mine-d": "first"}
        stack.enter_context(mock.patch.object(search_mutants.Mutant, "half",
                                              property(lambda mutant: halves[mutant.name])))

    def answer(self, which, findings, incidents=()):
        (self.root / which).write_text(json.dumps(
            {"targets": [{"findings": findings, "incidents": list(incidents)}]}))

    def mutant(self, name, comment):
        return entry(name=f"mine-{name}", replace="function model.lock(lock)\n",
                     **{"with": f"function model.lock(lock) -- {comment}\n"})

    def calls(self):
        return (self.root / "calls").read_text().splitlines()

    def run_tool(self, *arguments):
        out, errors = io.StringIO(), io.StringIO()
        command = ["mutate-search", "run", "--program", str(self.program), "--results",
                   str(self.root / "results"), "--jobs", "2", *arguments]
        with mock.patch.object(sys, "argv", command), contextlib.redirect_stdout(out), \
                contextlib.redirect_stderr(errors):
            return tool.main(), out.getvalue(), errors.getvalue()

    def test_tell_found_from_missed_and_keep_the_second_half_to_themselves(self):
        code, out, errors = self.run_tool("--seconds", "2", "--seed", "7")
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("found   mine-b: a violation: harm (pause)", out)
        self.assertIn("MISSED  mine-c: nothing", out)
        self.assertNotIn("mine-a", out)
        self.assertRegex(out, r"mine +1/2 \(50 %\) +1/1 \(100 %\) +2/3 \(67 %\)")
        self.assertIn("1 that the program refuses, or calls mistaken, are left out", out)
        self.assertIn("does not tell bugs from limits", out)
        self.assertEqual(len(self.calls()), 5)
        self.assertIn("--time 2000ms --jobs 1 --seed 7", self.calls()[0])
        self.assertIn("found   mine-a", self.run_tool("--seconds", "2", "--seed", "7", "--reveal")[1])

    def test_run_only_what_is_missing(self):
        self.run_tool("--half", "second")
        self.assertEqual(len(self.calls()), 2)
        self.run_tool()
        self.assertEqual(len(self.calls()), 5)
        whole = self.run_tool()[1]
        self.assertEqual(len(self.calls()), 5)
        self.assertIn("found   mine-b", whole)
        results = self.root / "results"
        results.write_text(results.read_text() + '{"key": "cut of')
        self.assertEqual(self.run_tool()[1], whole)

    def test_refuse_results_of_another_search(self):
        self.run_tool()
        for arguments in (["--seed", "2"], ["--seconds", "1"]):
            code, _, errors = self.run_tool(*arguments)
            self.assertEqual(code, 2)
            self.assertIn("another program, time or seed", errors)
        self.program.write_text(PROGRAM + "# another\n")
        self.assertEqual(self.run_tool()[0], 2)

    def test_tell_a_bug_of_the_lock_as_it_is(self):
        self.answer("SOUND", [finding(kind="bug", cause="x")])
        self.assertIn("a bug of mine as it is: harm (pause)", self.run_tool()[1])

    def test_leave_the_copy_as_it_was(self):
        before = (self.root / "scripts" / "mine" / "client.lua").read_text()
        self.run_tool("--jobs", "1")
        self.assertEqual((self.root / "scripts" / "mine" / "client.lua").read_text(), before)
        # The harmless one comes after a broken one in the same copy.
        self.assertIn("MISSED  mine-c", self.run_tool()[1])

    def test_fail_below_a_score(self):
        self.assertEqual(self.run_tool("--at-least", "50")[0], 0)
        self.assertEqual(self.run_tool("--at-least", "51")[0], 1)

    def test_say_what_is_wrong_with_the_program(self):
        self.program.write_text("#!/bin/sh\necho oops >&2\nexit 1\n")
        code, _, errors = self.run_tool()
        self.assertEqual(code, 2)
        self.assertIn("no JSON, exit code 1", errors)
        self.assertIn("oops", errors)
        self.program.unlink()
        self.assertIn("is no program", self.run_tool()[2])

    def test_take_a_sample_of_what_operators_make(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        stack.enter_context(mock.patch.object(search_mutants.Mutant, "half", "first"))
        out = self.run_tool("--operators", "3")[1]
        self.assertRegex(out, r"all +0/3 \(0 %\)")
        self.assertEqual(len(self.calls()), 4)

    def test_tell_of_a_script_that_fails_though_it_counts_as_missed(self):
        self.answer("SOUND", [], [{"kind": "script-failed", "what": "c1/1: acquire.lua:2: no such variable"}])
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        stack.enter_context(mock.patch.object(search_mutants.Mutant, "half", "first"))
        out = self.run_tool("--operators", "100")[1]
        self.assertRegex(out, r"MISSED  mine/acquire.lua:[^\n]*: nothing; its request fails, which is told\n")
        self.assertNotRegex(out, r"mine/client.lua:7[^\n]*fails")
        self.assertRegex(out, r"Of the first half \d+ that count as missed fail, which the program tells")

    def test_call_an_error_without_a_fault_a_bug_with_its_text_for_a_cause(self):
        for words, told in (("c1/1: unlock.lua:2: no such variable",
                             "found   mine-b: a bug: error-without-fault (no fault)"),
                            ("c1/1: acquire.lua:2: oh", "MISSED  mine-b: a bug with another cause: ")):
            (self.root / "results").unlink(missing_ok=True)
            self.answer("FOUND", [], [{"kind": "error-without-fault", "run": 3, "what": words}])
            self.assertIn(told, self.run_tool()[1])

    def test_leave_out_what_operators_made_where_the_client_model_is_mistaken(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        stack.enter_context(mock.patch.object(search_mutants.Mutant, "half", "first"))
        self.answer("SOUND", [], [{"kind": "client-failed", "what": "there is no 'x' here"}])
        self.assertIn("3 that the program refuses, or calls mistaken", self.run_tool("--operators", "3")[1])
        # One that is written by hand counts all the same: `check --load` tells that it does not run.
        self.assertIn("MISSED  mine-c", self.run_tool()[1])


class Copies(unittest.TestCase):
    def test_are_based_on_themselves(self):
        with tempfile.TemporaryDirectory() as folder:
            search_mutants.copy_scripts(tool.SCRIPTS, Path(folder) / "scripts")
            for lock in search_mutants.locks_in(Path(folder) / "scripts"):
                base = search_mutants.described(Path(folder) / "scripts", lock).get("base", "../x")
                self.assertTrue(base.startswith("../"), f"{lock}: {base}")


@contextlib.contextmanager
def a_lock():
    """A folder with scripts/mine and mutants/, empty."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "mutants").mkdir()
        lock = root / "scripts" / "mine"
        lock.mkdir(parents=True)
        (lock / "lock.toml").write_text(
            'client = "client.lua"\npromises = ["harm"]\n[libraries]\nother = "../other/other.lua"\n'
            '[scripts]\nacquire = "acquire.lua"\n[variants.old]\nscripts = { acquire = "old.lua" }\n')
        (lock / "client.lua").write_text(MINE)
        (root / "scripts" / "other").mkdir()
        (root / "scripts" / "other" / "other.lua").write_text("return {}\n")
        for name in ("acquire.lua", "old.lua"):
            (lock / name).write_text("return 1\n")
        yield root


def write_mutants(root, entries):
    lines = []
    for each in entries:
        lines += ["[[mutant]]", *(f"{key} = {json.dumps(value)}" for key, value in each.items())]
    (root / "mutants" / "mine.toml").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    unittest.main()
