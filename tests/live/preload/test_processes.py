"""Who a program is, its random numbers, its children and its end (live/preload)."""

import unittest

from simulator import PROBE, probe, probed, run


class TheProcess(unittest.TestCase):
    def test_has_the_id_of_the_page_and_one_processor(self):
        self.assertEqual(probed("ids", pid=7777), [
            "pid 7777 ppid 1 tid 7777 group 7777 session 7777", "thread 4194305 of 7777",
            "host host-1 host-1", "processors 1 1 1"])

    def test_is_told_of_itself_and_the_machine_what_no_run_changes(self):
        lines = probed("proc_files")
        self.assertEqual(lines[1:], ["25600 25600 0 0 0 0 0", "preload_probe"[:15],
                                     "1002.00 1002.00", "0.00 0.00 0.00 1/1 5000"])
        self.assertRegex(lines[0], r"^5000 \(\w+\) R 1 5000 5000 0 -1 \d+ 0 0 0 0 200 0 0 0 20 0 1 ")
        for _ in range(10):
            self.assertEqual(probed("proc_files"), lines)

    def test_draws_random_numbers_from_the_seed(self):
        for name in ("random", "at_random"):
            with self.subTest(name):
                self.assertEqual(probed(name, seed=3), probed(name, seed=3))
                self.assertNotEqual(probed(name, seed=3), probed(name, seed=4))
        lines = [line.split()[1] for line in probed("random")]
        self.assertEqual(len(set(lines)), 6)

    def test_cannot_begin_children_and_says_so_once(self):
        self.assertEqual(probed("children"), [
            "lockstep: child processes cannot run on virtual time; fork fails (EPERM)",
            "fork EPERM 0.000", "vfork EPERM 0.000", "exec EPERM 0.000", "spawn EPERM",
            "system 32512"])

    def test_is_answered_what_is_rarely_asked(self):
        self.assertEqual(probed("rare_questions"), [
            "getitimer 0 0.000", "left 3", "getpgid 5000 0.000", "sched_setaffinity 0 0.000",
            "lockstep: other programs cannot run on virtual time; exec fails (EPERM)",
            "execveat EPERM 0.000", "madvise 0 0.000", "unknown_advice EINVAL 0.000"])

    def test_is_told_which_calls_do_not_exist(self):
        self.assertEqual(probed("missing_calls"), [
            "io_uring ENOSYS 0.000", "futex_waitv ENOSYS 0.000", "timer_create ENOSYS 0.000",
            "sendfile EINVAL 0.000", "splice EINVAL 0.000"])

    def test_is_refused_what_cannot_be_followed(self):
        for name, why in (("bare_thread", "a thread of the program was not begun by pthread_create"),
                          ("too_many_descriptors", "the program has more than 1024 open descriptors")):
            with self.subTest(name):
                self.assertEqual(probe(name).refusal, why)

    def test_tells_its_exit_status(self):
        for name, status in (("exit_status", 7), ("exit_from_thread", 5)):
            with self.subTest(name):
                ended = probe(name)
                self.assertEqual((ended.status, ended.exit_code), (status, status))

    def test_ends_with_its_last_thread(self):
        ended = probe("leave_first_thread")
        self.assertEqual((ended.text, ended.status), ("the last\n", 0))
        self.assertEqual(ended.log, ["50000000 exiting 0"])

    def test_may_be_started_by_env_or_a_shell_that_runs_other_commands(self):
        direct = probed("clocks")
        for words in (["/usr/bin/env", "A=1", PROBE, "clocks"],
                      ["/bin/sh", "-c", f"true; x=$(basename a/b); exec {PROBE} clocks"]):
            with self.subTest(words[0]):
                self.assertEqual(run(words).text.splitlines(), direct)

    def test_has_no_network_in_what_a_shell_runs_beside_it(self):
        said = run(["/bin/sh", "-c", f"{PROBE} look_around; exec {PROBE} exit_status"])
        beside = [line.split()[:2] for line in said.text.splitlines()]
        for kind in ("datagram", "raw", "netlink"):
            self.assertIn([kind, "EAFNOSUPPORT"], beside)
        self.assertEqual(said.status, 7)


if __name__ == "__main__":
    unittest.main()
