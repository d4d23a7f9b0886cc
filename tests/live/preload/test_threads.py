"""Threads, futexes and signals of a program on virtual time (live/preload)."""

import os
import subprocess
import sys
import unittest

from simulator import probe, probed

# The next process gets this id. The namespace of processes is new, so that nobody else takes it.
RUN_WITH_PROCESS_ID = """
import sys
from simulator import probed
with open("/proc/sys/kernel/ns_last_pid", "w") as last:
    last.write(str(int(sys.argv[1]) - 1))
print(probed("turns")[0])
"""


def probed_with_process_id(process_id):
    own_user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return subprocess.run(
        ["unshare", *own_user, "--pid", "--fork", "--kill-child", sys.executable, "-B", "-c",
         RUN_WITH_PROCESS_ID, str(process_id)],
        env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__))},
        stdout=subprocess.PIPE, text=True, check=True, timeout=60).stdout


class Threads(unittest.TestCase):
    def test_run_one_at_a_time_in_turn(self):
        order, unprotected = probed("turns")[0].split()
        self.assertEqual(order, "aaabbbaabbcccdddccddeeefffeeffggghhhgghh")
        self.assertEqual(unprotected, "800000")

    def test_run_in_other_orders_that_a_seed_decides(self):
        orders = set()
        for turns in range(1, 6):
            order, unprotected = probed("turns", turns=turns)[0].split()
            self.assertEqual([order, unprotected], probed("turns", turns=turns)[0].split())
            self.assertEqual("".join(sorted(order)), "".join(c * 5 for c in "abcdefgh"))
            self.assertEqual(unprotected, "800000")
            orders.add(order)
        self.assertEqual(len(orders), 5)

    def test_come_and_go_and_use_the_same_stacks(self):
        first = probe("come_and_go")
        self.assertEqual(first.status, 0)
        for _ in range(5):
            self.assertEqual(probe("come_and_go").text, first.text)

    def test_run_in_a_process_whose_id_is_also_half_of_a_pointer(self):
        for process_id in (0x7fff, 0x5555, 0x7ffe):
            with self.subTest(process_id):
                order, _ = probed_with_process_id(process_id).split()
                self.assertEqual(order, "aaabbbaabbcccdddccddeeefffeeffggghhhgghh")

    def test_wait_for_a_time_of_either_clock(self):
        self.assertEqual(probed("waits_with_time_outs"), [
            "cond_realtime ETIMEDOUT 100.000", "cond_monotonic ETIMEDOUT 200.000",
            "sem_timedwait ETIMEDOUT 300.000", "sem_clockwait ETIMEDOUT 50.000",
            "mutex_timedlock ETIMEDOUT 60.000", "timedjoin ETIMEDOUT 400.000", "join 0 600.000"])

    def test_wake_each_other_by_conditions_barriers_and_semaphores(self):
        self.assertEqual(probed("wake_each_other"), ["abcdABCD 5000"])

    def test_of_c11_return_their_result(self):
        self.assertEqual(probed("c11_threads"), ["result 42"])

    def test_beyond_255_are_refused(self):
        refused = probe("too_many_threads")
        self.assertEqual(refused.refusal, "the program has more than 255 threads")
        self.assertIn(refused.refusal, refused.text)


class Futexes(unittest.TestCase):
    def test_wait_for_a_while_or_until_a_time(self):
        self.assertEqual(probed("futex_time_outs"), [
            "other_value EAGAIN 0.000", "relative ETIMEDOUT 70.000",
            "monotonic ETIMEDOUT 2000.000", "wall ETIMEDOUT 3000.000"])

    def test_wake_as_many_as_are_asked_for(self):
        self.assertEqual(probed("futex_wake"), [
            "two 2 0.000", "awake 2", "rest 3 0.000", "even 3 0.000", "awake 0 3", "odd 2 0.000"])

    def test_of_shared_memory_may_have_the_value_of_a_threads_id(self):
        self.assertEqual(probed("futex_value_of_an_id"), ["wake 1 0.000", "wait 0 50.000"])

    def test_move_waiters_to_another(self):
        self.assertEqual(probed("futex_requeue"), [
            "cmp_requeue_other EAGAIN 0.000", "cmp_requeue 3 0.000", "requeue 1 0.000",
            "wake_first 2 0.000", "wake_second 3 0.000"])

    def test_change_one_word_and_wake_at_two(self):
        self.assertEqual(probed("futex_wake_op"),
                         ["add 1 0.000", "second 15", "or 1 0.000", "first 4"])


class Signals(unittest.TestCase):
    def test_of_the_program_reach_it(self):
        self.assertEqual(probed("own_signals"), [
            "raised 10", "killed 10", "blocked 0", "unblocked 10", "other_process ESRCH 0.000",
            "still_trapped 0 1.000"])

    def test_interrupt_threads_that_wait(self):
        self.assertEqual(probed("interrupt_others"), [
            "poll EINTR 10.000", "nanosleep EINTR 10.000", "left 990", "read EINTR 20.000",
            "caught 10", "sigwait 12 10.000"])

    def test_reach_it_by_whatever_sends_them(self):
        self.assertEqual(probed("queued_signals"), [
            "tkill 10", "sigqueue 0 0.000", "queued 10", "pthread_sigqueue 0 0.000", "queued 10",
            "sigsuspend EINTR 3000.000", "suspended 14"])

    def test_bring_the_value_that_was_sent(self):
        lines = probed("values")
        self.assertEqual(lines[0], "signal 10 value 1 from 5000")
        self.assertEqual(sorted(lines[1:3]), ["signal 10 value 3 from 5000", "signal 34 value 2 from 5000"])
        self.assertEqual(lines[3:], ["signal 10 value 0 from 5000"])

    def test_of_alarms_come_in_virtual_time(self):
        self.assertEqual(probed("alarms"), [
            "pause EINTR 2000.000", "first EINTR 500.000", "second EINTR 250.000", "left 1",
            "none 0 1000.000"])

    def test_of_faults_are_the_programs_own(self):
        faulty = probe("fault")
        self.assertEqual((faulty.text, faulty.status), ("fault 11 at 0x10\n", 3))

    def test_that_end_the_program_are_told_first(self):
        for name, signal in (("fault", 11), ("abort", 6), ("kill", 9), ("pipe", 13)):
            with self.subTest(name):
                ended = probe(f"die_of_{name}")
                self.assertEqual((ended.status, ended.exit_code), (-signal, -signal))


if __name__ == "__main__":
    unittest.main()
