"""Where a fault can't put a property to the test, the words say why as the one would who wrote the file."""

import unittest

from story import CLIENTS, IN_TURN, SENTINEL, Stories, fault, pasted, scenario

LATCH = '''
[[client]]
name = "a"
run = ["try_set_count count=1", "sleep 5s", "count_down"]

[[client]]
name = "b"
start = "1s"
run = ["await"]
'''

PERMITS = '''
[[client]]
name = "a"
run = ["try_set_permits permits=1", "acquire", "sleep 4s", "release"]

[[client]]
name = "b"
start = "1s"
run = ["acquire", "sleep 1s", "release"]
'''

EARLY_WRITES = IN_TURN.replace('"1s"', '"100ms"').replace('"sleep 5s"', '"sleep 2s"')


class UntestedWords(Stories):
    def words_of(self, text):
        _, found = self.run_json(text, "1")
        return {each["property"]: each["why"] for each in found["untested"]}

    def test_who_never_asks_for_the_lock_is_named(self):
        idle = CLIENTS + '\n[[client]]\nname = "c"\nrun = ["sleep 30s"]\n'
        [why] = self.words_of(scenario(fault('pause = "c"', 'at = "1ms"', 'for = "20s"'), clients=idle)).values()
        self.assertIn("; c never asks for the lock", why)
        [why] = self.words_of(scenario(fault('pause = "b"', 'at = "1ms"', 'for = "1s"'), clients=idle)).values()
        self.assertNotIn("never asks", why)

    def test_a_lone_sentinel_is_told_to_be_needed_by_nobody(self):
        [why] = self.words_of(scenario(fault('crash = "s1"', 'when = "a acquired"'), SENTINEL)).values()
        self.assertIn("; no lock needs s1, a sentinel, while the others vote", why)

    def test_who_waits_for_a_latch_without_an_end_is_named_in_words_of_latches(self):
        text = scenario(fault('crash = "a"', 'at = "3s"'), clients=LATCH).replace('"plain"', '"latch"').replace(
            'holds = "mutual-exclusion"', 'holds = ["latch", "no-lost-wakeup"]')
        words = self.words_of(text)
        self.assertEqual(sorted(words), ["latch", "no-lost-wakeup"])
        for why in words.values():
            self.assertIn("; b/1 still waited when the run was over", why)
            self.assertNotIn("the lock", why)
        self.assertIn("is to count down, and another waits for that", words["latch"])

    def test_a_fault_that_never_ends_is_told_where_somebody_is_to_be_served(self):
        text = scenario(fault('slow = "n1"', 'by = "500ms"'), holds="no-lost-wakeup", clients=LATCH)
        [why] = self.words_of(text.replace('"plain"', '"latch"')).values()
        self.assertIn('; "slow n1 by 500ms from the start" never ends', why)

    def test_an_acknowledgement_by_replicas_is_told_to_protect(self):
        redis = "\n[redis]\nreplicas = 1\n\n[options]\nwait_replicas = 1\n"
        promoted = fault('promote = "n1-replica-1"', 'when = "n1 crashed"')
        text = scenario(fault('stall = "n1-replica-1"') + fault('crash = "n1"', 'at = "2s"') + promoted, redis,
                        clients=IN_TURN)
        [why] = self.words_of(text).values()
        self.assertIn("; nobody ever had the lock", why)
        self.assertIn("no replica has acknowledged is refused (wait_replicas)", why)
        self.assertNotIn("wait_replicas", " ".join(self.words_of(text.replace("wait_replicas = 1", "")).values()))

    def test_permits_that_were_all_out_as_they_were_lost_are_told_in_words_of_permits(self):
        permits = PERMITS + fault('flush_all = "n1"', 'at = "2s"')
        text = scenario(permits, holds="permits", clients="").replace('"plain"', '"semaphore"')
        code, found = self.run_json(text, "1")
        [untested] = found["untested"]
        self.assertEqual(code, 3)
        self.assertIn("or all are out and somebody sets them anew", untested["why"])
        code, found = self.run_json(pasted(text, untested["change"]), "1")
        self.assertEqual((code, found["untested"]), (1, []))

    def test_a_way_so_slow_that_no_answer_comes_is_made_one_on_which_some_do(self):
        for lock in ("plain", "fair"):
            for by in ("300ms", "1.4s", "2.5s"):
                for who in "ab":
                    with self.subTest(lock=lock, by=by, who=who):
                        text = scenario(fault(f'clog = ["{who}", "n1"]', f'by = "{by}"'), clients=IN_TURN)
                        text = text.replace('"plain"', f'"{lock}"').replace("sleep 5s", "sleep 1s")
                        code, found = self.run_json(text, "1")
                        self.assertEqual(code, 3)
                        [untested] = found["untested"]
                        self.assertNotIn('by = "1.4s"', untested["change"])
                        code, found = self.run_json(pasted(text, untested["change"]), "1")
                        self.assertIn(code, (0, 1))
                        self.assertEqual(found["untested"], [])

    def test_who_wrote_all_before_the_fault_is_told_so(self):
        text = scenario(fault('pause = "a"', 'at = "1s"', 'for = "15s"'), holds="harm", clients=EARLY_WRITES)
        for lock in ("fenced", "plain", "setnx"):
            with self.subTest(lock=lock):
                of_lock = text.replace('"plain"', f'"{lock}"')
                code, found = self.run_json(of_lock, "1")
                self.assertEqual((code, found["outcome"]), (3, "unknown"))
                [untested] = found["untested"]
                self.assertIn("that takes two who write after a fault has struck", untested["why"])
                code, found = self.run_json(pasted(of_lock, untested["change"]), "1")
                # (The resource of a lock with tokens heeds them only where the file says so.)
                self.assertEqual((code, found["untested"]), (1 if lock == "fenced" else 0, []))

    def test_who_wrote_all_before_a_failover_is_told_to_write_again(self):
        faults = (fault('lag = "n1-replica-1"', 'by = "60s"')
                  + fault('promote = "n1-replica-1"', 'when = "a acquired"', 'after = "1s"')
                  + fault('crash = "n1"', 'when = "n1-replica-1 promoted"'))
        text = scenario(faults, "\n[redis]\nreplicas = 1\n", "harm", IN_TURN.replace('start = "1s"', 'start = "2s"'))
        code, found = self.run_json(text, "1")
        [untested] = found["untested"]
        self.assertEqual(code, 3)
        self.assertIn("# of a: it writes at the end, too", untested["change"])
        code, found = self.run_json(pasted(text, untested["change"]), "1")
        self.assertEqual(found["untested"], [])

    def test_a_run_and_its_count_agree_on_what_was_put_to_the_test(self):
        short = fault('pause = "a"', 'at = "1s"', 'for = "1s"')
        for faults in (short, short.replace('for = "1s"', 'for = "15s"'), ""):
            with self.subTest(faults=faults):
                _, found = self.run_json(scenario(faults, clients=IN_TURN), "1")
                of_run = {each["property"]: each["put_to_the_test"] for each in found["example"]["verdicts"]}
                counted = {each["property"]: each["put_to_the_test"] == 1 for each in found["properties"]}
                self.assertEqual(of_run, counted)
                self.assertEqual(of_run["mutual-exclusion"], faults != short)


if __name__ == "__main__":
    unittest.main()
