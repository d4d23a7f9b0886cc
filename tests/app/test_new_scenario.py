"""lockstep new scenario: what it writes holds as it stands, and its faults are real ones."""

import json
import unittest

from program import Program

# The locks that a topology's failover can take from their holder, one of each kind.
LOCKS = ("plain", "setnx", "fair", "readwrite", "semaphore", "latch", "multi", "./my-lock")


class NewScenario(unittest.TestCase):
    """The faults that `new scenario` writes as comments are real ones."""

    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.run("new", "lock", "my-lock")

    def written(self, lock, topology):
        name = f"{lock.removeprefix('./')}-{topology}"
        made = self.program.run("new", "scenario", name, "--lock", lock, "--topology", topology)
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        return name + ".toml"

    @staticmethod
    def uncommented(text):
        """The lines behind the first "# [[fault]]" without their mark."""
        begin = text.index("# [[fault]]")
        lines = [line.removeprefix("# ").removeprefix("#") for line in text[begin:].splitlines()]
        return text[:begin] + "\n".join(lines) + "\n"

    def test_as_written_all_that_it_expects_holds_and_is_put_to_the_test(self):
        for lock, topology in [(lock, "sentinel") for lock in LOCKS] + [
                ("redlock", "independent"), ("plain", "cluster"), ("plain", "standalone")]:
            with self.subTest(lock=lock, topology=topology):
                run = self.program.run("run", self.written(lock, topology), "--seeds", "3",
                                       "--no-files")
                self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)

    def test_a_vote_is_taken_of_several_masters(self):
        for lock, masters in (("redlock", "masters = 5"), ("redisson-redlock", "masters = 5"),
                              ("plain", None)):
            with self.subTest(lock=lock):
                made = self.program.run("new", "scenario", lock, "--lock", lock)
                self.assertEqual((made.returncode, made.stderr), (0, ""))
                lines = (self.program.folder / f"{lock}.toml").read_text().splitlines()
                self.assertEqual([line for line in lines if line.startswith("masters")],
                                 [masters] if masters else [])

    def test_uncommented_the_lock_is_granted_twice(self):
        cases = [(lock, topology) for lock in LOCKS
                 for topology in ("replicated", "sentinel", "cluster")]
        cases += [("plain", "standalone"), ("latch", "standalone"), ("redlock", "independent"),
                  ("redisson-redlock", "independent"), ("semaphore", "standalone"),
                  ("./my-lock", "independent")]
        for lock, topology in cases:
            with self.subTest(lock=lock, topology=topology):
                path = self.written(lock, topology)
                text = (self.program.folder / path).read_text()
                self.program.write(path, self.uncommented(text))
                run = self.program.run("run", path, "--seeds", "1", "--no-files", "--format",
                                       "json")
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                [found] = json.loads(run.stdout)["scenarios"]
                broken = {each["property"]: each["violated"] for each in found["properties"]}
                twice = {"semaphore": "permits", "latch": "latch"}.get(lock, "mutual-exclusion")
                self.assertEqual(broken[twice], 1, broken)


if __name__ == "__main__":
    unittest.main()
