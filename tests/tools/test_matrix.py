"""tools/matrix compares the hashes of builds, and names the first event that differs."""

import unittest

from fake_machine import FakeMachine


class Matrix(unittest.TestCase):
    def setUp(self):
        self.machine = FakeMachine()
        self.addCleanup(self.machine.close)

    def matrix(self, *arguments):
        return self.machine.run(self.machine.repository / "tools" / "matrix", *arguments)

    def test_builds_all_presets_and_says_that_they_agree(self):
        result = self.matrix()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("2 runs have the same hash in gcc-release gcc-debug clang-release clang-debug",
                      result.stderr)
        configured = [call.split()[4] for call in self.machine.calls("cmake") if " -S " in call]
        self.assertEqual(configured, ["gcc-release", "gcc-debug", "clang-release", "clang-debug"])

    def test_names_the_scenario_and_the_first_event_that_differs(self):
        self.machine.flag("differs", "build-clang-release")
        result = self.matrix()
        self.assertEqual(result.returncode, 1)
        self.assertIn("scenarios/a.toml with seed 2 differs", result.stderr)
        self.assertIn("gcc-release: second same\n", result.stderr)
        self.assertIn("clang-release: second other\n", result.stderr)
        self.assertNotIn("third", result.stderr)
        self.assertNotIn("same hash", result.stderr)

    def test_builds_only_what_it_is_asked_for(self):
        self.machine.flag("differs", "build-clang-release")
        result = self.matrix("--only", "gcc-release,clang-debug")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("in gcc-release clang-debug", result.stderr)

    def test_runs_as_many_seeds_as_it_is_asked_for(self):
        result = self.matrix("--seeds", "1", "--only", "gcc-release,clang-debug")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 runs have the same hash in gcc-release clang-debug", result.stderr)
        for wrong in ("0", "some", ""):
            result = self.matrix("--seeds", wrong)
            self.assertEqual(result.returncode, 1)
            self.assertIn("--seeds takes a number of at least 1", result.stderr)

    def test_refuses_to_compare_a_build_with_nothing(self):
        self.assertEqual(self.matrix("--only", "gcc-release").returncode, 1)
        result = self.matrix("--only", "gcc-release,icc")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no preset 'icc'", result.stderr)
        self.assertEqual(self.matrix("--every").returncode, 1)

    def test_fails_where_a_build_fails(self):
        self.machine.flag("fail-build")
        self.assertNotEqual(self.matrix().returncode, 0)


if __name__ == "__main__":
    unittest.main()
