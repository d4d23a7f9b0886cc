"""Where a command is told to write: missing folders are made, what can't be written is refused before
any work, and a refusal leaves nothing."""

import re
import unittest

from program import GC_PAUSE, Program

# Options with a FILE or DIR that is read.
READ = {("fuzz", "--against"), ("corpus", "--corpus"), ("corpus", "--from"), ("conform", "--recording"),
        ("record", "--story"), ("serve", "--clock"), ("explore", "--resume")}
SMALL = ("fuzz", "setnx", "--runs", "20")
OPEN = 'title = "Open"\nlock = "plain"\nexpect = { holds = "harm" }\n[[client]]\nname = "a"\n' \
       'run = ["lock", "unlock"]\n[[fault]]\npause = "a"\nwhen = "any"\nfor = "1s..20s"\n'
HISTORY = '{:process 0, :type :invoke, :f :acquire, :value nil}\n' \
          '{:process 1, :type :invoke, :f :acquire, :value nil}\n' \
          '{:process 0, :type :ok, :f :acquire, :value nil}\n' \
          '{:process 1, :type :ok, :f :acquire, :value nil}\n'

# A quick call for each option that writes; none: it wants more than the program.
CALLS = {
    ("run", "--out"): ("gc-pause.toml",),
    ("run", "--junit"): ("gc-pause.toml", "--no-files"),
    ("run", "--html"): ("gc-pause.toml", "--no-files"),
    ("run", "--sarif"): ("gc-pause.toml", "--no-files"),
    ("run", "--code-quality"): ("gc-pause.toml", "--no-files"),
    ("fuzz", "--corpus"): ("open.toml", "--runs", "20"),
    ("fuzz", "--out"): ("setnx/fixed-value", "--runs", "60"),
    ("fuzz", "--junit"): SMALL[1:],
    ("fuzz", "--html"): SMALL[1:],
    ("fuzz", "--sarif"): SMALL[1:],
    ("fuzz", "--code-quality"): SMALL[1:],
    ("fuzz", "--markdown"): SMALL[1:],
    ("explore", "--out"): ("holds.toml",),
    ("shrink", "--out"): ("gc-pause.toml",),
    ("keep", "--to"): None,
    ("timeline", "--output"): ("a.trace.jsonl",),
    ("export", "--output"): ("a.trace.jsonl",),
    ("check", "--out"): ("history.edn", "--model", "mutex"),
    ("check", "--explanation"): ("history.edn", "--model", "mutex"),
    ("lint", "--sarif"): ("plain",),
    ("lint", "--code-quality"): ("plain",),
    ("extract", "--save"): ("Lock.java",),
    ("merge", "--out"): None,
    ("merge", "--junit"): None,
    ("merge", "--html"): None,
    ("merge", "--sarif"): None,
    ("merge", "--code-quality"): None,
    ("confirm", "--out"): None,
    ("conform", "--out"): None,
    ("record", "--out"): None,
}
ENDINGS = {"timeline": ".svg", "export": ".edn"}


class Outputs(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("taken", "a file")

    def options(self):
        """(command, option, is a folder) of each option that the help says takes a file or folder."""
        listed = self.program.run("--help").stdout
        listed = listed[listed.index("Subcommands:\n"):listed.index("Example:")]
        for command in re.findall(r"(?m)^  (\w+) ", listed):
            text = self.program.run(command, "--help").stdout
            for names, kind in re.findall(r"(?m)^  ((?:-\w,)?--[\w-]+) (FILE|DIR)\b", text):
                yield command, names.split(",")[-1], kind == "DIR"

    def test_each_option_is_in_the_table(self):
        found = {(command, option) for command, option, _ in self.options()}
        self.assertEqual(found - READ, set(CALLS))

    def test_the_one_place_of_a_command_has_a_short_name(self):
        for command, option, _ in self.options():
            if option not in ("--out", "--output"):
                continue
            with self.subTest(command, option=option):
                result = self.program.run(command, "-o", "taken/x" + ENDINGS.get(command, ""))
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn("'taken' is a file\n", result.stderr)

    def test_what_can_t_be_written_is_refused_at_once(self):
        for command, option, _ in self.options():
            if (command, option) in READ:
                continue
            with self.subTest(command, option=option):
                # Whatever else is on the line: the option is looked at first.
                result = self.program.run(command, option, "taken/x" + ENDINGS.get(command, ""))
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(f"error: {option}: cannot write 'taken/x", result.stderr)
                self.assertIn("'taken' is a file\n", result.stderr)
                self.assertEqual(self.program.files(), ["taken"])

    def test_a_file_is_no_folder_and_a_folder_no_file(self):
        for arguments, said in [(("run", "a.toml", "--out", "taken"), "it is a file"),
                                (("run", "a.toml", "--junit", "."), "it is a folder"),
                                (("run", "a.toml", "--html", "new/"), "it is a folder"),
                                (("run", "a.toml", "--html", ""), "--html: expected a file's name")]:
            with self.subTest(arguments):
                result = self.program.run(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(said, result.stderr)
                self.assertEqual(self.program.files(), ["taken"])

    def test_missing_folders_are_made(self):
        self.program.write("gc-pause.toml", GC_PAUSE)
        self.program.write("open.toml", OPEN)
        self.program.write("holds.toml", OPEN[:OPEN.index("[[fault]]")])
        self.program.write("history.edn", HISTORY)
        self.program.write("Lock.java", 'class Lock { void f() { eval("return redis.call(\'get\', KEYS[1])"); } }')
        self.program.run("run", "gc-pause.toml", "--out", ".")
        trace, = (name for name in self.program.files() if name.endswith(".trace.jsonl"))
        (self.program.folder / trace).rename(self.program.folder / "a.trace.jsonl")
        for (command, option), more in CALLS.items():
            if more is None:
                continue
            with self.subTest(command, option=option):
                where = f"{command}{option}/deep/x" + ENDINGS.get(command, "")
                if (command, option) == ("check", "--out"):
                    where += ".svg"
                result = self.program.run(command, *more, option, where)
                self.assertIn(result.returncode, (0, 1, 3), result.stderr)
                self.assertNotIn("cannot", result.stderr)
                self.assertTrue((self.program.folder / where).exists(), result.stdout + result.stderr)

    def test_a_refused_search_leaves_nothing(self):
        self.program.write("wrong.toml", "title = 1\n")
        self.program.write("open.toml", OPEN)
        before = self.program.files()
        for arguments in [("fuzz", "plian"), ("fuzz", "wrong.toml"), ("fuzz", "plain", "--corpus", "corpus"),
                          ("fuzz", "open.toml", "wrong.toml"), ("fuzz", "open.toml", "--markdown", "new/x.md"),
                          ("fuzz", "plain", "--against", "none.json"), ("explore", "wrong.toml", "--out", "new"), ("shrink", "wrong.toml", "--out", "new"),
                          ("fuzz", "wrong.toml", "--corpus", "corpus", "--out", "new")]:
            with self.subTest(arguments):
                result = self.program.run(*arguments)
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertEqual(self.program.files(), before)
                self.assertEqual([path for path in self.program.folder.iterdir() if path.is_dir()], [])


if __name__ == "__main__":
    unittest.main()
