"""tools/setup installs what is missing and nothing else, without a question."""

import unittest

from fake_machine import REPOSITORY, FakeMachine


class Setup(unittest.TestCase):
    def setUp(self):
        self.machine = FakeMachine()
        self.addCleanup(self.machine.close)

    def setup(self, *arguments):
        return self.machine.run(self.machine.repository / "tools" / "setup", *arguments)

    def test_leaves_a_complete_machine_alone(self):
        result = self.setup("run", "test", "bench", "ci")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual({call.split()[0] for call in self.machine.calls()}, {"dpkg-query"})

    def test_installs_exactly_what_is_missing_after_a_look_at_the_lists(self):
        complete = self.machine.installed()
        self.machine.set_installed(name for name in complete
                                   if name not in ("g++", "libgtest-dev", "clang-tidy"))
        result = self.setup("run", "test")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("installing g++ libgtest-dev", result.stderr)
        update, install = self.machine.calls("apt-get")
        self.assertIn(" update", update)
        self.assertIn(" install --yes --no-install-recommends g++ libgtest-dev", install)
        self.assertIn("sudo env DEBIAN_FRONTEND=noninteractive", self.machine.calls("sudo")[-2])

    def test_takes_run_and_test_where_no_group_is_named(self):
        self.machine.set_installed([])
        self.assertEqual(self.setup().returncode, 0)
        self.assertEqual(self.machine.installed(), self.machine.packages("run", "test"))

    def test_starts_no_services(self):
        self.machine.set_installed([])
        self.assertEqual(self.setup("test").returncode, 0)
        policy = "/usr/sbin/policy-rc.d"
        if (self.machine.folder / "tee-_usr_sbin_policy-rc.d").exists():
            self.assertEqual(self.machine.calls("sudo")[-1], f"sudo rm -f {policy}")

    def test_takes_the_alternative_that_is_installed_or_known(self):
        self.machine.set_installed(["libclang-common-14-dev"])
        self.machine.flag("known", "\n".join(self.machine.packages("ci")).replace(
            "clang-format-14", "clang-format"))
        self.assertEqual(self.setup("ci").returncode, 0)
        self.assertIn("clang-format", self.machine.installed())
        self.assertNotIn("clang-format-14", self.machine.installed())
        self.assertNotIn("libclang-rt-dev", self.machine.installed())

    def test_says_what_is_missing_where_it_may_not_install(self):
        self.machine.set_installed(self.machine.packages("run")[1:])
        self.machine.flag("no-sudo")
        result = self.setup("run")
        self.assertEqual(result.returncode, 2)
        self.assertIn("apt-get install g++\n", result.stderr)
        self.assertEqual(self.machine.calls("apt-get"), [])

    def test_lists_the_packages_where_there_is_no_apt(self):
        self.machine.remove_program("dpkg-query")
        result = self.setup("run")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no apt", result.stderr)
        for package in self.machine.packages("run"):
            self.assertIn(f"  {package}\n", result.stderr)
        self.assertNotIn("libgtest-dev", result.stderr)

    def test_says_that_apt_failed(self):
        self.machine.set_installed([])
        self.machine.flag("fail-apt")
        result = self.setup("bench")
        self.assertEqual(result.returncode, 2)
        self.assertIn("could not install libbenchmark-dev", result.stderr)

    def test_only_looks_where_asked_to_check(self):
        self.assertEqual(self.setup("--check", "run", "ci").returncode, 0)
        self.machine.set_installed(self.machine.packages("run"))
        self.assertEqual(self.setup("--check", "run").returncode, 0)
        self.assertEqual(self.setup("--check", "run", "ci").returncode, 1)
        self.assertEqual(self.machine.calls("sudo"), [])

    def test_refuses_a_group_that_does_not_exist(self):
        result = self.setup("tests")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no group 'tests'", result.stderr)


class ThePackageList(unittest.TestCase):
    def test_names_a_group_and_a_reason_for_each_package_once(self):
        lines = (REPOSITORY / "tools" / "packages").read_text(encoding="utf-8").splitlines()
        rows = [line.split(maxsplit=2) for line in lines if line and not line.startswith("#")]
        self.assertGreater(len(rows), 10)
        for row in rows:
            self.assertEqual(len(row), 3, row)
            self.assertIn(row[0], ("run", "test", "bench", "ci", "browser", "live"))
        packages = [row[1] for row in rows]
        self.assertEqual(sorted(packages), sorted(set(packages)))


if __name__ == "__main__":
    unittest.main()
