"""Where a fault can't put a property to the test, the words say why as the one would who wrote the file."""

import unittest

from program import REPOSITORY
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

SET_ANEW = '''
[[client]]
name = "a"
run = ["try_set_count count=3", "await"]

[[client]]
name = "b"
count = 3
start = "1s..6s"
run = ["count_down"]

[[client]]
name = "again"
start = "26s"
threads = 2
run = ["try_set_count count=3", "await"]
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

    def told_of(self, text):
        self.program.write("story.toml", text)
        return " ".join(self.program.run("run", "story.toml", "--no-files").stdout.split())

    def test_who_never_asks_for_the_lock_is_named(self):
        idle = CLIENTS + '\n[[client]]\nname = "c"\nrun = ["sleep 30s"]\n'
        [why] = self.words_of(scenario(fault('pause = "c"', 'at = "1ms"', 'for = "20s"'), clients=idle)).values()
        self.assertIn("; c never asks for the lock", why)
        [why] = self.words_of(scenario(fault('pause = "b"', 'at = "1ms"', 'for = "1s"'), clients=idle)).values()
        self.assertNotIn("never asks", why)

    def test_a_lone_sentinel_is_told_to_be_needed_by_nobody(self):
        [why] = self.words_of(scenario(fault('crash = "s1"', 'when = "a acquired"'), SENTINEL)).values()
        self.assertIn("; no lock needs s1, a sentinel, while the others vote", why)

    def test_what_is_to_break_and_was_not_put_to_the_test_gets_the_same_help(self):
        promotion = fault('promote = "n1-replica-1"', 'at = "2s"')
        text = scenario(promotion, "\n[redis]\nreplicas = 1\n", clients=IN_TURN).replace("holds", "violates", 1)
        code, found = self.run_json(text, "1")
        self.assertEqual(code, 1)
        [untested] = found["untested"]
        self.assertIn("matters where the new master has not received a lock", untested["why"])
        code, found = self.run_json(pasted(text, untested["change"]), "1")
        self.assertEqual((code, found["untested"]), (0, []))

    def test_a_renewal_that_came_in_time_is_not_what_kept_the_next_ones(self):
        clients = CLIENTS.replace("lock lease=10s", "lock").replace("sleep 5s", "sleep 60s")
        text = scenario(fault('clog = ["a", "n1"]', 'by = "2s"', 'when = "a acquired"', 'for = "50s"'),
                        clients=clients)
        told = self.told_of(text)
        self.assertIn("meanwhile its renew_batch was asked for again, at last at", told)
        self.assertNotIn("was under way from", told)

    def test_permits_that_died_with_who_had_them_are_told(self):
        dead = PERMITS.replace("permits=1", "permits=2").replace('"release"', '"crash"', 1)
        text = scenario("", clients=dead, holds="permits").replace('"plain"', '"semaphore"')
        told = self.told_of(text)
        self.assertIn('lost 1 of the 2 permits of "lock" died with a at', told)
        self.assertNotIn("died with", self.told_of(text.replace('"crash"', '"release"')))

    def test_what_the_lock_never_promises_is_told_as_a_limit(self):
        text = (REPOSITORY / "scenarios/readwrite/downgrade-wakes-nobody.toml").read_text(encoding="utf-8")
        self.assertIn("limit readwrite does not promise no-lost-wakeup ", self.told_of(text) + " ")
        _, found = self.run_json(text, "1")
        promised = {each["property"]: each.get("promised") for each in found["example"]["verdicts"]}
        self.assertEqual((promised["no-lost-wakeup"], promised["hold-count"]), (False, None))

    def test_a_latch_that_was_set_anew_is_not_told_as_counted_down(self):
        text = scenario(fault('promote = "n1-replica-1"', 'at = "3s"') + fault(
            'delay = "replication"', 'by = "11s"', 'times = 30'), "\n[redis]\nreplicas = 1\n", clients=SET_ANEW,
            holds="no-lost-wakeup").replace('"plain"', '"latch"')
        told = self.told_of(text)
        self.assertIn('Latch "lock" was set to 3 by again/1 at 26,', told)

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
        self.assertIn("; nobody was ever told that it has the lock", why)
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
                self.assertIn(code, (0, 1))
                self.assertEqual(found["untested"], [])

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

    def assert_change_helps(self, text, words):
        untested = self.assert_untested(text, "1")
        self.assertIn(words, untested["change"])
        code, found = self.run_json(pasted(text, untested["change"]), "1")
        self.assertEqual((code, found["untested"]), (0, []))

    def test_what_a_cut_holds_back_arrives_where_somebody_has_the_lock(self):
        short = IN_TURN.replace("sleep 5s", "sleep 3s")
        cut = fault('cut = ["a", "n1"]', 'when = "a acquired"', 'for = "20s"')
        text = scenario(cut, clients=short).replace('"plain"', '"setnx"')
        self.assert_change_helps(text, "# somebody who has the lock as the fault ends")

    def test_a_connection_that_is_forgotten_is_told_a_lease_that_ends_before_it_is_missed(self):
        held = IN_TURN.replace(" lease=10s", "").replace("sleep 5s", "sleep 2s")
        text = scenario(fault('half_open = ["a", "n1"]', 'when = "a acquired"'), clients=held)
        self.assert_change_helps(text, "# of a: a lease that ends soon after it gives the lock back")

    def test_a_cut_from_one_master_of_three_is_told_a_majority(self):
        masters = "\n[redis]\nmasters = 3\n"
        held = IN_TURN.replace("sleep 5s", "sleep 3s")
        for lines in (('cut = ["a", "n1"]', 'when = "a acquired"', 'for = "20s"'),
                      ('clog = ["a", "n1"]', 'by = "3s"', 'at = "50ms"', 'for = "30s"')):
            with self.subTest(lines=lines):
                text = scenario(fault(*lines), masters, clients=held).replace('"plain"', '"redisson-redlock"')
                self.assert_change_helps(text, "# of a majority of the masters, too")

    def test_a_way_to_a_master_that_the_lock_does_not_use_is_made_one_to_the_other(self):
        steps = '"lock_all names=x,y lease=8s", "sleep {}s", "unlock_all names=x,y"'
        clients = (f'\n[[client]]\nname = "a"\nrun = [{steps.format(5)}]\n'
                   f'\n[[client]]\nname = "b"\nstart = "1s"\nrun = [{steps.format(1)}]\n')
        text = scenario(fault('clog = ["a", "n2"]', 'by = "2500ms"'), "\n[redis]\nmasters = 3\n", clients=clients)
        untested = self.assert_untested(text.replace('"plain"', '"multi"'), "1")
        self.assertIn('clog = ["a", "n3"]  # a master', untested["change"])

    def test_a_master_that_the_lock_does_not_use_is_made_the_other_one_and_comes_back(self):
        clients = IN_TURN.replace('"lock ', '"lock name=x ').replace('"unlock', '"unlock name=x').replace('"write", ', "")
        text = scenario(fault('crash = "n2"', 'at = "2s"'), "\n[redis]\nmasters = 3\n", clients=clients)
        untested = self.assert_untested(text, "1")
        self.assertIn('crash = "n3"  # the master that has the lock', untested["change"])
        self.assertIn('restart = "n3"', untested["change"])
        self.assertEqual(self.run_json(pasted(text, untested["change"]), "1")[1]["untested"], [])

    def test_a_failover_before_a_latch_is_set_is_moved_to_when_it_is(self):
        clients = LATCH.replace('name = "a"', 'name = "a"\nstart = "5s"').replace('"1s"', '"5500ms"').replace(
            "sleep 5s", "sleep 1s").replace('"await"', '"await wait=30s"')
        faults = fault('crash = "n1"', 'at = "1s"') + fault('promote = "n1-replica-1"', 'at = "2s"')
        text = scenario(faults, "\n[redis]\nreplicas = 1\n", "latch", clients).replace('"plain"', '"latch"')
        code, found = self.run_json(text, "1")
        self.assertEqual(code, 3)
        change = found["untested"][0]["change"]
        self.assertIn('when = "n1 executed try_set_count"', change)
        self.assertIn('when = "n1 crashed"  # of "promote n1-replica-1 at 2s": in place of at', change)
        code, found = self.run_json(pasted(text, change), "1")
        self.assertEqual((code, found["untested"]), (1, []))

    def test_of_a_fault_of_a_node_the_words_are_of_nodes_and_of_a_client_of_clients(self):
        idle = fault('crash = "n1"', 'at = "1s"')
        [why] = self.words_of(scenario(idle)).values()
        self.assertIn('"crash n1 at 1s" matters where the node comes back without a lock that somebody has', why)
        alone = CLIENTS.split('\n\n')[0] + "\n"
        [why] = self.words_of(scenario(fault('crash = "a"', 'at = "1s"'), clients=alone)).values()
        self.assertNotIn("replica", why)

    def test_of_a_file_without_faults_no_last_fault_is_spoken_of(self):
        alone = CLIENTS.split('\n\n')[0] + "\n"
        [why] = self.words_of(scenario("", holds="no-deadlock", clients=alone)).values()
        self.assertNotIn("last fault", why)
        [why] = self.words_of(scenario(fault('pause = "a"', 'at = "1s"', 'for = "1s"'), holds="no-deadlock",
                                       clients=alone)).values()
        self.assertIn("once the last fault was over", why)

    def test_a_replica_that_is_promoted_for_a_dead_master_stays_that_one(self):
        held = IN_TURN.replace("sleep 5s", "sleep 10s").replace("lease=10s", "lease=30s")
        faults = fault('crash = "n1"', 'when = "a acquired"') + fault('promote = "n1-replica-1"', 'when = "n1 crashed"')
        text = scenario(faults, "\n[redis]\nmasters = 3\nreplicas = 1\n", clients=held).replace('"plain"', '"redlock"')
        untested = self.assert_untested(text, "1")
        self.assertNotIn("promote", untested["change"])

    def test_a_run_and_its_count_agree_on_what_was_put_to_the_test(self):
        short = fault('pause = "a"', 'at = "1s"', 'for = "1s"')
        for faults in (short, short.replace('for = "1s"', 'for = "15s"'), ""):
            with self.subTest(faults=faults):
                _, found = self.run_json(scenario(faults, clients=IN_TURN), "1")
                of_run = {each["property"]: each["put_to_the_test"] for each in found["example"]["verdicts"]}
                counted = {each["property"]: each["put_to_the_test"] == 1 for each in found["properties"]}
                self.assertEqual(of_run, counted)
                self.assertEqual(of_run["mutual-exclusion"], faults != short)

    def test_a_release_without_an_answer_is_told(self):
        cut_off = fault('cut = ["a", "n1"]', 'at = "2s"', 'for = "1m"')
        permits = scenario(cut_off, "", "permits", PERMITS.replace("permits=1", "permits=2"))
        lock = scenario(cut_off, "", "no-starvation", IN_TURN.replace("lease=10s", "lease=1m"))
        for text in (permits.replace('"plain"', '"semaphore"'), lock):
            _, found = self.run_json(text, "1")
            self.assertIn("no answer came to what a/1 gave back", found["untested"][0]["why"])


if __name__ == "__main__":
    unittest.main()
