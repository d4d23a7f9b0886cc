"""Each source of nondeterminism shows when its remedy is off, and not when it is on."""

import subprocess
import unittest

from simulator import PROBE, probed, require_forbidden_time_stamps

RUNS = 50
# With the remedy off, the first run that differs comes soon.
RUNS_UNTIL_DIFFERENT = 100

# The remedy, and a probe that shows what it is against.
CONTROLS = (("vdso", "moment"), ("rdtsc", "time_stamps"), ("random", "random"),
            ("at_random", "at_random"), ("identity", "ids"), ("random", "machine_files"),
            ("identity", "machine_files"))


def differs(outputs):
    outputs = iter(outputs)
    first = next(outputs)
    return any(output != first for output in outputs)


class Controls(unittest.TestCase):
    def test_what_a_remedy_is_against_shows_without_it(self):
        for remedy, probe in CONTROLS:
            with self.subTest(remedy):
                self.assertTrue(differs(
                    probed(probe, env={"LOCKSTEP_LIVE_WITHOUT": remedy})
                    for _ in range(RUNS_UNTIL_DIFFERENT)))

    def test_nothing_differs_with_all_remedies(self):
        for _, probe in (*CONTROLS, ("threads", "turns"), ("addresses", "addresses")):
            with self.subTest(probe):
                if probe == "time_stamps":
                    require_forbidden_time_stamps(self)
                self.assertFalse(differs(probed(probe) for _ in range(RUNS)))

    def test_addresses_differ_where_they_are_random(self):
        self.assertTrue(differs(
            probed("addresses", random_addresses=True) for _ in range(RUNS_UNTIL_DIFFERENT)))

    def test_threads_take_turns_by_chance_without_the_library(self):
        self.assertTrue(differs(
            subprocess.run([PROBE, "turns"], capture_output=True, check=True).stdout
            for _ in range(RUNS_UNTIL_DIFFERENT)))


if __name__ == "__main__":
    unittest.main()
