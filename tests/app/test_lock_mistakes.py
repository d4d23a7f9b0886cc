"""Mistakes in lock.toml and client.lua: each is told with file, line and column, the line and a caret."""

import re
import shutil
import unittest

from program import REPOSITORY, Program

STORY = """\
title = "t"
lock = "../mine"
expect = { holds = "mutual-exclusion" }
[[client]]
name = "a"
run = ["lock lease=2s", "unlock"]
"""

# What is changed in a copy of scripts/plain, and what is said.
IN_LOCK_TOML = [
    ('client = "client.lua"', "client = 5", "expected a string in quotes"),
    ('client = "client.lua"', 'client = "clint.lua"', "there is no file 'mine/clint.lua'"),
    ('client = "client.lua"', "", "lacks the key 'client'"),
    ('client = "client.lua"', 'client = "."', "is a folder; expected a file"),
    ('title = "The', "title = The", "this is not TOML"),
    ("promises = [", "colour = 1\npromises = [", "unknown key 'colour'"),
    ('"harm",', '"harms",', "did you mean 'harm'?"),
    ('"harm",', '"permits",', "it promises 'permits'"),
    ('renew = "renew.lua"', 'renew = "renw.lua"', "there is no file 'mine/renw.lua'"),
    ('renew = "renew.lua"', "renew = true", "expected a string in quotes"),
    ('place = "place.lua"', 'place = "plac.lua"', "there is no file 'mine/plac.lua'"),
    ("pool_size = 64", "pool_size = 6.5", "expected a whole number"),
    ("pool_size = 64", 'pool_size = "5s"', "option 'pool_size' is a duration"),
    ("pool_size = 64", "pool_size = -1", "expected at least 0"),
    ('watchdog = "shared"\n', 'watchdog = "shred"\n', "did you mean 'shared'?"),
    ('retry_interval = "1s"', 'retry_interval = "1 sec"', "expected one in quotes"),
    ('latch = "13500ms"', "latch = 13500", "expected a duration in quotes"),
    ("[choices]", '[choices]\nwatchdg = ["a"]', "did you mean 'watchdog'?"),
    ("[choices]\nwatchdog = [", "[choices]\nwatchdog = []\nother = [", "'watchdog' is empty"),
    ('key = "{name}"', 'key = "{nam}"', "unknown placeholder '{nam}'"),
    ('key = "{name}"', 'key = "{name"', "a brace is open"),
    ('key = "{name}"', "", "which key shows who holds the lock"),
    ('key = "{name}"', 'key = "{name}"\nqueue = "{name}:q"', "expected both"),
    ('key = "{name}"', 'key = "{name}"\nreaders = "{name}:r"', "readers-and-writer"),
    ('shape = "holds-by-owner"', 'shape = "holds"', "did you mean 'holds-by-owner'?"),
    ('leases = ["{name}"', 'leases = ["{key}"', "unknown placeholder '{key}'"),
    ('remembers = "latch"', 'remembers = "lacth"', "did you mean 'latch'?"),
    ('executed_once = ["acquire"]', 'executed_once = ["acqire"]', "did you mean 'acquire'?"),
    ('property = ["mutual-exclusion", "harm"]', 'property = "mutual"', "did you mean 'mutual-exclusion'?"),
    ('scripts = { release = "release-unlatched.lua" }', 'scripts = { release = "gone.lua" }',
     "there is no file 'mine/gone.lua'"),
    ('options = { release = "unlatched", retry', 'options = { relase = "unlatched", retry',
     "did you mean 'release'?"),
]

IN_CLIENT_LUA = [
    ("function model.unlock(lock)", "function model.unlock(lock", "')' expected near 'local'"),
    ("\nreturn model", "\nreturn 5", "must return a table of functions"),
    ("\nreturn model", "\n", "must return a table of functions"),
    ("\nreturn model", "\nmodel.lock = 5\nreturn model", "expected a function"),
    ("\nreturn model", "\nmodel.unlock = nil\nreturn model", "lacks the function 'unlock'"),
    ("function model.extend(", "function model.xtend(", "did you mean 'extend'?"),
    ("local model = {}", "local model = nil + 1", "attempt to perform arithmetic on a nil value"),
    ("local model = {}", "local model = {} foo.bar()", "there is no 'foo' here"),
    ("local model = {}", 'local model = {} error("oops")', "oops"),
    ("local model = {}", "local model = {} error({})", "it raised a table that is no error"),
    ("local model = {}", "model = {}", "may not make globals"),
    ("local model = {}", "local model = {} while true do end", "it does not come to an end"),
    ("local model = {}", "local model = {} client.sleep(5)", "from within the lock's functions"),
    ("local model = {}", "local model = {} goto nowhere", "no visible label 'nowhere'"),
    ("local model = {}", "local model = {} break", "break outside"),
    ("local model = {}", "local model <clse> = {}", "unknown attribute 'clse'"),
    ("local model = {}", 'local model = {} local x = "abc', "unfinished string"),
    ("local model = {}", "local model = {} local x = _ENV", "may not use _ENV"),
    ("local model = {}", "local model = {} local c = client", "'client' may only be used as in"),
    ('require("place")', 'require("plac")', "there is no library 'plac'"),
    ("\nreturn model", "\nreturn model\nfunction f()", "<eof> expected near 'function'"),
]


class LockMistakes(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.folder = self.program.folder / "mine"
        shutil.copytree(REPOSITORY / "scripts/plain", self.folder)
        self.program.write("mine/story.toml", STORY)

    def said_of(self, name, found, other):
        file = self.folder / name
        text = file.read_text()
        self.assertIn(found, text)
        file.write_text(text.replace(found, other, 1))
        result = self.program.run("run", "mine/story.toml", "--no-files")
        file.write_text(text)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        return result.stderr.rstrip("\n").split("\n")

    def assert_all_placed(self, name, mistakes):
        for found, other, part in mistakes:
            with self.subTest(other, said=part):
                said, line, caret = self.said_of(name, found, other)
                place = re.match(rf"mine/{name}:(\d+):(\d+): error: ", said)
                self.assertTrue(place, said)
                self.assertIn(part, said)
                self.assertTrue(line.startswith(f"  {place[1]} | "), line)
                if "\u2026 " not in line and int(place[2]) < 50:
                    self.assertEqual(caret.index("^") - line.index("| ") - 1, int(place[2]), caret)

    def test_of_lock_toml_have_a_place(self):
        self.assert_all_placed("lock.toml", IN_LOCK_TOML)

    def test_of_client_lua_have_a_place(self):
        self.assert_all_placed("client.lua", IN_CLIENT_LUA)

    def test_a_fault_of_a_message_that_nobody_sends_is_refused(self):
        self.program.write("mine/story.toml", STORY + '[[fault]]\ndrop = "reply to aquire"\n')
        for command in ("run", "explore", "fuzz", "shrink"):
            with self.subTest(command):
                result = self.program.run(command, "mine/story.toml")
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertIn("mine/story.toml:8:1: error: nobody sends the message 'reply to aquire'",
                              result.stderr)
                self.assertIn("did you mean 'acquire'?", result.stderr)

    def test_a_lock_where_a_scenario_is_expected_says_what_to_use(self):
        (self.folder / "story.toml").unlink()
        for arguments, use in [(("run", "mine"), "mine"), (("run", "mine/lock.toml"), "mine"),
                               (("explore", "mine"), "mine"), (("fuzz", "mine/lock.toml"), "mine"),
                               (("fuzz", "mine/client.lua"), "mine"), (("run", "plain"), "plain"),
                               (("run", "plain/unlatched"), "plain/unlatched")]:
            with self.subTest(arguments):
                result = self.program.run(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
                self.assertIn(f"'lockstep new scenario NAME --lock {use}' makes one", result.stderr)
                self.assertIn(f"'lockstep fuzz {use}' needs none", result.stderr)
        self.program.write("own.lua", "return 1")
        self.assertIn("'lockstep new lock NAME' makes one", self.program.run("fuzz", "own.lua").stderr)
        self.assertIn("error: FILE is required, as in: lockstep extract Lock.java",
                      self.program.run("extract").stderr)


if __name__ == "__main__":
    unittest.main()
