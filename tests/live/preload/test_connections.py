"""Simulated connections, and what a program sees of the network (live/preload)."""

import unittest

from simulator import CONNECT_REFUSED, MS, PROBE, S, TIMED_OUT, Simulator, echo, probe, probed


class Connections(unittest.TestCase):
    def test_carry_bytes_both_ways_and_end_in_halves(self):
        self.assertEqual(probed("talk", echo), [
            "connect 0 2.000", "say 5 0.000", "heard hello", "hear 5 1.000", "write 5 0.000",
            "peek 2 1.000", "waiting 5", "all 5 0.000", "writev 5 0.000", "readv 5 1.000",
            "parts abc de", "say_by_copy 3 0.000", "heard bye", "hear_by_copy 3 1.000",
            "end 0 1.000", "write_after_end EPIPE 0.000"])

    def test_carry_messages_of_several_parts(self):
        self.assertEqual(probed("messages", echo), [
            "connect 0 2.000", "sendmsg 5 0.000", "recvmsg 5 1.000", "parts abc de",
            "sendmmsg 1 0.000", "recvmmsg ENOSYS 0.000", "accept4 EAGAIN 0.000"])

    def test_stay_open_in_a_copy_of_their_descriptor(self):
        self.assertEqual(probed("copies", echo), [
            "connect 0 2.000", "dup2 77 0.000", "dup3 78 0.000", "write 2 0.000", "wait 1 1.000",
            "read 2 0.000", "pipe2 0 0.000", "empty EAGAIN 0.000"])

    def test_open_without_blocking(self):
        self.assertEqual(probed("connect_without_blocking", echo), [
            "connect EINPROGRESS 0.000", "writable 0 peer -1", "again EALREADY 0.000",
            "wait 1 2.000", "error 0", "hear EAGAIN 0.000", "say 5 0.000", "wait 1 1.000",
            "heard hello", "hear 5 0.000", "heard more", "hear_blocking 4 1.000"])

    def test_are_refused(self):
        self.assertEqual(probed("connect_in_vain", None, lambda *_: (CONNECT_REFUSED, 3 * MS)), [
            "connect ECONNREFUSED 3.000", "hear ENOTCONN 0.000", "connect EINPROGRESS 0.000",
            "wait 1 3.000", "error ECONNREFUSED", "then 0"])

    def test_time_out_while_they_open(self):
        self.assertEqual(probed("connect_in_vain", None, lambda *_: (TIMED_OUT, 5 * S)), [
            "connect ETIMEDOUT 5000.000", "hear ENOTCONN 0.000", "connect EINPROGRESS 0.000",
            "wait 1 5000.000", "error ETIMEDOUT", "then 0"])

    def test_take_more_than_fits_while_the_simulator_reads(self):
        wrote = probe("write_much")
        self.assertEqual(wrote.text.splitlines(), [
            "connect 0 2.000", "blocking 2000000 0.000", "total 2000000 waited 1"])
        lengths = [int(line.rsplit(" ", 1)[1]) for line in wrote.log if " from c1 " in line]
        self.assertEqual(sum(lengths), 4_000_000)

    def test_make_a_writer_wait_while_nobody_reads(self):
        simulator = Simulator(latency_ns=MS)
        simulator.unread = {1}
        simulator.at(9 * S, simulator.unread.clear)
        simulator.start([PROBE, "wait_to_write"]).run()
        self.assertEqual(simulator.text.splitlines(), [
            "connect 0 2.000", "write 0 500.000", "write_more EAGAIN 500.000", "sleep 0 5000.000",
            "poll 1 2998.000"])
        self.assertLess(simulator.idles, 12)

    def test_are_reset(self):
        def reset(simulator, connection, _):
            simulator.reset(connection, MS)
        self.assertEqual(probed("be_reset", reset), [
            "connect 0 2.000", "hear ECONNRESET 1.000", "hear_then 0 0.000",
            "say_then EPIPE 0.000", "connect 0 2.000", "events 21", "say ECONNRESET 0.000",
            "say_then EPIPE 0.000"])

    def test_give_up_reading_in_virtual_time(self):
        self.assertEqual(probed("receive_time_out"), [
            "connect 0 2.000", "told 0.300000", "recv EAGAIN 300.000", "read EAGAIN 300.000"])

    def test_have_names_and_options_like_tcp(self):
        self.assertEqual(probed("names_and_options"), [
            "connect 0 2.000", "own 127.0.0.1:40001", "peer 10.0.0.1:6379 16", "nodelay 0 0",
            "nodelay 0 1", "keepalive 0 1", "type 0 1", "domain 0 2", "protocol 0 6"])

    def test_open_from_sockets_of_ipv6(self):
        seen = probe("connect_by_ipv6")
        self.assertEqual(seen.text.splitlines(),
                         ["connect 0 2.000", "loopback 0 2.000", "far ENETUNREACH 0.000"])
        self.assertIn("connect c2 to 127.0.0.1:6379", "\n".join(seen.log))

    def test_leave_no_descriptor_behind(self):
        self.assertEqual(probed("open_and_close"), ["connect 0 2.000"])

    def test_arrive_before_the_program_ends(self):
        ended = probe("write_and_exit")
        self.assertEqual([line.split(" ", 1)[1] for line in ended.log[-3:]],
                         ["from c1 b'last words' 10", "end of c1", "exiting 0"])


class TheNetwork(unittest.TestCase):
    def test_is_the_simulated_one_alone(self):
        self.assertEqual(probed("look_around"), [
            "datagram 3 0.000", "raw EAFNOSUPPORT 0.000", "netlink 4 0.000", "unix ECONNREFUSED 0.000",
            "lo 127.0.0.1", "eth0 127.0.0.1", "folder .", "folder ..", "folder lo", "folder eth0", "bind 0 0.000",
            "listen 0 0.000", "accept EAGAIN 0.000"])

    def test_has_two_interfaces_whoever_asks(self):
        self.assertEqual(probed("ask_for_interfaces"), [
            "lo 0 0.000", "127.0.0.1", "255.0.0.0", "65536 1", "brdaddr 0 0.000", "map EOPNOTSUPP 0.000",
            "eth0 0 0.000", "127.0.0.1", "255.255.0.0", "1500 2", "brdaddr 0 0.000", "map EOPNOTSUPP 0.000",
            "eth1 ENODEV 0.000", "2", "send ENETUNREACH 0.000", "1 lo", "2 eth0", "16 ", "2 ENODEV", "2 EOPNOTSUPP"])

    def test_has_the_hosts_of_the_page(self):
        names = {"redis-1": "10.0.0.1", "redis-2": "10.0.0.2"}
        self.assertEqual(probed("look_up_names", names=names), [
            "lockstep: the scenario has no host 'example.org'; expected it in 'connect', as in "
            '{ "example.org:6379" = "n1" }',
            "redis-1: 10.0.0.1 redis", "REDIS-1: 10.0.0.1 redis", "localhost: 127.0.0.1 redis", "host-1: 127.0.0.1 redis",
            "127.0.0.5: 127.0.0.5 redis", "::1: ::1 redis",
            "example.org: Name or service not known", "redis-2: 10.0.0.2 redis",
            "redis-2 10.0.0.2"])


if __name__ == "__main__":
    unittest.main()
