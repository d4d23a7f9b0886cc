"""lockstep extract: a library's scripts printed, saved, and run in a lock's place."""

import json
import shutil
import unittest

from program import REPOSITORY, Program

SOURCES = REPOSITORY / "tests" / "advice" / "sources"

# The reentrant lock's contract, as a library might spell it.
LIBRARY = """\
class TheirLock {
    Future<Long> acquire(long lease, String owner) {
        return eval("if redis.call('exists', KEYS[1]) == 0 " + // nobody
                "or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then " +
                "redis.call('hincrby', KEYS[1], ARGV[2], 1); " +
                "redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; " +
                "return redis.call('pttl', KEYS[1]);");
    }

    Future<Boolean> release(String owner) {
        return eval(\"\"\"
                local latch = redis.call('get', KEYS[3])
                if latch ~= false then return tonumber(latch) end
                if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil end
                if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then
                    redis.call('pexpire', KEYS[1], ARGV[2])
                    redis.call('set', KEYS[3], 0, 'px', ARGV[5])
                    return 0
                end
                redis.call('del', KEYS[1])
                redis.call(ARGV[4], KEYS[2], ARGV[1])
                redis.call('set', KEYS[3], 1, 'px', ARGV[5])
                return 1
                \"\"\");
    }
}
"""


class Extract(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("TheirLock.java", LIBRARY)

    def copy(self, name):
        shutil.copy(SOURCES / name, self.program.folder / name)
        return name

    def test_prints_scripts_with_their_places(self):
        result = self.program.run("extract", "TheirLock.java")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertEqual(lines[0], "-- TheirLock.acquire (TheirLock.java:3)")
        self.assertTrue(lines[1].startswith("if redis.call('exists', KEYS[1]) == 0 or redis.call("))
        self.assertEqual(lines[3], "-- TheirLock.release (TheirLock.java:11)")

    def test_prints_for_programs(self):
        name = self.copy("CountingLock.java")
        result = self.program.run("extract", name, "TheirLock.java", "--format", "json")
        scripts = json.loads(result.stdout)["scripts"]
        self.assertEqual([script["name"] for script in scripts],
                         ["CountingLock.EXTEND", "CountingLock.tryAcquireAsync",
                          "CountingLock.releaseAsync", "CountingLock.lockAll", "CountingLock.start",
                          "TheirLock.acquire", "TheirLock.release"])
        self.assertEqual(result.returncode, 1)
        self.assertEqual(scripts[2]["not_literal"],
                         [{"line": 37, "column": 88, "expression": "FREED"}])
        self.assertIn("CountingLock.java:37:88: note: CountingLock.releaseAsync has a part that is "
                      "not known here: FREED", result.stderr)

    def test_names_scripts_of_several_files_apart(self):
        self.program.write("b/TheirLock.java", LIBRARY)
        result = self.program.run("extract", "TheirLock.java", "b/TheirLock.java", "--save", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.program.files("out"),
                         ["TheirLock.acquire-2.lua", "TheirLock.acquire.lua",
                          "TheirLock.release-2.lua", "TheirLock.release.lua"])

    def test_gives_one_by_name(self):
        result = self.program.run("extract", "TheirLock.java", "--name", "release")
        self.assertEqual(result.returncode, 0)
        self.assertNotIn("acquire", result.stdout)
        whole = self.program.run("extract", "TheirLock.java", "--name", "TheirLock.release")
        self.assertEqual(whole.stdout, result.stdout)
        result = self.program.run("extract", "TheirLock.java", "--name", "relase")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("there is no script 'relase'", result.stderr)

    def test_saves_all_or_nothing(self):
        self.program.write("out/TheirLock.release.lua", "mine")
        result = self.program.run("extract", "TheirLock.java", "--save", "out")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("out/TheirLock.release.lua: error: this file is there already", result.stderr)
        self.assertEqual(self.program.files("out"), ["TheirLock.release.lua"])
        self.assertEqual((self.program.folder / "out/TheirLock.release.lua").read_text(), "mine")

    def test_says_what_it_can_not_read(self):
        self.program.write("broken.js", "const a = `KEYS[1];\n")
        self.program.write("notes.txt", "KEYS[1]")
        self.program.write("none.ts", "const a = 1;\n")
        for path, code, what in (("broken.js", 2, "broken.js:1:11: error: this string does not end"),
                                 ("notes.txt", 2, "notes.txt: error: expected a file of Java"),
                                 ("missing.js", 2, "missing.js: error: "),
                                 ("none.ts", 1, "there is no Lua here")):
            with self.subTest(path):
                result = self.program.run("extract", path)
                self.assertEqual((result.returncode, result.stdout), (code, ""))
                self.assertIn(what, result.stderr)

    def test_reads_folders_and_scripts_as_they_are(self):
        self.program.write("lib/TheirLock.java", LIBRARY)
        self.program.write("lib/lua/free.lua", "\ufeffreturn redis.call('del', KEYS[1])\n".encode())
        self.program.write("lib/node_modules/a/other.js", "f('redis.call(1)')\n")
        self.program.write("lib/load.py", "free = r.register_script(open('lua/free.lua').read())\n")
        result = self.program.run("extract", "lib", "--save", "out")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.program.files("out"),
                         ["TheirLock.acquire.lua", "TheirLock.release.lua", "free.lua"])
        self.assertEqual((self.program.folder / "out/free.lua").read_bytes(),
                         b"return redis.call('del', KEYS[1])\n")

    def test_tells_what_it_can_not_resolve(self):
        self.program.write("lock.py", "free = r.register_script(scripts.FREE)\n"
                                      "renew = r.register_script(open('renew.lua').read())\n"
                                      "def run(script):\n    return r.eval(script, 1, 'k')\n"
                                      "r.eval('return 1', 0)\n"
                                      "r.eval('if redis.call(1) then', 0)\n")
        result = self.program.run("extract", "lock.py")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.splitlines(), [
            "lock.py:6:8: note: lock-2 is no whole script: 'end' expected near '<eof>'",
            "lock.py:1:26: note: the script here is not in this file: scripts.FREE",
            "lock.py:2:32: note: the script here is in a file of its own: renew.lua"])
        self.assertIn("-- lock (lock.py:5)\nreturn 1\n", result.stdout)

    def test_gives_files_that_a_scenario_runs_unchanged(self):
        result = self.program.run("extract", "TheirLock.java", "--save", "theirs")
        self.assertEqual(result.returncode, 0, result.stderr)
        swapped = '\n[scripts]\nacquire = "theirs/TheirLock.acquire.lua"\n'
        swapped += 'release = "theirs/TheirLock.release.lua"\n'
        for name in ("plain/contention", "known-bugs/gc-pause", "known-bugs/lost-acquire-reply",
                     "known-bugs/lost-release-reply-latched"):
            with self.subTest(name):
                story = (REPOSITORY / "scenarios" / f"{name}.toml").read_text()
                self.assertNotIn("[scripts]", story)
                self.program.write(f"{name}.toml", story)
                self.program.write("theirs.toml", story + swapped)
                outcomes = [self.verdicts(f"{name}.toml"), self.verdicts("theirs.toml")]
                self.assertEqual(outcomes[0][0], 0)
                self.assertEqual(outcomes[0], outcomes[1])
                ours, theirs = self.events(f"{name}.toml"), self.events("theirs.toml")
                self.assertGreater(sum('"command-executed"' in event for event in ours), 3)
                self.assertEqual(ours, theirs)

    def verdicts(self, scenario):
        result = self.program.run("run", scenario, "--seeds", "20", "--no-files", "--format", "json")
        outcome = json.loads(result.stdout)["scenarios"][0]
        return result.returncode, [(each["property"], each["held"], each["violated"])
                                   for each in outcome["properties"]]

    def events(self, scenario):
        """Every event of one run: calls and their replies, what was written, what clients saw."""
        result = self.program.run("run", scenario, "--seed", "7", "--out", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        trace = next(path for path in self.program.files("out") if path.endswith(".jsonl"))
        lines = (self.program.folder / "out" / trace).read_text().splitlines()
        shutil.rmtree(self.program.folder / "out")
        return [line for line in lines if line.startswith('{"event"')]


if __name__ == "__main__":
    unittest.main()
