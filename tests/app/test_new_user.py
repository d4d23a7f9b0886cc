"""What a new user asks first, with the first scenario that comes to mind: does the lock survive a
failover, a garbage collection, a slow network? The answer is a violation, or words that say why
nothing was put to the test, with lines that change it; and with these lines it is a violation."""

import json
import unittest

from program import Program

CLIENTS = """
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "sleep 5s", "unlock"]

[[client]]
name  = "b"
start = "0ms..5ms"
run   = ["lock lease=10s", "write", "sleep 5s", "unlock"]
"""

SENTINEL = """
[redis]
topology = "sentinel"
replicas = 2
sentinel = { down_after = "1s" }
"""


def scenario(faults, redis="", holds="mutual-exclusion", clients=CLIENTS):
    return (f'title  = "Does it survive?"\nlock   = "plain"\nexpect = {{ holds = "{holds}" }}\n'
            + redis + clients + faults)


def fault(*lines):
    return "\n[[fault]]\n" + "\n".join(lines) + "\n"


ASKS_THE_NEW_MASTER = """
[[client]]
name  = "c"
start = "4s"
run   = ["lock lease=10s", "write", "unlock"]
"""

MASTER_DIES = scenario(fault('crash = "n1"', 'at = "1s"'), SENTINEL)
SHORT_PAUSE = scenario(fault('pause = "a"', 'when = "a acquired"', 'for = "2s"'))
SLOW_NETWORK = scenario(fault('clog = ["a", "n1"]', 'by = "100ms"'))


class NewUser(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def run_json(self, text, seeds="20"):
        self.program.write("story.toml", text)
        result = self.program.run("run", "story.toml", "--seeds", seeds, "--no-files",
                                  "--format", "json")
        return result.returncode, json.loads(result.stdout)["scenarios"][0]

    def assert_untested(self, text, seeds="20"):
        code, found = self.run_json(text, seeds)
        self.assertEqual((code, found["outcome"]), (3, "unknown"))
        self.assertEqual([each["property"] for each in found["untested"]], ["mutual-exclusion"])
        properties = {each["property"]: each for each in found["properties"]}
        self.assertEqual(properties["mutual-exclusion"]["put_to_the_test"], 0)
        self.assertEqual(properties["mutual-exclusion"]["held"], int(seeds))
        return found["untested"][0]

    def assert_broken(self, text, seeds="20"):
        code, found = self.run_json(text, seeds)
        self.assertEqual(code, 1, found["untested"])
        self.assertIn("mutual-exclusion was expected to hold", found["complaints"][0])
        return found

    def test_a_master_that_dies_when_its_replicas_have_everything_shows_nothing(self):
        for seeds in ("20", "200"):
            untested = self.assert_untested(MASTER_DIES, seeds)
        self.assertIn('"crash n1 at 1s" matters where', untested["why"])
        self.assertIn('delay = "replication"', untested["change"])
        changed = MASTER_DIES + "\n" + untested["change"] + "\n"
        code, found = self.run_json(changed)
        self.assertEqual((code, found["untested"]), (0, []), "b sleeps until its lease is over")
        self.assert_broken(changed + ASKS_THE_NEW_MASTER)

    def test_the_console_says_it_first_and_how_to_change_it(self):
        self.program.write("story.toml", MASTER_DIES)
        result = self.program.run("run", "story.toml", "--seeds", "20", "--no-files")
        self.assertEqual(result.returncode, 3)
        lines = result.stdout.splitlines()
        self.assertTrue(lines[1].startswith("  unknown, 20 runs"), result.stdout)
        self.assertTrue(lines[2].startswith("  ?  mutual-exclusion held in 20 runs, but was put to "
                                            "the test in none"), result.stdout)
        self.assertIn('    delay = "replication"\n', result.stdout)
        self.assertIn("lost     in 0 of 20 runs did the new master lack a lock that was held",
                      result.stdout)

    def test_replication_that_is_late_when_the_master_dies_loses_the_lock(self):
        late = fault('delay = "replication"', 'by = "2s"', 'times = "always"')
        lag = "".join(fault(f'lag = "n1-replica-{number}"', 'by = "2s"') for number in (1, 2))
        for faults in (late, lag):
            found = self.assert_broken(MASTER_DIES + faults + ASKS_THE_NEW_MASTER)
            [takeover] = [each for each in found["takeovers"] if each["kind"] == "promotion"]
            self.assertEqual(takeover["runs_lacked"], 20)

    def test_a_pause_within_the_lease_shows_nothing(self):
        untested = self.assert_untested(SHORT_PAUSE)
        self.assertIn('"pause a for 2s when a acquired" matters where', untested["why"])
        self.assertTrue(untested["change"].startswith('for = "'), untested["change"])
        longer = untested["change"].split("#")[0].strip()
        self.assert_broken(SHORT_PAUSE.replace('for = "2s"', longer))

    def test_a_network_that_is_not_slow_enough_shows_nothing(self):
        untested = self.assert_untested(SLOW_NETWORK)
        self.assertIn("by 100ms", untested["why"])
        slower = untested["change"].split("#")[0].strip()
        code, found = self.run_json(SLOW_NETWORK.replace('by = "100ms"', slower))
        self.assertIn(code, (0, 1))
        self.assertEqual(found["untested"], [])

    def test_somebody_alone_excludes_nobody(self):
        alone = CLIENTS[:CLIENTS.index("[[client]]", 5)]
        untested = self.assert_untested(scenario("", clients=alone))
        self.assertIn("a thread asked for the lock while another had it", untested["why"])
        code, found = self.run_json(scenario("", clients=alone) + "\n" + untested["change"] + "\n")
        self.assertEqual((code, found["untested"]), (0, []))

    def test_those_who_take_turns_exclude_nobody_until_they_hold_it_longer(self):
        turns = """
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]

[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=10s", "write", "unlock"]
"""
        untested = self.assert_untested(scenario("", clients=turns))
        longer = untested["change"].split("#")[0].strip()
        code, found = self.run_json(scenario("", clients=turns).replace(
            'run  = ["lock lease=10s", "write", "unlock"]', longer, 1))
        self.assertEqual((code, found["untested"]), (0, []))

    def test_what_nobody_asks_for_is_said_and_makes_nothing_unknown(self):
        code, found = self.run_json(scenario(fault('crash = "n1"', 'at = "1s"'), SENTINEL,
                                             holds="no-lost-wakeup"))
        self.assertEqual(code, 0, found)
        properties = {each["property"]: each for each in found["properties"]}
        self.assertEqual(properties["mutual-exclusion"]["put_to_the_test"], 0)
        self.assertEqual(properties["no-lost-wakeup"]["put_to_the_test"], 20)


# The locks that a topology's failover can take from their holder, one of each kind.
LOCKS = ("plain", "setnx", "fair", "fenced", "readwrite", "semaphore")


class NewScenario(unittest.TestCase):
    """The faults that `new scenario` writes as comments are real ones."""

    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def written(self, lock, topology):
        name = f"{lock}-{topology}"
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
        for lock, topology in [(lock, "sentinel") for lock in LOCKS + ("latch",)] + [
                ("redlock", "independent"), ("plain", "cluster"), ("plain", "standalone")]:
            with self.subTest(lock=lock, topology=topology):
                run = self.program.run("run", self.written(lock, topology), "--seeds", "3",
                                       "--no-files")
                self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)

    def test_uncommented_the_lock_is_granted_twice(self):
        cases = [(lock, topology) for lock in LOCKS
                 for topology in ("replicated", "sentinel", "cluster")]
        cases += [("plain", "standalone"), ("plain", "independent"), ("redlock", "independent")]
        for lock, topology in cases:
            with self.subTest(lock=lock, topology=topology):
                path = self.written(lock, topology)
                text = (self.program.folder / path).read_text()
                self.program.write(path, self.uncommented(text))
                run = self.program.run("run", path, "--seeds", "3", "--no-files", "--format",
                                       "json")
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                [found] = json.loads(run.stdout)["scenarios"]
                broken = {each["property"]: each["violated"] for each in found["properties"]}
                twice = "permits" if lock == "semaphore" else "mutual-exclusion"
                self.assertEqual(broken[twice], 3, broken)


if __name__ == "__main__":
    unittest.main()
