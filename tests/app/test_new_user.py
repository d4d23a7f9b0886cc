"""What a new user asks first, with the first scenario that comes to mind: does the lock survive a
failover, a garbage collection, a slow network? The answer is a violation, or words that say why
nothing was put to the test, with lines that change it; and with these lines it is a violation."""

import json
import re
import unittest

from story import CLIENTS, IN_TURN, MASTERS, SENTINEL, Stories, fault, pasted, scenario

ASKS_THE_NEW_MASTER = """
[[client]]
name  = "c"
start = "4s"
run   = ["lock lease=10s", "write", "unlock"]
"""

MASTER_DIES = scenario(fault('crash = "n1"', 'at = "1s"'), SENTINEL)
SHORT_PAUSE = scenario(fault('pause = "a"', 'when = "a acquired"', 'for = "2s"'))
SLOW_NETWORK = scenario(fault('clog = ["a", "n1"]', 'by = "100ms"'))


class NewUser(Stories):
    def test_a_master_that_dies_when_its_replicas_have_everything_shows_nothing(self):
        for seeds in ("20", "200"):
            untested = self.assert_untested(MASTER_DIES, seeds)
        self.assertIn('"crash n1 at 1s" matters where the node comes back without a lock that somebody has, or a replica '
                      "takes over that has not received it, and another asks for it meanwhile", untested["why"])
        self.assertIn("in 200 of 200 runs nothing was lost when the replica became the master", untested["why"])
        self.assertIn('delay = "replication"', untested["change"])
        self.assert_broken(pasted(MASTER_DIES, untested["change"]))

    def test_a_network_too_slow_for_the_clients_timeout_accuses_no_lock_of_waits(self):
        slow = '"1ms..3s"'
        for network in (f'latency = {slow}', f'[redis.nodes.n1]\nlatency = {slow}',
                        f'[[link]]\nfrom = "n1"\nto = "a"\nlatency = {slow}'):
            text = scenario("", f"[redis]\n{network}\n", "no-lost-wakeup",
                            CLIENTS.partition("\n\n[[client]]")[0] + "\n").replace('"plain"', '"setnx"')
            with self.subTest(network=network):
                code, found = self.run_json(text, "100")
                self.assertEqual((code, found["outcome"]), (3, "unknown"))
                self.assertEqual([each["property"] for each in found["untested"]], ["no-lost-wakeup"])

    def test_a_slow_link_or_node_that_no_call_uses_shows_nothing(self):
        masters = "[redis]\nmasters = 5\n"
        of_node = '[redis.nodes.n1]\nlatency = "5s"\n'
        of_link = '\n[[link]]\nfrom = "n1"\nto = "a"\nlatency = "5s"\n'
        later = CLIENTS.replace("0ms..5ms", "1s")
        for told, slow, text in (("the latency of 5s of n1", "700ms", scenario("", masters + of_node, clients=later)),
                           ("the latency of 5s from n1 to a", "1.4s",
                            scenario(of_link, masters, clients=later))):
            with self.subTest(told):
                untested = self.assert_untested(text)
                self.assertIn(f"{told} matters where a call for the lock takes", untested["why"])
                self.assertIn(f'latency = "{slow}"', untested["change"])
                code, found = self.run_json(text + "\n" + untested["change"] + "\n")
                self.assertNotEqual((code, found["outcome"]), (3, "unknown"))
                self.assertEqual(found["untested"], [])

    def test_says_once_when_several_links_would_matter(self):
        link = '\n[[link]]\nfrom = "{}"\nto = "{}"\nlatency = "5s"\n'
        why = self.assert_untested(scenario(link.format("a", "n1") + link.format("n1", "a"),
                                            "[redis]\nmasters = 5\n",
                                            clients=CLIENTS.replace("0ms..5ms", "1s")))["why"]
        self.assertEqual(why.count("a call for the lock takes"), 1)
        self.assertIn("another wants it then, and so does the latency of 5s from n1 to a", why)

    def test_a_slow_link_to_a_replica_that_nobody_turns_to_shows_nothing(self):
        text = scenario('\n[[link]]\nfrom = "n1"\nto = "n1-replica-1"\nlatency = "5s"\n',
                        "[redis]\nreplicas = 1\n", clients=CLIENTS.replace("0ms..5ms", "1s"))
        untested = self.assert_untested(text)
        self.assertIn("the latency of 5s from n1 to n1-replica-1 matters where the replica becomes "
                      "the master before it has everything", untested["why"])
        self.assert_broken(pasted(text, untested["change"]))

    def test_a_slow_link_that_calls_use_is_put_to_the_test(self):
        text = scenario('\n[[link]]\nfrom = "n1"\nto = "a"\nlatency = "1s"\n')
        code, found = self.run_json(text)
        self.assertEqual((found["outcome"], found["untested"]), ("as-expected", []))
        self.assertEqual(code, 0)

    def test_who_is_kept_from_asking_until_all_others_are_done_shows_nothing(self):
        workers = '\n[[client]]\nname = "worker"\ncount = 4\nrounds = 3\nstart = "1s"\nrun = [{}]\n'
        mutexes = workers.format('"lock lease=10s", "write", "sleep 500ms", "unlock"')
        permits = ('\n[[client]]\nname = "setup"\nrun = ["try_set_permits permits=2"]\n'
                   + workers.format('"acquire", "sleep 500ms", "release"'))
        for lock, clients in (("plain", mutexes), ("semaphore", permits)):
            for keeps in (fault('cut = ["worker1", "n1"]', 'for = "20s"'),
                          fault('clog = ["worker1", "n1"]', 'by = "2s"', 'for = "20s"')):
                with self.subTest(lock=lock, keeps=keeps):
                    text = scenario(keeps, clients=clients).replace('"plain"', f'"{lock}"')
                    if lock == "semaphore":
                        text = text.replace('"mutual-exclusion"', '"permits"')
                    code, found = self.run_json(text, "1")
                    self.assertEqual((code, len(found["untested"])), (3, 1))

    def test_a_servers_clock_by_which_no_lease_ends_shows_nothing(self):
        brief = CLIENTS.replace("sleep 5s", "sleep 500ms").replace("0ms..5ms", "100ms")
        for by in ("20ms", "-3s"):
            text = scenario(fault('clock_step = "n1"', f'by = "{by}"', 'when = "a acquired"'), clients=brief)
            with self.subTest(by=by):
                untested = self.assert_untested(text, "3")
                self.assertIn("a lease ends too soon by it, and another asks for the lock before its owner gives it back", untested["why"])
                code, found = self.run_json(pasted(text, untested["change"]), "3")
                self.assertEqual((code, found["untested"]), (0 if by == "-3s" else 1, []), untested["change"])
        votes = scenario(fault('clock_step = "n1"', 'by = "4s"', 'when = "a acquired"'), "\n[redis]\nmasters = 5\n",
                         clients=brief).replace('"plain"', '"redlock"')
        self.assert_untested(votes, "3")

    def test_a_fault_that_comes_when_all_is_over_is_told_with_the_end(self):
        text = MASTER_DIES.replace(', "sleep 5s"', "")
        code, found = self.run_json(text, "3")
        self.assertEqual(code, 1)
        [complaint] = found["complaints"]
        self.assertRegex(complaint, r"never struck: crash n1 at 1s \(the run .* was over at .* ms\)$")
        self.assert_broken(pasted(text, found["untested"][0]["change"]), "3")

    def test_an_election_that_takes_longer_than_the_lease_is_told_and_made_shorter(self):
        text = MASTER_DIES.replace('sentinel = { down_after = "1s" }\n', "")
        untested = self.assert_untested(text, "3")
        self.assertIn('sentinel = { down_after = "1s" }  # in [redis]', untested["change"])
        self.assert_broken(pasted(text, untested["change"]), "3")

    def test_a_fault_that_strikes_another_shard_is_sent_to_the_one_that_has_the_lock(self):
        cluster = '\n[redis]\ntopology = "cluster"\nmasters = 3\nreplicas = 1\n'
        text = scenario(fault('crash = "n1"', 'when = "a acquired"'), cluster)
        untested = self.assert_untested(text, "3")
        self.assertIn('crash = "n2"  # the master that has the lock', untested["change"])
        self.assert_broken(pasted(text, untested["change"]), "3")

    def test_a_fault_of_hosts_that_the_lock_does_not_use_shows_nothing_of_liveness_either(self):
        cluster = ('\n[redis]\ntopology = "cluster"\nmasters = 3\nreplicas = 1\n'
                   'cluster = { node_timeout = "1s" }\n')
        for redis, host, used in ((SENTINEL, "s1", "n1"), (SENTINEL, "n1-replica-1", "n1"),
                                  (cluster, "n1", "n2"), (cluster, "n2-replica-1", "n2")):
            with self.subTest(host=host):
                text = scenario(fault(f'crash = "{host}"', 'at = "1s"'), redis, "no-lost-wakeup")
                code, found = self.run_json(text, "3")
                self.assertEqual((code, found["outcome"]), (3, "unknown"))
                self.assertNotIn("nobody had the lock", found["untested"][0]["why"])
                change = found["untested"][0]["change"]
                self.assertIn(f'crash = "{used}"  # ', change)
                code, found = self.run_json(pasted(text, change), "3")
                self.assertEqual((code, found["untested"]), (0, []))

    def test_a_client_cut_off_from_another_shard_is_cut_off_from_the_one_that_has_the_lock(self):
        cluster = '\n[redis]\ntopology = "cluster"\nmasters = 3\nreplicas = 1\n'
        for number in ("1", "3"):
            with self.subTest(node=number):
                text = scenario(fault(f'cut = ["a", "n{number}"]', 'at = "1s"', 'for = "20s"'), cluster,
                                "no-lost-wakeup")
                code, found = self.run_json(text, "3")
                self.assertEqual((code, found["outcome"]), (3, "unknown"))
                change = found["untested"][0]["change"]
                self.assertIn('cut = ["a", "n2"]  # a master', change)
                code, found = self.run_json(pasted(text, change), "3")
                self.assertEqual((code, found["untested"]), (0, []))

    def test_each_question_about_each_lock_is_answered(self):
        self.program.run("new", "lock", "my-lock")
        section = ('"lock lease=10s", "write", "unlock"',) * 2
        permits = ('"try_set_permits permits=1", "acquire", "write", "release"',
                   '"acquire", "write", "release"')
        locks = {"plain": section, "fair": section, "redlock": section, "./my-lock": section,
                 "semaphore": permits}
        questions = {
            "failover": ('\n[redis]\ntopology = "sentinel"\nreplicas = 1\n',
                         fault('crash = "n1"', 'when = "a acquired"')),
            "pause": ("", fault('pause = "a"', 'when = "a acquired"', 'for = "5s"')),
            "slow network": ("", fault('clog = ["a", "n1"]', 'by = "500ms"')),
            "slow server": ("", fault('slow = "n1"', 'by = "100ms"')),
        }
        of_some = {
            "crash without a failover": ("\n[redis]\nreplicas = 1\n",
                                         fault('crash = "n1"', 'when = "a acquired"')),
            "hung server": ("", fault('slow = "n1"', 'by = "5s"')),
            "latency": ('\n[redis]\nlatency = "100ms..2s"\n', ""),
        }
        for lock, steps in locks.items():
            holds = "permits" if lock == "semaphore" else "mutual-exclusion"
            clients = "".join(f'\n[[client]]\nname = "{name}"\nrun  = [{run}]\n'
                              for name, run in zip("ab", steps))
            asked = questions | (of_some if lock in ("fair", "redlock") else {})
            for question, (redis, faults) in asked.items():
                if lock == "redlock":
                    redis = redis if "latency" in redis else "\n[redis]\n"
                    redis = redis.replace("[redis]\n", "[redis]\nmasters = 3\n")
                text = scenario(faults, redis, holds, clients).replace('"plain"', f'"{lock}"')
                with self.subTest(lock=lock, question=question):
                    code, found = self.run_json(text, "3")
                    if code == 3:
                        [untested] = found["untested"]
                        self.assertIn("but was put to the test in none: ", untested["why"])
                        code, found = self.run_json(pasted(text, untested["change"]), "3")
                    self.assertIn(code, (0, 1), found)
                    [tested] = [each["put_to_the_test"] for each in found["properties"]
                                if each["property"] == holds]
                    self.assertGreater(tested, 0)

    def test_a_master_that_comes_back_empty_and_that_nobody_asks_shows_nothing(self):
        # Who waits sleeps until the lease that it was told of is over, and a is done by then.
        text = scenario(fault('crash = "n1"', 'at = "1s"') + fault('restart = "n1"', 'at = "2s"'))
        for lock in ("plain", "readwrite"):
            with self.subTest(lock=lock):
                of_lock = text.replace('"plain"', f'"{lock}"')
                if lock == "readwrite":
                    of_lock = of_lock.replace('"lock', '"write_lock').replace('"unlock', '"write_unlock')
                untested = self.assert_untested(of_lock)
                self.assertIn("where the node comes back without a lock that somebody has, and another asks for it", untested["why"])
                self.assert_broken(pasted(of_lock, untested["change"]))

    def test_who_gives_the_lock_back_within_its_lease_is_made_to_hold_it_beyond_a_renewed_one(self):
        text = scenario(fault('cut = ["a", "n1"]', 'when = "a acquired"', 'for = "20s"')).replace("sleep 5s", "sleep 3s")
        for lock in ("plain", "spin", "fenced", "setnx"):
            with self.subTest(lock=lock):
                of_lock = text.replace('"plain"', f'"{lock}"')
                untested = self.assert_untested(of_lock)
                if lock == "setnx":  # which renews nothing
                    self.assertIn("# somebody who has the lock as the fault ends", untested["change"])
                    code, found = self.run_json(pasted(of_lock, untested["change"]))
                    self.assertEqual((code, found["untested"]), (0, []))
                else:
                    self.assert_broken(pasted(of_lock, untested["change"]))

    def test_the_master_of_a_lock_that_no_step_names_does_not_matter(self):
        # The lock "lock" would be on n2.
        text = scenario(fault('clock_step = "n2"', 'by = "20s"', 'when = "a acquired"'),
                        "\n[redis]\nmasters = 3\n")
        self.assert_broken(text)
        of_another = re.sub(r'"(lock|write|unlock)\b', r'"\1 name=x', text)
        untested = self.assert_untested(of_another)
        self.assertIn('clock_step = "n3"', untested["change"])
        self.assert_broken(pasted(of_another, untested["change"]))

    def test_a_failover_that_comes_after_the_lease_is_no_test_of_a_replica_that_lags(self):
        text = scenario(fault('lag = "n1-replica-1"', 'by = "5s"') + fault('crash = "n1"', 'at = "1s"'),
                        '\n[redis]\ntopology = "sentinel"\nreplicas = 1\n')
        untested = self.assert_untested(text)
        self.assertIn('sentinel = { down_after = "1s" }  # in [redis]', untested["change"])
        self.assert_broken(pasted(text, untested["change"]))

    def test_a_master_that_stands_still_until_the_lease_is_over_is_replaced_sooner(self):
        self.program.run("new", "lock", "my-lock")
        redis = '\n[redis]\ntopology = "sentinel"\nreplicas = 2\n'
        text = scenario(fault('pause = "n1"', 'at = "1s"', 'for = "60s"'), redis)
        for lock in ("./my-lock", "semaphore", "plain", "fair"):
            with self.subTest(lock=lock):
                of_lock = text.replace('"plain"', f'"{lock}"')
                if lock == "semaphore":
                    of_lock = re.sub(r'"lock lease=10s"', '"acquire"', of_lock).replace('"unlock"', '"release"')
                    of_lock = of_lock.replace('run  = [', 'run  = ["try_set_permits permits=1", ', 1)
                    of_lock = of_lock.replace('"mutual-exclusion"', '"permits"')
                code, found = self.run_json(of_lock)
                self.assertEqual(code, 3)
                change = found["untested"][0]["change"]
                self.assertRegex(change, r'sentinel = { down_after = "1s" }  # in \[redis\]|comes right behind|lease that is renewed|somebody else')
                _, found = self.run_json(pasted(of_lock, change))
                self.assertEqual(found["untested"], [])

    def test_a_server_that_is_shut_down_and_comes_back_is_told_apart_from_its_restart(self):
        text = scenario(fault('shutdown = "n1"', 'at = "1s"') + fault('restart = "n1"', 'at = "2s"'))
        untested = self.assert_untested(text)
        self.assertIn('# of "shut down n1 at 1s"', untested["change"])
        self.assert_broken(pasted(text, untested["change"]))

    def test_a_failover_that_no_client_sees_does_not_matter(self):
        # Both are connected by then, and go on where they are.
        text = scenario(fault('lag = "n1-replica-1"', 'by = "1m"')
                        + fault('promote = "n1-replica-1"', 'at = "1s"'),
                        "\n[redis]\nreplicas = 1\n")
        for more, mattered in (("", 0), (ASKS_THE_NEW_MASTER, 5)):
            _, found = self.run_json(text + more, "5")
            self.assertEqual(found["takeovers"][0]["runs_lacked"], 5)
            self.assertEqual([each["runs_mattered"] for each in found["probes"]], [mattered] * 2)

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

    def test_what_the_new_master_lacks_of_a_latch_and_of_permits_is_no_lock(self):
        late = fault('delay = "replication"', 'by = "1m"', 'times = "always"')
        for lock, steps, told in (
                ("latch", '"try_set_count count=2", "await"', "lack a latch that was set"),
                ("semaphore", '"try_set_permits permits=2", "acquire", "sleep 9s"',
                 "lack what had been set or taken of permits")):
            text = (f'title = "failover"\nlock = "{lock}"\nexpect = {{ holds = "no-leak" }}\n'
                    f'[redis]\nreplicas = 1\n[[client]]\nname = "a"\nrun = [{steps}]\n'
                    + fault('promote = "n1-replica-1"', 'at = "1s"'))
            for faults, line in ((text + late, f"in 1 of 1 run did the new master {told}"),
                                 (text.replace(steps, '"sleep 2s"'), "nothing: no ")):
                self.program.write("story.toml", faults)
                said = self.program.run("run", "story.toml", "--no-files").stdout
                self.assertIn("lost     " + line, said)
                self.assertNotIn("a lock that was held", said)

    def test_one_run_of_ranges_says_that_there_are_more(self):
        for sleep, is_said in (("1s", False), ("1s..2s", True)):
            self.program.write("story.toml",
                               'title = "ranges"\nlock = "plain"\nexpect = { holds = "no-leak" }\n'
                               f'[[client]]\nname = "a"\nrun = ["lock", "sleep {sleep}", "unlock"]\n')
            for seeds in ("1", "2"):
                said = self.program.run("run", "story.toml", "--no-files", "--seeds", seeds).stdout
                self.assertEqual("--seeds 100" in said, is_said and seeds == "1", said)

    def test_replication_that_is_late_when_the_master_dies_loses_the_lock(self):
        late = fault('delay = "replication"', 'by = "2s"', 'times = "always"')
        lag = "".join(fault(f'lag = "n1-replica-{number}"', 'by = "2s"') for number in (1, 2))
        for faults in (late, lag):
            found = self.assert_broken(MASTER_DIES + faults + ASKS_THE_NEW_MASTER)
            [takeover] = [each for each in found["takeovers"] if each["kind"] == "promotion"]
            self.assertEqual(takeover["runs_lacked"], 20)

    def test_a_lost_lock_that_nobody_asks_for_while_it_is_believed_in_shows_nothing(self):
        # b sleeps until a has given it back.
        late = fault('delay = "replication"', 'by = "2s"', 'times = "always"')
        clients = CLIENTS.replace('"0ms..5ms"', '"5ms"')
        text = MASTER_DIES.replace(CLIENTS, clients) + late
        code, found = self.run_json(text, "3")
        self.assertEqual((code, found["takeovers"][0]["runs_lacked"]), (3, 3))
        tested = {each["property"]: each["put_to_the_test"] for each in found["properties"]}
        self.assertEqual((tested["mutual-exclusion"], tested["hold-count"]), (0, 3))
        self.assert_broken(pasted(text, found["untested"][0]["change"]), "3")

    def test_a_pause_within_the_lease_shows_nothing(self):
        untested = self.assert_untested(SHORT_PAUSE)
        self.assertIn('"pause a for 2s when a acquired" matters where', untested["why"])
        self.assertTrue(untested["change"].startswith('for = "'), untested["change"])
        longer = untested["change"].split("#")[0].strip()
        self.assert_broken(SHORT_PAUSE.replace('for = "2s"', longer))

    def test_a_waiter_that_stands_still_shows_nothing_until_it_has_the_lock(self):
        for lock in ("plain", "fair", "setnx", "spin", "redlock", "redisson-redlock"):
            with self.subTest(lock=lock):
                text = scenario(fault('pause = "b"', 'at = "3s"', 'for = "20s"'), MASTERS[lock],
                                clients=IN_TURN).replace('"plain"', f'"{lock}"')
                untested = self.assert_untested(text)
                self.assertIn('when = "b acquired"  # in place of at', untested["change"])
                self.assert_broken(pasted(text, untested["change"]))

    def test_a_late_release_that_meets_nobody_shows_nothing(self):
        for lock in ("plain", "setnx", "redlock"):
            with self.subTest(lock=lock):
                text = scenario(fault('pause = "a"', 'when = "a releasing"', 'for = "20s"'), MASTERS[lock],
                                clients=IN_TURN).replace('"plain"', f'"{lock}"')
                untested = self.assert_untested(text)
                self.assertEqual(untested["change"], 'when = "a acquired"  # while it has the lock')
                self.assert_broken(pasted(text, untested["change"]))

    def test_a_failover_after_its_owner_gave_the_lock_up_shows_nothing(self):
        late = fault('delay = "replication"', 'by = "21s"', 'times = "always"')
        cluster = ('\n[redis]\ntopology = "cluster"\nmasters = 3\nreplicas = 1\n'
                   'cluster = { node_timeout = "2s" }\n')
        sentinel = SENTINEL.replace("1s", "2s")
        for redis, struck in ((sentinel, fault('isolate = "n1"', 'at = "2s"', 'for = "20s"')),
                              (cluster, fault('crash = "n2"', 'at = "2s"'))):
            with self.subTest(fault=struck):
                text = scenario(struck + late, redis, clients=IN_TURN)
                untested = self.assert_untested(text)
                self.assert_broken(pasted(text, untested["change"]))

    def test_an_operator_promotes_only_when_the_master_has_died(self):
        promoted = {"crash": fault('promote = "n1-replica-1"', 'at = "4s"'),
                    "shutdown": fault('promote = "n1-replica-1"', 'when = "n1 stopped"')}
        for end, promotion in promoted.items():
            with self.subTest(end=end):
                moment = 'at = "3s"' if end == "crash" else 'when = "a acquired"'
                text = scenario(fault(f'{end} = "n1"', moment) + promotion, "\n[redis]\nreplicas = 1\n",
                                clients=IN_TURN)
                untested = self.assert_untested(text)
                self.assertNotIn('of "promote', untested["change"])
                self.assertIn('delay = "replication"', untested["change"])
                self.assert_broken(pasted(text, untested["change"]))

    def test_a_lease_that_ends_too_soon_is_no_test_for_who_sleeps_until_it_is_given_back(self):
        clients = IN_TURN.replace("lock lease=10s", "lock").replace("sleep 5s", "sleep 4s")
        step = fault('clock_step = "n1"', 'by = "60s"', 'at = "2s"')
        self.assert_untested(scenario(step, clients=clients), "1")
        asker = '\n[[client]]\nname = "c"\nstart = "3s"\nrun = ["lock", "write", "sleep 1s", "unlock"]\n'
        self.assertEqual(self.run_json(scenario(step, clients=clients + asker), "1")[0], 1, "who asks gets it")
        fast = fault('clock_drift = "n1"', 'rate = "900000ppm"', 'at = "2s"')
        renewed = clients.replace("sleep 4s", "sleep 25s")
        self.assert_untested(scenario(fast, clients=renewed), "1")

    def test_a_pause_behind_a_grant_takes_no_time_of_its_validity(self):
        pause = fault('pause = "a"', 'when = "a acquired"', 'for = "4s"')
        masters = "\n[redis]\nmasters = 3\n"
        text = scenario(pause, masters, clients=IN_TURN).replace('"plain"', '"redlock"')
        untested = self.assert_untested(text, "1")
        self.assert_broken(pasted(text, untested["change"]), "1")

    def test_a_violation_that_the_contract_excuses_says_so(self):
        pause = fault('pause = "a"', 'when = "a acquired"', 'for = "20s"')
        text = scenario(pause, clients=IN_TURN)
        outlasts = "a hold outlasts the lease that its caller asked for"
        code, found = self.run_json(text, "1")
        self.assertEqual(code, 1)
        of = {each["property"]: each.get("not_promised_where") for each in found["example"]["verdicts"]}
        self.assertEqual(of["mutual-exclusion"], [outlasts])
        self.assertIsNone(of["valid-grant"], "it held")
        flawed = text.replace('"plain"', '"setnx/get-then-del"')
        code, found = self.run_json(flawed, "1")
        self.assertEqual(code, 1)
        self.assertNotIn(outlasts, json.dumps(found))

    def test_a_renewal_that_was_refused_in_time_is_no_excuse(self):
        end = fault('crash = "n1"', 'when = "a acquired"', 'after = "3s"')
        lag = fault('delay = "replication"', 'by = "61s"', 'times = 30')
        sentinel = """
[redis]
topology = "sentinel"
replicas = 2
sentinel = { count = 3, quorum = 2, down_after = "1s", failover_timeout = "10s" }
"""
        clients = """
[[client]]
name = "a"
run = ["lock", "write", "sleep 20s", "write", "unlock"]

[[client]]
name = "b"
start = "15s"
run = ["lock", "write", "sleep 20s", "write", "unlock"]
"""
        code, found = self.run_json(scenario(end + lag, sentinel, clients=clients), "1")
        self.assertEqual(code, 1)
        of = {each["property"]: each.get("not_promised_where") for each in found["example"]["verdicts"]}
        self.assertEqual(of["mutual-exclusion"], ["a server loses a write that it has acknowledged"])

    def test_the_console_says_once_what_is_said_of_several(self):
        text = scenario(fault('pause = "b"', 'at = "3s"', 'for = "20s"')
                        + fault('pause = "a"', 'at = "1s"', 'for = "10ms"'), clients=IN_TURN)
        text = text.replace('holds = "mutual-exclusion"', 'holds = ["mutual-exclusion", "harm"]')
        self.program.write("story.toml", text)
        told = " ".join(self.program.run("run", "story.toml", "--no-files").stdout.split())
        self.assertIn("? mutual-exclusion, harm held in 1 run, but were put to the test in none:", told)
        self.assertEqual(told.count("matters where it outlasts a lease"), 1)
        self.assertIn(', and so does "pause a for 10ms at 1s"', told)

    def test_faults_left_open_of_which_none_mattered_show_nothing_and_ask_for_more(self):
        text = scenario("", clients=IN_TURN.replace('"sleep 5s"', '"sleep 10ms"')).replace(
            'lock   = "plain"', 'lock   = "plain"\nfaults = ["slow"]').replace('"1s"', '"1ms"')
        untested = self.assert_untested(text)
        self.assertIn("each run draws others: --seeds 100 tries more", untested["why"])
        self.program.write("all/a.toml", text)
        self.program.write("all/b.toml", text)
        self.assertEqual(self.program.run("run", "all", "--no-files").returncode, 0,
                         "of a folder's scenarios each run is a sample")

    def test_a_network_that_is_not_slow_enough_shows_nothing(self):
        untested = self.assert_untested(SLOW_NETWORK)
        self.assertIn("by 100ms", untested["why"])
        code, found = self.run_json(pasted(SLOW_NETWORK, untested["change"]))
        self.assertIn(code, (0, 1))
        self.assertEqual(found["untested"], [])

    def test_permits_that_nobody_sets_or_that_faults_hardly_touch_show_nothing(self):
        taken = '\n[[client]]\nname = "{}"\n{}run  = [{}"acquire", "sleep 5s", "release"]\n'
        late = taken.format("b", 'start = "1s"\n', "")
        made = taken.format("a", "", '"try_set_permits permits=1", ') + late
        stories = {
            "nobody set any": taken.format("a", "", "").replace("acquire", "try_acquire wait=1s") + late,
            "a short pause": made + fault('pause = "a"', 'when = "a acquired"', 'for = "10ms"'),
            "hardly slow": made + fault('clog = ["a", "n1"]', 'by = "300ms"'),
            "too slow for anybody": made + fault('clog = ["a", "n1"]', 'by = "2s"'),
        }
        for story, clients in stories.items():
            text = scenario("", "", "permits", clients).replace('"plain"', '"semaphore"')
            with self.subTest(story=story):
                code, found = self.run_json(text, "1")
                self.assertEqual((code, found["outcome"]), (3, "unknown"))
                [untested] = found["untested"]
                code, found = self.run_json(pasted(text, untested["change"]), "1")
                self.assertEqual((code, found["untested"]), (0, []), untested["change"])

    def test_what_the_horizon_cut_off_is_said_first_with_a_later_one(self):
        text = scenario("", '[limits]\nhorizon = "4s"\n\n')
        self.program.write("story.toml", text)
        said = self.program.run("run", "story.toml", "--no-files").stdout.splitlines()
        self.assertTrue(said[2].startswith("  unknown  mutual-exclusion, "), said[2])
        cut_off = said.index("  cut off  in 1 of 1 run by the horizon, 4s ([limits] horizon)")
        self.assertTrue(all(not line.startswith("  held") for line in said[:cut_off]), said)
        self.assertEqual(said[cut_off + 1], "  this would change it:")
        code, found = self.run_json(text, "1")
        self.assertEqual(code, 3)
        self.assertEqual(found["later_horizon"],
                         'horizon = "16s"  # in [limits]: until all have come to an end')
        code, found = self.run_json(pasted(text, found["later_horizon"]), "1")
        self.assertEqual((code, found["later_horizon"]), (0, None))

    def test_a_thread_that_waits_for_itself_to_the_horizon_is_told(self):
        text = scenario("", holds="no-deadlock", clients=(
            '\n[[client]]\nname = "a"\nrun = ["lock lease=1h", "lock lease=1h", "unlock", "unlock"]\n'))
        code, found = self.run_json(text.replace('"plain"', '"setnx"'), "1")
        self.assertEqual(code, 3)
        [told] = [each["summary"] for each in found["example"]["verdicts"] if each["property"] == "no-deadlock"]
        self.assertIn('and held "lock" itself: too early to tell', told)

    def test_a_latch_is_told_of_without_leases_and_given_somebody_who_waits_for_it(self):
        for by in ("2s", "300ms"):
            text = ('title = "A slow network"\nlock = "latch"\nexpect = { holds = "latch" }\n\n'
                    '[[client]]\nname = "a"\nrun = ["try_set_count count=1", "sleep 5s", "count_down"]\n\n'
                    '[[client]]\nname = "b"\nstart = "1s"\nrun = ["await"]\n'
                    + fault('clog = ["a", "n1"]', f'by = "{by}"'))
            code, found = self.run_json(text, "1")
            self.assertEqual((code, [each["property"] for each in found["untested"]]), (3, ["latch"]))
            [untested] = found["untested"]
            self.assertNotIn("lease", untested["why"])
            self.assertIn('run  = ["await"]', untested["change"])
            code, found = self.run_json(pasted(text, untested["change"]), "1")
            self.assertEqual((code, found["untested"]), (0, []))

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

    def test_who_waits_for_the_one_that_has_it_does_not_starve(self):
        text = scenario("", clients=CLIENTS.replace('"0ms..5ms"', '"10ms"'), holds="no-starvation")
        code, found = self.run_json(text, "3")
        self.assertEqual((code, found["outcome"]), (3, "unknown"))
        [untested] = found["untested"]
        self.assertIn("a thread waited while another was granted the lock", untested["why"])
        code, found = self.run_json(text + "\n" + untested["change"] + "\n", "3")
        self.assertEqual((code, found["untested"]), (0, []))

    def test_what_breaks_unasked_makes_nothing_else_tested(self):
        # Both go on where they are: the old master grants the lock, and is asked for no more.
        text = scenario(fault('promote = "n1-replica-1"', 'at = "1s"'), "\n[redis]\nreplicas = 1\n")
        untested = self.assert_untested(text.replace('"plain"', '"setnx"'), "3")
        self.assertIn("the new master has not received a lock that somebody has", untested["why"])
        _, found = self.run_json(text.replace('"plain"', '"setnx"'), "3")
        broken = {each["property"]: each["violated"] for each in found["properties"]}
        self.assertEqual(broken["valid-grant"], 3)

    def test_what_nobody_asks_for_is_said_and_makes_nothing_unknown(self):
        code, found = self.run_json(scenario(fault('crash = "n1"', 'at = "1s"'), SENTINEL,
                                             holds="no-lost-wakeup"))
        self.assertEqual(code, 0, found)
        properties = {each["property"]: each for each in found["properties"]}
        self.assertEqual(properties["mutual-exclusion"]["put_to_the_test"], 0)
        self.assertEqual(properties["no-lost-wakeup"]["put_to_the_test"], 20)


if __name__ == "__main__":
    unittest.main()
