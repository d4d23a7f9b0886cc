"""Clocks, sleeps and waits of a program on virtual time (live/preload)."""

import unittest

from simulator import S, Simulator, PROBE, probe, probed, require_forbidden_time_stamps


class Clocks(unittest.TestCase):
    def test_are_those_of_the_page_in_the_vdso_and_in_system_calls(self):
        wall, monotonic = "1700000000.000000000", "1000.000000000"
        self.assertEqual(probed("clocks"), [
            f"realtime {wall}", f"realtime_coarse {wall}", f"tai {wall}",
            f"monotonic {monotonic}", f"monotonic_raw {monotonic}",
            f"monotonic_coarse {monotonic}", f"boottime {monotonic}",
            "process 0.000000000", "thread 0.000000000",
            "gettimeofday 1700000000.000000", "gettimeofday_call 1700000000.000000",
            "time 1700000000", "time_call 1700000000"])

    def test_of_processor_time_and_of_the_machine_run_with_virtual_time(self):
        self.assertEqual(probed("usage"), [
            "user 3.000000 faults 0 memory 0", "times 100300 300", "uptime 1003 load 0",
            "clock 3000000", "getcpu 0 0"])

    def test_count_time_stamps_in_virtual_nanoseconds(self):
        require_forbidden_time_stamps(self)
        self.assertEqual(probed("time_stamps"), ["rdtsc 1000000000001 1000000000002 0"])

    def test_go_on_for_a_program_that_only_reads_them(self):
        spun = probe("spin_on_clock")
        self.assertRegex(spun.text, r"took 200\d\n")
        self.assertEqual(spun.status, 0)
        self.assertEqual(probe("spin_on_time_stamps").text, "done\n")

    def test_go_on_for_a_program_that_only_asks_whether_something_is_ready(self):
        polled = probe("poll_busily")
        self.assertEqual(polled.text, "done\n")
        self.assertGreaterEqual(polled.now, S // 2)


class Sleeps(unittest.TestCase):
    def test_take_virtual_time(self):
        self.assertEqual(probed("sleeps"), [
            "nanosleep 0 1500.000", "nanosleep_wrong EINVAL 0.000", "sleep 0 2000.000",
            "usleep 0 7.000", "clock_nanosleep 0 10.000", "until_monotonic 0 20.000",
            "until_wall 0 30.000", "until_past 0 0.000"])

    def test_until_a_time_of_the_wall_clock_end_earlier_if_it_is_set_forward(self):
        simulator = Simulator()

        def step():
            simulator.wall_offset = 8 * S
        simulator.at(S, step)
        simulator.start([PROBE, "sleep_over_step"]).run()
        self.assertEqual(simulator.text.splitlines(),
                         ["until_wall 0 2000.000", "sleep 0 10000.000"])


WAITS = ("poll", "ppoll", "select", "pselect", "epoll_wait", "epoll_pwait", "epoll_pwait2")


class Waits(unittest.TestCase):
    def test_time_out_in_virtual_time_and_see_what_is_ready(self):
        self.assertEqual(
            probed("time_outs"),
            [f"{wait} 0 250.000" for wait in WAITS] +
            [f"{wait}_at_once 0 0.000" for wait in WAITS] +
            [f"{wait}_ready 1 0.000" for wait in WAITS] + ["sleep_by_poll 0 40.000"])

    def test_see_timers(self):
        self.assertEqual(
            probed("timers"),
            ["once 8 100.000", "first 8 100.000", "second 8 50.000", "three_more 3 0.000",
             "left 25 every 50", "poll_timer 1 30.000"] +
            [f"{wait}_timer 1 0.000" for wait in WAITS[1:]] + ["disarmed 0 60.000"])

    def test_between_threads_end_when_the_other_has_written(self):
        self.assertEqual(probed("talk_between_threads"),
                         ["eventfd 8 5.000", "pipe 300000 0.000", "nonblocking EAGAIN 0.000"])

    def test_for_nothing_at_all_are_told_as_never_ending(self):
        self.assertIn("stuck", probe("receive_time_out", limit_ns=S // 10).log[-1])


if __name__ == "__main__":
    unittest.main()
