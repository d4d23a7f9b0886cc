"""The lines that a run suggests where nothing was put to the test: pasted together they are a valid file,
which puts the same question to the test."""

import json
import re
import unittest

from story import CLIENTS, IN_TURN, MASTERS, SENTINEL, Stories, fault, pasted, scenario


class Suggestions(Stories):
    def test_what_is_suggested_for_several_properties_goes_together(self):
        cut = fault('pause = "b"', 'at = "1s"', 'for = "20s"')
        lost = (fault('lag = "n1-replica-1"', 'by = "500ms"') + fault('crash = "n1"', 'when = "a acquired"')
                + fault('promote = "n1-replica-1"', 'when = "n1 crashed"'))
        clients = CLIENTS.replace("0ms..5ms", "100ms")
        in_time = clients.replace("lock lease=10s", "try_lock wait=20s lease=15s")
        for story, text in {
            "a paused waiter": scenario(cut, clients=clients),
            "a failover that breaks it": scenario(lost, "\n[redis]\nreplicas = 1\n", clients=in_time),
            "a slow node": scenario(fault('slow = "n1"', 'by = "800ms"'), clients=clients),
        }.items():
            with self.subTest(story=story):
                text = text.replace('"plain"', '"fair"').replace(
                    'holds = "mutual-exclusion"', 'holds = ["mutual-exclusion", "fifo"]')
                _, found = self.run_json(text, "1")
                [change] = {each["change"] for each in found["untested"]}
                code, found = self.run_json(pasted(text, change), "1")
                self.assertEqual(found["untested"], [], change)
                self.assertIn(code, (0, 1))

    def test_what_is_of_one_of_several_alike_is_of_the_table_that_stands_for_them(self):
        clients = """
[[client]]
name  = "w"
count = 3
run   = ["lock lease=30s", "write", "sleep 2s", "unlock"]
"""
        for lock in ("plain", "fair"):
            with self.subTest(lock=lock):
                text = scenario(fault('crash = "n1"', 'at = "1500ms"')
                                + fault('promote = "n1-replica-1"', 'when = "n1 crashed"', 'after = "500ms"'),
                                "\n[redis]\nreplicas = 1\n", clients=clients).replace('"plain"', f'"{lock}"')
                untested = self.assert_untested(text, "1")
                self.assertRegex(untested["change"], r"(?m)^run = .*# of w: ")
                self.assert_broken(pasted(text, untested["change"]), "1")

    def test_calls_wait_for_longer_where_the_network_is_slower_than_the_lock_waits(self):
        masters = "\n[redis]\nmasters = 3\n"
        for story, text in {
            "late messages": scenario(fault('delay = "any"', 'by = "1s"', 'times = "always"'), masters),
            "latency": scenario("", masters + 'latency = "40ms..120ms"\n'),
        }.items():
            with self.subTest(story=story):
                text = text.replace('"plain"', '"redlock"')
                untested = self.assert_untested(text, "1")
                self.assertIn("[options]  # hardly an answer comes within the lock's own timeout, 50ms",
                              untested["change"])
                code, found = self.run_json(pasted(text, untested["change"]), "1")
                self.assertEqual(found["untested"], [])
                self.assertIn(code, (0, 1))

    def test_a_network_that_nobody_gets_the_lock_in_stays_a_slow_one(self):
        for lock in ("plain", "fair", "setnx", "spin", "redlock"):
            with self.subTest(lock=lock):
                text = scenario("", (MASTERS[lock] or "\n[redis]\n") + 'latency = "300ms..2s"\n').replace(
                    '"plain"', f'"{lock}"').replace("0ms..5ms", "100ms")
                untested = self.assert_untested(text, "1")
                self.assertNotRegex(untested["change"], r"(\.\.|\")\d{1,2}ms")
                code, found = self.run_json(pasted(text, untested["change"]), "1")
                self.assertEqual(found["untested"], [], untested["change"])
                self.assertIn(code, (0, 1))

    def test_a_replica_that_falls_behind_too_late_does_so_before_the_permits_are_taken(self):
        clients = """
[[client]]
name = "init"
run = ["try_set_permits permits=2"]

[[client]]
name = "w"
count = 4
start = "100ms"
rounds = 3
run = ["acquire", "sleep 1s..2s", "release"]
"""
        text = scenario(fault('stall = "n1-replica-1"', 'at = "500ms"') + fault('crash = "n1"', 'at = "3s"')
                        + fault('promote = "n1-replica-1"', 'at = "3500ms"'), "\n[redis]\nreplicas = 1\n",
                        clients=clients)
        text = text.replace('"plain"', '"semaphore"').replace('"mutual-exclusion"', '"permits"')
        _, found = self.run_json(text, "1")
        [untested] = found["untested"]
        self.assertIn('at = "99ms"  # of "stall', untested["change"])
        code, found = self.run_json(pasted(text, untested["change"]), "1")
        self.assertEqual((code, found["untested"]), (1, []))

    def test_replicas_get_nothing_more_once_the_permits_are_set(self):
        clients = """
[[client]]
name = "init"
run = ["try_set_permits permits=2"]

[[client]]
name = "w"
count = 4
start = "50ms"
run = ["acquire", "sleep 5s", "release"]
"""
        sentinel = """
[redis]
topology = "sentinel"
replicas = 1
sentinel = { down_after = "1s", failover_timeout = "10s" }
"""
        text = scenario(fault('crash = "n1"', 'at = "1s"'), sentinel, clients=clients).replace(
            '"plain"', '"semaphore"').replace('"mutual-exclusion"', '"permits"')
        _, found = self.run_json(text, "1")
        [untested] = found["untested"]
        self.assertIn('when  = "init finished"', untested["change"])
        code, found = self.run_json(pasted(text, untested["change"]), "1")
        self.assertEqual((code, found["untested"]), (1, []))

    def test_a_message_that_there_is_stays_the_one_that_is_struck(self):
        text = scenario(fault('drop = "release"', 'times = "always"'), clients=CLIENTS.replace(
            "0ms..5ms", "10ms").replace('"sleep 5s", ', "")).replace('"plain"', '"setnx"')
        untested = self.assert_untested(text, "1")
        self.assertNotIn("drop", untested["change"])
        code, found = self.run_json(pasted(text, untested["change"]), "1")
        self.assertEqual((found["untested"], code in (0, 1)), ([], True), untested["change"])

    def test_a_message_that_a_lock_calls_otherwise_is_named(self):
        for message, takes in (("reply to acquire", "it is called so"),
                               ("acquire", "it is called so")):
            text = scenario(fault(f'delay = "{message}"', 'by = "12s"'), "\n[redis]\nmasters = 3\n")
            text = text.replace('"plain"', '"redlock"')
            code, found = self.run_json(text)
            self.assertEqual(code, 1)
            self.assertIn("never struck", found["complaints"][0])
            [untested] = found["untested"]
            own = message.replace("acquire", "set")
            self.assertEqual(untested["change"], f'delay = "{own}"  # {takes}')
            code, found = self.run_json(pasted(text, untested["change"]))
            self.assertEqual((code, found["untested"]), (0, []))

    def test_a_message_to_somebody_becomes_one_of_anybody_where_there_is_none(self):
        clients = CLIENTS.replace("lock lease=10s", "lock")
        text = scenario(fault('delay = "reply to set"', 'by = "2s"', 'to = "a"'), clients=clients)
        _, found = self.run_json(text, "3")
        self.assertIn("never struck", " ".join(found["complaints"]))
        [untested] = found["untested"]
        self.assertIn("without `to`", untested["change"])
        code, found = self.run_json(pasted(text, untested["change"]), "3")
        self.assertEqual(found["untested"], [])
        self.assertNotIn("never struck", " ".join(found["complaints"]))

    def test_a_late_message_under_a_watchdog_is_told_to_be_a_renewal(self):
        clients = CLIENTS.replace("lock lease=10s", "lock")
        text = scenario(fault('delay = "any"', 'by = "2s"'), "\n[redis]\nmasters = 3\n",
                        clients=clients).replace('"plain"', '"redisson-redlock"')
        untested = self.assert_untested(text, "3")
        self.assertIn('delay = "renew_batch"  # the renewals', untested["change"])
        self.assert_broken(pasted(text, untested["change"]), "3")

    def assert_answered(self, text, lock, holds, suggested):
        """The lines suggested for the first run, pasted, answer the question."""
        text = text.replace('"plain"', f'"{lock}"').replace(
            'holds = "mutual-exclusion"', f"holds = {json.dumps(holds)}")
        _, found = self.run_json(text, "1")
        self.assertEqual([each["property"] for each in found["untested"]], holds)
        [change] = {each["change"] for each in found["untested"]}
        self.assertRegex(change, suggested)
        code, found = self.run_json(pasted(text, change), "1")
        self.assertEqual(found["untested"], [], change)
        self.assertIn(code, (0, 1))
        self.assertNotIn("never struck", " ".join(found["complaints"]))

    def test_a_slow_server_or_way_is_asked_about_while_it_can_still_be_waited_for(self):
        clients = IN_TURN.replace("sleep 5s", "sleep 4s")
        for lock, slow, suggested in (
            ("plain", 'slow = "n1"', r'^# together:\nby = "700ms".*\nrun = \["lock lease=5s", .*late call'),
            ("fair", 'slow = "n1"', r'^# together:\nby = "700ms".*\nrun = \["lock lease=5s", .*late call'),
            ("fair", 'clog = ["a", "n1"]', r'^# together:\nby = "700ms".*\nrun = \["lock lease=5s", .*late call'),
        ):
            with self.subTest(lock=lock, slow=slow):
                self.assert_answered(scenario(fault(slow, 'by = "200ms"', 'for = "30s"'), clients=clients), lock,
                                     ["mutual-exclusion"], suggested)

    def test_an_answer_that_no_lock_calls_so_becomes_the_answer_that_it_has(self):
        text = scenario(fault('drop = "reply to acquire"', 'to = "a"'), clients=IN_TURN).replace(
            '"plain"', '"setnx"')
        [untested] = self.run_json(text, "1")[1]["untested"]
        self.assertRegex(untested["change"], 'drop = "reply to set"  # it is called so(?!;)')
        self.assertNotIn('"any"', untested["change"])

    def test_who_comes_when_the_faults_are_over_says_nothing_of_whether_they_let_two_in(self):
        clients = IN_TURN.replace('"lock lease=10s", "write", "sleep 5s"', '"try_lock lease=10s", "write"')
        text = scenario(fault('drop = "reply to set"', 'to = "a"'), clients=clients).replace('"plain"', '"setnx"')
        [untested] = self.run_json(text, "1")[1]["untested"]
        self.assertNotIn("when the faults are over", untested["change"] or "")

    def test_readers_are_given_somebody_whom_they_exclude(self):
        readers = re.sub(r'"(un)?lock( lease=10s)?"', r'"read_\1lock\2"', CLIENTS).replace('"write", ', "")
        cut = fault('cut = ["a", "n1"]', 'at = "2s"', 'for = "15s"')
        one_writer = readers[:readers.index("\n[[client]]", 5)] + IN_TURN[IN_TURN.index("\n[[client]]", 5):].replace(
            '"lock', '"write_lock').replace('"unlock', '"write_unlock')
        self.assert_answered(scenario("", clients=readers), "readwrite", ["mutual-exclusion"],
                             'and for itself\n(.*\n)*run  = ."write_lock lease=10s", "sleep 5s", "write_unlock"')
        self.assert_answered(scenario(fault('pause = "a"', 'when = "a acquired"', 'for = "2s"'), clients=readers),
                             "readwrite", ["mutual-exclusion"], "write_lock")
        self.assert_answered(scenario(cut, clients=one_writer), "readwrite", ["harm"], "write_lock.*write")

    def test_permits_for_everybody_become_as_few_as_one_takes(self):
        clients = ('\n[[client]]\nname = "a"\nrun = ["try_set_permits permits=10", "acquire", "sleep 2s", "release"]\n'
                   '\n[[client]]\nname = "b"\nstart = "1s"\nrun = ["acquire", "sleep 2s", "release"]\n')
        self.assert_answered(scenario("", clients=clients), "semaphore", ["permits"], "try_set_permits permits=1\"")

    def test_who_gives_up_before_the_fault_waits_to_the_end(self):
        clients = ('\n[[client]]\nname = "a"\nrun = ["try_set_count count=1", "sleep 5s", "count_down"]\n'
                   '\n[[client]]\nname = "b"\nstart = "1s"\nrun = ["await wait=2s"]\n')
        self.assert_answered(scenario(fault('cut = ["b", "n1"]', 'at = "4s"', 'for = "10s"'), clients=clients),
                             "latch", ["latch", "no-lost-wakeup"], '"await".  # of b: wait to the end')

    def test_what_goes_with_another_moment_is_what_the_file_has(self):
        for when, gone in ((('every = "5s"', "times = 5"), "every and times"),
                           (('at = "1s"', 'every = "5s"', "times = 5"), "at and every and times")):
            with self.subTest(gone=gone):
                text = scenario(fault('pause = "b"', *when, 'for = "15s"'), clients=IN_TURN.replace('"sleep 5s", ', ""))
                _, found = self.run_json(text, "1")
                [untested] = found["untested"]
                self.assertIn(f"in place of {gone}\n", untested["change"] + "\n")
                code, found = self.run_json(pasted(text, untested["change"]), "1")
                self.assertEqual((code in (0, 1), found["untested"]), (True, []))

    def test_a_fault_that_waits_for_the_end_of_a_lease_gets_one(self):
        text = scenario(fault('pause = "a"', 'when = "the lease of a ends"', 'before = "10ms"', 'for = "20s"'),
                        clients=CLIENTS.replace("0ms..5ms", "100ms"))
        self.assert_answered(text, "plain", ["mutual-exclusion"], "# of a: hold until the lease ends")

    def test_a_slow_way_on_which_nobody_gets_the_lock_becomes_one_on_which_it_is_renewed(self):
        clients = """
[[client]]
name    = "reader"
threads = 2
run     = ["read_lock", "sleep 2s", "read_unlock"]
[[client]]
name = "writer"
run  = ["write_lock", "write", "sleep 1s", "write_unlock"]
"""
        for when in (), ('at = "0s"',):
            text = scenario(fault('clog = ["reader", "n1"]', 'by = "2s"', *when, 'for = "30s"'), clients=clients)
            self.assert_answered(text, "readwrite", ["mutual-exclusion"], 'when = "reader acquired"')

    def test_one_is_named_of_several_that_a_fault_may_strike(self):
        text = scenario(fault('pause = ["a", "b"]', 'at = "500ms"', 'for = "25s"'),
                        clients=CLIENTS.replace("0ms..5ms", "100ms")).replace('"plain"', '"setnx"')
        for seed in range(1, 9):  # of which some draw the one that waits
            self.program.write("story.toml", text)
            result = self.program.run("run", "story.toml", "--seed", str(seed), "--no-files", "--format", "json")
            found = json.loads(result.stdout)["scenarios"][0]
            if found["untested"]:
                break
        [untested] = found["untested"]
        self.assertIn('pause = "a"  # always this one', untested["change"])
        self.assert_broken(pasted(text, untested["change"]), "1")

    def test_other_draws_are_suggested_where_they_are_all_it_takes(self):
        # Which of two comes first decides whether the one that is paused has the lock.
        text = scenario(fault('pause = "a"', 'at = "50ms"', 'for = "20s"'),
                        clients=CLIENTS.replace('name = "a"', 'name = "a"\nstart = "0ms..10ms"').replace(
                            "0ms..5ms", "0ms..10ms"))
        whys = []
        for seed in range(1, 9):
            self.program.write("story.toml", text)
            result = self.program.run("run", "story.toml", "--seed", str(seed), "--no-files", "--format", "json")
            whys += [(each["change"], each["why"]) for each in
                     json.loads(result.stdout)["scenarios"][0]["untested"]]
        self.assertTrue(whys)
        self.assertTrue(all(change or "other draws put it to the test: --seeds 10" in why for change, why in whys), whys)

    def test_a_sentinel_that_dies_leaves_a_master_to_be_struck(self):
        self.assert_answered(scenario(fault('crash = "s1"', 'when = "a acquired"'), SENTINEL, clients=IN_TURN), "plain",
                             ["mutual-exclusion"], 'crash = "n1"  # a master')

    def test_a_fault_without_an_end_gets_one_where_somebody_is_to_be_served(self):
        clients = ('\n[[client]]\nname = "a"\nrun = ["try_set_count count=1", "sleep 5s", "count_down"]\n'
                   '\n[[client]]\nname = "b"\nstart = "1s"\nrun = ["await"]\n')
        self.assert_answered(scenario(fault('slow = "n1"', 'by = "500ms"'), clients=clients), "latch",
                             ["no-lost-wakeup"], 'for = "3s"  # it ends while somebody still waits')

    RELEASED_AFTER_A_PAUSE = fault('pause = "a"', 'when = "a releasing"', 'for = "4s"')
    LEASE_ENDS_MEANWHILE = """
[[client]]
name = "a"
run  = ["lock lease=3s", "write", "sleep 1s", "unlock"]

[[client]]
name  = "b"
count = 2
start = "500ms"
run   = ["lock lease=10s", "write", "sleep 3s", "write", "unlock"]
"""

    def test_a_pause_before_a_release_of_two_steps_is_moved_between_these(self):
        self.program.run("new", "lock", "my-lock")
        path = self.program.folder / "my-lock" / "client.lua"
        model = path.read_text()
        release = re.search(r'local freed = client.eval\(node_of\(lock\), "release".*', model)[0]
        path.write_text(model.replace(release, """local freed = false
  if client.command(node_of(lock), "GET", key_of(lock)) == token then
    freed = client.command(node_of(lock), "DEL", key_of(lock)) == 1
  end"""))
        text = scenario(self.RELEASED_AFTER_A_PAUSE, clients=self.LEASE_ENDS_MEANWHILE)
        in_steps = text.replace('"plain"', '"./my-lock"')
        untested = self.assert_untested(in_steps, "1")
        self.assertEqual(untested["change"], 'when = "n1 executed get of a"  # between the steps of its release')
        self.assert_broken(pasted(in_steps, untested["change"]), "1")
        for lock in ("plain", "fair", "setnx", "spin", "fenced"):
            with self.subTest(lock=lock):
                _, found = self.run_json(text.replace('"plain"', f'"{lock}"'), "1")
                self.assertEqual(found["untested"], [], "its release is one script")

    def test_a_moment_that_never_comes_is_told_with_those_that_do(self):
        clients = IN_TURN.replace('"sleep 5s", ', "", 1)
        text = scenario(fault('pause = "a"', 'when = "n1 executed acquire of a"', 'for = "12s"'),
                        "\n[redis]\nmasters = 5\n", clients=clients).replace('"plain"', '"redlock"')
        code, found = self.run_json(text, "1")
        self.assertEqual(code, 1)
        self.assertIn("never struck: pause a for 12s when n1 executed acquire of a (n1 executed this of a: set, release)",
                      found["complaints"][0])
        [untested] = found["untested"]
        self.assertEqual(untested["change"], 'when = "n1 executed set of a"  # it is called so')
        code, found = self.run_json(pasted(text, untested["change"]), "1")
        self.assertEqual((code, found["untested"], found["complaints"]), (0, [], []))
        nobody = text.replace("n1 executed acquire of a", "n1-replica-1 executed acquire of a").replace(
            "masters = 5", "masters = 5\nreplicas = 1")
        self.assertIn("(n1-replica-1 executed nothing of a)", self.run_json(nobody, "1")[1]["complaints"][0])

    def test_what_is_pasted_at_the_end_comes_after_the_first_and_comes_to_an_end(self):
        queue = IN_TURN.replace("lock lease=10s", "lock").replace("sleep 5s", "sleep 8s")
        text = scenario(fault('crash = "n1"', 'when = "a acquired"', 'after = "1s"'),
                        SENTINEL, clients=queue).replace('"plain"', '"fair"')
        change = self.assert_untested(text, "1")["change"]
        self.assertIn('delay = "replication"\nby    = "61s"\ntimes = 30', change)
        alone = scenario(fault('pause = "a"', 'when = "a acquired"', 'for = "15s"'),
                         clients=IN_TURN[:IN_TURN.index("\n[[client]]", 5)] + "\n")
        asker = self.assert_untested(alone, "1")["change"]
        self.assertRegex(asker, r'\[\[client\]\](.*\n)name = "another"\nstart = "100ms"')
        for pasted_text in (pasted(text, change), pasted(alone, asker)):
            self.program.write("story.toml", pasted_text)
            told = self.program.run("run", "story.toml", "--seeds", "1", "--no-files").stdout
            self.assertNotIn("cut off", told)


if __name__ == "__main__":
    unittest.main()
