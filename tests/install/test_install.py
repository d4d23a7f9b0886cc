"""What cmake --install puts into a folder: the program works there, without the source; each command has
a man page; the completions are read by their shells; another project finds the checker.

LOCKSTEP_BINARY names the built program, and with it the build.
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BINARY = Path(os.environ["LOCKSTEP_BINARY"])
BUILD = BINARY.parents[1]
REPOSITORY = Path(__file__).resolve().parents[2]

CONSUMER = """\
cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES CXX)
find_package(Lockstep REQUIRED COMPONENTS checker)
add_executable(check_history ${SOURCE})
target_link_libraries(check_history PRIVATE lockstep::checker)
"""


def output_of(*command, **options):
    return subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.prefix = Path(cls.temporary.name) / "prefix"
        for component in ("program", "development"):
            output_of("cmake", "--install", str(BUILD), "--prefix", str(cls.prefix), "--component", component)
        cls.program = cls.prefix / "bin" / "lockstep"
        cls.elsewhere = Path(cls.temporary.name) / "elsewhere"
        cls.elsewhere.mkdir()

    def commands(self):
        help_text = output_of(self.program, "--help")
        return re.findall(r"^  ([a-z]+) {2,}", help_text[help_text.index("Subcommands:"):], re.MULTILINE)

    def test_runs_a_scenario_that_came_with_it_with_its_own_locks(self):
        text = output_of(self.program, "run", "scenarios/known-bugs/gc-pause.toml", "--no-files",
                         cwd=self.elsewhere)
        self.assertIn("a/1 and b/1 both believed that they held lock", text)
        self.assertIn(str(self.prefix / "share" / "lockstep"), text)

    def test_has_the_pages_that_its_readme_leads_to(self):
        folder = self.prefix / "share" / "doc" / "lockstep"
        pages = re.findall(r"\]\((docs/[a-z-]+\.md)", (folder / "README.md").read_text(encoding="utf-8"))
        self.assertGreater(len(pages), 20)
        for page in pages:
            self.assertTrue((folder / page).is_file(), page)

    def test_has_a_man_page_for_each_command(self):
        pages = {page.name for page in (self.prefix / "share" / "man" / "man1").iterdir()}
        self.assertEqual(pages, {"lockstep.1"} | {f"lockstep-{name}.1" for name in self.commands()})
        for page in pages:
            problems = subprocess.run(
                ["man", "--warnings=all", "--local-file", self.prefix / "share" / "man" / "man1" / page],
                check=True, text=True, capture_output=True, env={**os.environ, "MANWIDTH": "80"}).stderr \
                if shutil.which("man") else ""
            self.assertEqual(problems, "", page)

    def test_completes_commands_options_and_words_in_bash(self):
        script = self.prefix / "share" / "bash-completion" / "completions" / "lockstep"

        def completed(*words):
            text = output_of("bash", "-c", 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lockstep; '
                             'printf "%s\\n" "${COMPREPLY[@]}"', script, *words)
            return text.split()

        self.assertEqual(completed("lockstep", "exp"), ["explore", "export", "explain"])
        self.assertEqual(completed("lockstep", "run", "--se"), ["--seed", "--seeds", "--set"])
        self.assertEqual(completed("lockstep", "run", "--format", "j"), ["json"])
        self.assertEqual(completed("lockstep", "run", "scen"), [])

    def test_writes_completions_that_zsh_and_fish_can_read(self):
        shared = self.prefix / "share"
        for shell, file in (("zsh", shared / "zsh" / "site-functions" / "_lockstep"),
                            ("fish", shared / "fish" / "vendor_completions.d" / "lockstep.fish")):
            text = file.read_text(encoding="utf-8")
            for command in self.commands():
                self.assertIn(command, text)
            if shutil.which(shell):
                output_of(shell, "-n", file)

    def test_gives_another_project_the_checker(self):
        source = Path(self.temporary.name) / "consumer"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(CONSUMER, encoding="utf-8")
        build = source / "build"
        output_of("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                  "-DCMAKE_BUILD_TYPE=Debug", f"-DSOURCE={REPOSITORY}/examples/check_history.cpp",
                  f"-DCMAKE_CXX_COMPILER={self.compiler()}")
        output_of("cmake", "--build", build)
        history = REPOSITORY / "histories" / "time-outs.jsonl"
        self.assertIn("linearizable", output_of(build / "check_history", history, "reentrant-mutex"))

    def test_tells_pkg_config_where_it_lies(self):
        folders = ":".join(str(path) for path in self.prefix.glob("lib*/**/pkgconfig"))
        flags = output_of("pkg-config", "--cflags", "--libs", "lockstep-search",
                          env={**os.environ, "PKG_CONFIG_PATH": folders}).split()
        include, = [Path(flag[2:]) for flag in flags if flag.startswith("-I") and "lockstep" in flag]
        self.assertTrue((include / "checker" / "check.h").is_file())
        libraries = [Path(flag[2:]) for flag in flags if flag.startswith("-L")]
        self.assertTrue(any((path / "liblockstep_search.a").is_file() for path in libraries), flags)

    @staticmethod
    def compiler():
        cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
        return re.search(r"^CMAKE_CXX_COMPILER:[A-Z]+=(.*)$", cache, re.MULTILINE).group(1)


if __name__ == "__main__":
    unittest.main()
