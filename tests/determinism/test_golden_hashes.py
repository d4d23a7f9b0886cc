"""Runs are the same in every build, today and tomorrow: the hashes are those of golden_hashes.txt.

LOCKSTEP_HASHES names the program of lockstep_hashes.cpp as this build made it. tools/matrix compares
builds with each other; this test compares each with the record, without the others.
"""

import os
import subprocess
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).with_name("golden_hashes.txt")
# A process for each of a thousand runs takes longer than the runs: some of each folder will do.
TENTH = 10


def hashes(*arguments):
    """The lines that the program prints."""
    result = subprocess.run([os.environ["LOCKSTEP_HASHES"], *arguments], cwd=REPOSITORY,
                            capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return result.stdout.splitlines()


class Hashes(unittest.TestCase):
    def test_are_the_golden_ones(self):
        golden = GOLDEN.read_text(encoding="utf-8").splitlines()
        found = hashes("--golden", "scenarios")
        advice = ("\nIf traces were meant to change: raise model_version (unless it was raised "
                  "already) and run tools/update-golden-hashes.")
        for missing in sorted(set(golden) - set(found)):
            self.fail(f"not found any more: {missing}{advice}")
        self.assertEqual(found, golden, advice)

    def test_do_not_depend_on_the_order_or_number_of_scenarios(self):
        together = hashes("scenarios")
        files = sorted({line.split()[0] for line in together})
        self.assertGreater(len(files), 1)
        self.assertEqual(sorted(hashes(*reversed(files))), sorted(together))
        for file in files[::TENTH]:
            self.assertEqual(hashes(file), [line for line in together
                                            if line.startswith(file + " ")])

    def test_are_those_of_the_recorded_events(self):
        for line in hashes("scenarios")[::TENTH]:
            file, seed, events, last_hash = line.split()
            recorded = hashes("--events", "--seed", seed.removeprefix("seed="), file)
            self.assertEqual(f"events={len(recorded)}", events)
            self.assertEqual(recorded[-1].split("#")[-1], last_hash.removeprefix("hash="))


if __name__ == "__main__":
    unittest.main()
