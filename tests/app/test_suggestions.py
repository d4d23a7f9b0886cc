"""The lines that a run suggests where nothing was put to the test: pasted together they are a valid file,
which puts the same question to the test."""

import unittest

from story import CLIENTS, MASTERS, Stories, fault, pasted, scenario


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

    def test_calls_wait_for_longer_where_the_network_is_slower_than_the_lock_waits(self):
        masters = "\n[redis]\nmasters = 3\n"
        for story, text in {
            "late messages": scenario(fault('delay = "any"', 'by = "1s"', 'times = "always"'), masters),
            "latency": scenario("", masters + 'latency = "40ms..120ms"\n'),
        }.items():
            with self.subTest(story=story):
                text = text.replace('"plain"', '"redlock"')
                untested = self.assert_untested(text)
                self.assertIn("[options]  # hardly an answer comes within the lock's own timeout, 50ms",
                              untested["change"])
                code, found = self.run_json(pasted(text, untested["change"]))
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

    def test_a_message_that_there_is_stays_the_one_that_is_struck(self):
        text = scenario(fault('drop = "release"', 'times = "always"'), clients=CLIENTS.replace(
            "0ms..5ms", "10ms").replace('"sleep 5s", ', "")).replace('"plain"', '"setnx"')
        untested = self.assert_untested(text, "1")
        self.assertNotIn("drop", untested["change"])
        code, found = self.run_json(pasted(text, untested["change"]), "1")
        self.assertEqual((found["untested"], code in (0, 1)), ([], True), untested["change"])

    def test_a_message_that_a_lock_calls_otherwise_is_named(self):
        for message, takes in (("reply to acquire", "the answer to who takes the lock"),
                               ("acquire", "the request of who takes the lock")):
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


if __name__ == "__main__":
    unittest.main()
