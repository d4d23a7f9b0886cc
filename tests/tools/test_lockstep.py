"""tools/lockstep builds when it must, and otherwise only starts the program."""

import shutil
import subprocess
import unittest

import yaml

from fake_machine import REPOSITORY, FakeMachine


class Lockstep(unittest.TestCase):
    def setUp(self):
        self.machine = FakeMachine()
        self.addCleanup(self.machine.close)
        self.tool = self.machine.repository / "tools" / "lockstep"

    def lockstep(self, *arguments):
        return self.machine.run(self.tool, *arguments)

    def builds(self):
        return [call for call in self.machine.calls("cmake") if call.startswith("cmake --build")]

    def assert_builds_again(self, *, when):
        self.machine.forget_calls()
        self.assertEqual(self.lockstep().returncode, 0)
        self.assertEqual(len(self.builds()), 1, when)

    def test_sets_up_and_builds_at_the_first_start(self):
        self.machine.set_installed([])
        result = self.lockstep("list")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, f"in {self.machine.elsewhere} as {self.tool}\n[list]\n")
        self.assertIn("compiling", result.stderr)
        self.assertEqual(self.machine.installed(), self.machine.packages("run"))
        configure, build = self.machine.calls("cmake")
        self.assertIn("--preset gcc-release -DLOCKSTEP_TESTS=OFF -DLOCKSTEP_BENCH=OFF", configure)
        self.assertIn("--target lockstep", build)

    def test_calls_nothing_but_the_program_at_later_starts(self):
        self.lockstep()
        self.machine.forget_calls()
        result = self.lockstep("a")
        self.assertEqual((result.stdout, result.stderr),
                         (f"in {self.machine.elsewhere} as {self.tool}\n[a]\n", ""))
        self.assertEqual(self.machine.calls(), [])

    def test_passes_arguments_and_exit_code_on(self):
        result = self.lockstep("fail", "3", "two words", "*", "", "--help", 'a"b\\c')
        self.assertEqual(result.returncode, 3)
        self.assertEqual(result.stdout.splitlines()[1:],
                         ["[fail]", "[3]", "[two words]", "[*]", "[]", "[--help]", '[a"b\\c]'])

    def test_works_through_a_link(self):
        link = self.machine.elsewhere / "ls"
        link.symlink_to(self.tool)
        self.assertEqual(self.machine.run("./ls", "a").stdout,
                         f"in {self.machine.elsewhere} as ./ls\n[a]\n")

    def test_tells_the_program_how_it_was_called(self):
        self.lockstep()
        for folder, command, told in ((self.machine.repository, "tools/lockstep", "tools/lockstep"),
                                      (self.machine.repository, self.tool, "tools/lockstep"),
                                      (self.machine.elsewhere, "../repository/tools/lockstep",
                                       "../repository/tools/lockstep")):
            self.assertEqual(self.machine.run(command, cwd=folder).stdout,
                             f"in {folder} as {told}\n")
        # What is kept, as in docs/survival.md, is told without a path of the machine.
        self.assertEqual(self.machine.run("env", "LOCKSTEP_COMMAND=lockstep", self.tool).stdout,
                         f"in {self.machine.elsewhere} as lockstep\n")

    def test_builds_again_after_a_change_of_a_source(self):
        self.lockstep()
        for path in ("sim/deep/clock.cpp", "sim/deep/new.cpp", "app/CMakeLists.txt",
                     "cmake/rooms.cmake", "CMakeLists.txt", "CMakePresets.json"):
            self.machine.touch_later(path)
            self.assert_builds_again(when=path)

    def test_builds_again_after_a_deletion(self):
        self.lockstep()
        (self.machine.repository / "sim" / "deep" / "queue.cpp").unlink()
        self.assert_builds_again(when="sim/deep/queue.cpp is gone")

    def check_out_with_cached_build(self):
        """The repository anew, with what the CI templates keep of the build. Returns what they keep."""
        action = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
        cache = next(step for step in action["runs"]["steps"] if step["name"] == "Restore the build")
        kept = [path.replace("${{ github.action_path }}/", "") for path in cache["with"]["path"].split("\n")
                if path]
        gitlab = yaml.safe_load((REPOSITORY / "examples/ci/gitlab.yml").read_text(encoding="utf-8"))
        self.assertEqual([path.removeprefix("lockstep/") for path in gitlab[".lockstep"]["cache"]["paths"]], kept)
        repository = self.machine.repository
        cached = self.machine.folder / "cache.tar"
        there = [path for path in kept if (repository / path).exists()]
        subprocess.run(["tar", "-cf", cached, "-C", repository, *there], check=True)
        shutil.rmtree(repository)
        self.machine.make_repository()
        for path in repository.rglob("*"):  # later than the build, if only by a little
            path.touch()
        subprocess.run(["tar", "-xf", cached, "-C", repository], check=True)
        self.machine.forget_calls()
        return there

    def test_starts_a_cached_build_at_once_in_a_fresh_checkout(self):
        self.lockstep()
        self.assertIn("build/app/lockstep", self.check_out_with_cached_build())
        self.assertEqual(self.lockstep("a").stdout.splitlines()[1:], ["[a]"])
        self.assertEqual(self.machine.calls("cmake"), [])
        self.machine.forget_calls()
        self.lockstep()
        self.assertEqual(self.machine.calls(), [], "the times say it from now on")

    def test_starts_no_cached_build_of_other_sources(self):
        self.lockstep()
        self.check_out_with_cached_build()
        (self.machine.repository / "sim/deep/clock.cpp").write_text("another")
        self.assertEqual(self.lockstep().returncode, 0)
        self.assertEqual(len(self.builds()), 1)

    def test_starts_no_other_program_than_was_built(self):
        self.lockstep()
        self.check_out_with_cached_build()
        program = self.machine.repository / "build/app/lockstep"
        program.write_text(program.read_text() + "# built by hand of other sources")
        self.assertEqual(self.lockstep().returncode, 0)
        self.assertEqual(len(self.builds()), 1)

    def test_sets_up_what_a_cached_build_needs(self):
        self.lockstep()
        self.check_out_with_cached_build()
        self.machine.set_installed([])
        self.assertEqual(self.lockstep().returncode, 0)
        self.assertEqual(self.machine.installed(), self.machine.packages("run"))
        self.assertEqual(self.machine.calls("cmake"), [])

    def test_passes_over_changes_of_what_is_not_in_the_program(self):
        self.lockstep()
        for path in ("tests/sim/clock_test.cpp", "tests/CMakeLists.txt", "bench/CMakeLists.txt",
                     "scenarios/a.toml"):
            self.machine.touch_later(path)
        self.machine.forget_calls()
        self.assertEqual(self.lockstep().returncode, 0)
        self.assertEqual(self.machine.calls(), [])

    def test_says_that_the_build_failed_and_recovers(self):
        self.lockstep()
        self.machine.touch_later("app/main.cpp")
        self.machine.flag("fail-build")
        for _ in range(2):
            result = self.lockstep("list")
            self.assertEqual(result.returncode, 4)
            self.assertEqual(result.stdout, "")
            self.assertIn("error: expected ;", result.stderr)
            self.assertIn("the build of 'lockstep' in build/ failed", result.stderr)
        self.machine.unflag("fail-build")
        self.assert_builds_again(when="the build failed")

    def test_says_that_the_configuration_failed_and_recovers(self):
        self.machine.flag("fail-configure")
        result = self.lockstep("list")
        self.assertEqual((result.returncode, result.stdout), (4, ""))
        self.assertIn("CMake Error: no compiler", result.stderr)
        self.assertIn("could not configure build/", result.stderr)
        self.machine.unflag("fail-configure")
        self.assert_builds_again(when="the configuration failed")

    def test_throws_a_broken_cache_away(self):
        self.lockstep()
        (self.machine.repository / "build" / "CMakeCache.txt").write_text("poison\n")
        self.machine.touch_later("app/main.cpp")
        self.assert_builds_again(when="the cache is broken")

    def test_fails_where_setting_up_fails(self):
        self.machine.set_installed([])
        self.machine.flag("no-sudo")
        result = self.lockstep()
        self.assertEqual((result.returncode, result.stdout), (4, ""))
        self.assertEqual(self.machine.calls("cmake"), [])

    def test_builds_anew_where_the_repository_was_moved(self):
        self.lockstep()
        moved = self.machine.folder / "moved"
        self.machine.repository.rename(moved)
        self.machine.forget_calls()
        result = self.machine.run(moved / "tools" / "lockstep")
        self.assertEqual(result.returncode, 0, result.stderr)
        configure, build = self.machine.calls("cmake")
        self.assertIn(f"-S {moved} ", configure)
        self.assertIn(f"--build {moved}/build ", build)

    def test_builds_once_where_two_start_at_once(self):
        self.machine.flag("slow")
        starts = [self.machine.start(self.tool, "a") for _ in range(3)]
        for start in starts:
            output, complaints = start.communicate(timeout=300)
            self.assertEqual(start.returncode, 0, complaints)
            self.assertIn("[a]", output)
        self.assertEqual(len(self.builds()), 1)

    def test_leaves_the_tests_in_the_build_where_they_were(self):
        self.assertEqual(self.machine.run(self.machine.repository / "tools" / "test").returncode, 0)
        self.machine.touch_later("app/main.cpp")
        self.machine.forget_calls()
        self.lockstep()
        self.assertIn("-DLOCKSTEP_TESTS=ON", self.machine.calls("cmake")[0])


class Test(unittest.TestCase):
    def setUp(self):
        self.machine = FakeMachine()
        self.addCleanup(self.machine.close)
        self.tool = self.machine.repository / "tools" / "test"

    def test_ends_with_the_summary_of_ctest(self):
        result = self.machine.run(self.tool, "-R", "checker")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "100% tests passed, 0 tests failed out of 7\n")
        self.assertIn("--target all", self.machine.calls("cmake")[1])
        self.assertTrue(self.machine.calls("ctest")[0].endswith(" -R checker"))

    def test_runs_no_test_where_the_build_fails(self):
        self.machine.flag("fail-build")
        self.assertNotEqual(self.machine.run(self.tool).returncode, 0)
        self.assertEqual(self.machine.calls("ctest"), [])

    def test_leaves_lockstep_built(self):
        self.machine.run(self.tool)
        self.machine.forget_calls()
        self.machine.run(self.machine.repository / "tools" / "lockstep")
        self.assertEqual(self.machine.calls(), [])


if __name__ == "__main__":
    unittest.main()
