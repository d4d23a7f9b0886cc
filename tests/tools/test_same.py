"""tools/same freezes what a build does, and says what another does differently."""

import importlib.util
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
TOOL = REPOSITORY / "tools" / "same"

# Stands in for lockstep: shows how it was called, after the build's own word, and writes a file.
PROGRAM = """\
#!/bin/sh
case "$1 $2" in
  "list locks") echo '{"locks": [{"name": "plain"}]}';;
  "list models") echo '{"models": [{"name": "mutex"}]}';;
  "list commands") echo '{"commands": [{"name": "get"}]}';;
  *" --help") ;;
  " ") echo 'error: expected run or list' >&2; exit 2;;
  *) printf 'WORD %s\\n' "$*"; echo '"elapsed_ms": '$$; pwd
     mkdir -p out; cp WHERE out/copy;;
esac
"""
# Stands in for tools/common.bash: a build takes the file "word" into the programs.
COMMON = """\
repository=$PWD
lock_folder() { mkdir -p "$1"; }
build() {
  echo "builds $2 in $PWD"
  for name in app tests bench; do mkdir -p "build/$name"; done
  for name in app/lockstep tests/lockstep_hashes bench/lockstep_league; do
    sed "s/WORD/$(cat word)/; s|WHERE|$PWD/word|" program >"build/$name"
    chmod +x "build/$name"
  done
}
"""
SCENARIO = 'title = "Small"\nlock = "plain"\n'


def load(name):
    """A module of the tool."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(REPOSITORY / "tools"))
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Same(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.frozen = Path(folder.name) / "frozen"
        self.old = self.checkout(Path(folder.name) / "old", "as ever")
        self.new = self.checkout(Path(folder.name) / "new", "as ever")

    def checkout(self, tree, word):
        for name, text in {"scenarios/a.toml": SCENARIO, "scenarios/b.toml": SCENARIO,
                           "somewhere/script.lua": "return KEYS[1]\n"}.items():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(text)
        subprocess.run(["git", "init", "--quiet"], cwd=tree, check=True)
        subprocess.run(["git", "add", "--all"], cwd=tree, check=True)
        self.build(tree, word)
        return tree

    def build(self, tree, word):
        for name in ("app/lockstep", "tests/lockstep_hashes", "bench/lockstep_league"):
            program = tree / "build" / name
            program.parent.mkdir(parents=True, exist_ok=True)
            program.write_text(PROGRAM.replace("WORD", word).replace("WHERE", f"'{program}'"))
            program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def same(self, *arguments):
        return subprocess.run([TOOL, "--only", "run,hashes,lint", *arguments], text=True,
                              capture_output=True, timeout=60, check=False)

    def freeze(self):
        result = self.same("freeze", self.frozen, "--tree", self.old)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def compare(self):
        return self.same("compare", self.frozen, "--tree", self.new)

    def test_finds_nothing_where_nothing_differs_but_time_and_place(self):
        self.freeze()
        (self.new / "somewhere" / "script.lua").rename(self.new / "script.lua")
        result = self.compare()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"run +2 outputs, the same")
        self.assertIn("nothing differs in 5 outputs", result.stdout)  # with those of hashes and lint

    def test_names_what_another_build_says_otherwise(self):
        self.freeze()
        self.build(self.new, "otherwise")
        result = self.compare()
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, r"run +2 outputs, 2 DIFFER")
        self.assertIn("run/scenarios_a.toml.txt, line 2:\n      - as ever run scenarios/a.toml",
                      result.stdout)
        self.assertIn("      + otherwise run scenarios/a.toml", result.stdout)

    def test_finds_a_difference_in_a_file_that_was_written(self):
        self.freeze()
        output = self.frozen / "outputs" / "run" / "scenarios_b.toml.txt"
        self.assertIn("== out/copy\n#!/bin/sh", output.read_text())
        output.write_text(output.read_text().replace("#!/bin/sh", "#!/bin/bash"))
        result = self.compare()
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, r"run +2 outputs, 1 DIFFER")
        self.assertEqual([path.name for path in (self.new / "build" / "same").rglob("*.txt")],
                         ["scenarios_b.toml.txt"])

    def test_takes_nothing_missing_for_the_same(self):
        self.freeze()
        (self.frozen / "outputs" / "run" / "scenarios_b.toml.txt").unlink()
        result = self.compare()
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("was not frozen", result.stdout)

    def test_refuses_what_it_cannot_compare(self):
        self.assertEqual(self.compare().returncode, 2)
        for arguments in (("freeze",), ("no-such-revision",), ("compare", self.frozen, "more")):
            self.assertEqual(self.same(*arguments).returncode, 2, arguments)
        self.freeze()
        result = self.same("compare", self.frozen, "--tree", self.new, "--only", "nothing")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("there is no subject 'nothing'", result.stderr)
        (self.new / "build" / "tests" / "lockstep_hashes").unlink()
        result = self.compare()
        self.assertEqual(result.returncode, 2)
        self.assertIn("lockstep_hashes is not built", result.stderr)

    def test_builds_and_freezes_a_revision_once(self):
        tools = self.new / "tools"
        tools.mkdir()
        for path in TOOL.parent.glob("same*"):
            if path.is_file():
                shutil.copy(path, tools)
        for name, text in {"tools/common.bash": COMMON, "program": PROGRAM, "word": "as ever",
                           ".gitignore": "/build*/\n"}.items():
            (self.new / name).write_text(text)
        subprocess.run("git add --all && git -c user.name=a -c user.email=a@b commit --quiet -m a",
                       shell=True, cwd=self.new, check=True)

        def same():
            return subprocess.run([tools / "same", "HEAD", "--only", "run"], capture_output=True,
                                  text=True, timeout=60, check=False)

        result = same()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"builds lockstep in \S+/build-same/[0-9a-f]{12}/tree\n")
        (self.new / "word").write_text("otherwise")
        result = same()
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertNotIn("/tree\n", result.stdout)
        self.assertIn("      + otherwise run scenarios/a.toml", result.stdout)


class Questions(unittest.TestCase):
    def test_come_from_the_literals_of_tests(self):
        literals = load("same_literals")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a_test.cpp"
            path.write_text('// "none"\nf("one \\"word\\"\\n" "more", \'"\', R"x([[client]])x");\n')
            self.assertEqual(literals.literals_of(path), ['one "word"\nmore', "[[client]]"])
            path = Path(folder) / "input_of_lint.py"
            path.write_text('eval("return 1" b"2")')
            self.assertEqual(literals.literals_of(path), [])
        self.assertEqual(literals.kind_of("[[client]]"), "scenario")
        self.assertEqual(literals.kind_of('{"type":"invoke"}'), "history")
        self.assertEqual(literals.kind_of("return KEYS[1]"), "script")
        self.assertEqual(literals.kind_of("words"), "")

    def test_are_answered_by_the_served_redis_alike_each_time(self):
        talks = load("same_talks")
        talk = [{"session": session, "advance_us": advance_us, "words": words}
                for session, advance_us, words in (
                    (0, 0, ["SET", "a", "x", "PX", "10"]), (1, 9000, ["GET", "a"]),
                    (1, 2000, ["GET", "a"]), (0, 0, ["BLPOP", "L", "1"]), (1, 0, ["RPUSH", "L", "1"]),
                    (0, 0, ["BLPOP", "L", "1"]), (1, 1_002_000, ["PING"]), (2, 0, ["QUIT"]))]
        said = []
        for _ in range(2):
            with tempfile.TemporaryDirectory() as folder:
                said.append(talks.hold(talk, os.environ["LOCKSTEP_BINARY"], folder, {}).decode())
        self.assertEqual(said[0], said[1])
        replies = [line for line in said[0].splitlines() if line.startswith("  ")]
        self.assertEqual(replies, [
            "  0 < +OK\\r\\n", "  1 < $1\\r\\nx\\r\\n", "  1 < $-1\\r\\n",
            "  0 < *2\\r\\n$1\\r\\nL\\r\\n$1\\r\\n1\\r\\n", "  1 < :1\\r\\n", "  0 < *-1\\r\\n",
            "  1 < +PONG\\r\\n", "  2 < +OK\\r\\n", "  2 < closed"])


class Speed(unittest.TestCase):
    def test_the_best_of_all_rounds_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            trees = [Path(folder) / "before", Path(folder) / "after"]
            # Each stands in for the benchmarks: slower from round to round, and one has a new benchmark.
            for tree, (start_ns, new) in zip(trees, ((20, ""), (10, ', {"name": "new", "cpu_time": 1, "time_unit": "ns"}'))):
                program = tree / "build" / "bench" / "lockstep_bench"
                program.parent.mkdir(parents=True)
                program.write_text(f'''#!/bin/sh
echo >>rounds
echo "{{\\"benchmarks\\": [{{\\"name\\": \\"check\\", \\"cpu_time\\": $(({start_ns - 1} + $(wc -l <rounds))), \\"time_unit\\": \\"ns\\"}}{new.replace('"', chr(92) + '"')}]}}"
''')
                program.chmod(program.stat().st_mode | stat.S_IXUSR)
            table = load("same_speed").table(trees)
            rounds = [len((tree / "rounds").read_text()) for tree in trees]
        self.assertRegex(table, r"^check +20\.0 -> +10\.0 ns +-50\.0%$")
        self.assertEqual(rounds, [20, 20])


if __name__ == "__main__":
    unittest.main()
