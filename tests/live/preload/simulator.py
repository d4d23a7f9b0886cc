"""Plays the simulator for one program under live/preload: virtual time, and a server in Python.

It speaks live/protocol.h. Everything that the program does is written down in `log`, which is what
tests compare: two runs with the same seed must have the same log.
"""

import ctypes
import heapq
import itertools
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys

CONTROL_FD, PAGE_FD, REPORT_FD = 240, 241, 242
PAGE_BYTES = 65536
NEVER = 2**63 - 1
READY, LOADED, CONNECT, IDLE, EXITING, REFUSED, RESUME, SPAWN = range(1, 9)
OPENED, CONNECT_REFUSED, TIMED_OUT, RESET = range(4)
RESULTS_MAX = 32
HEADER = struct.Struct("=iiIiiiqqiiii" + "ii" * RESULTS_MAX + "160s")
PAGE_HEADER = struct.Struct("=qqQiIQ")
PERSONALITY_NO_RANDOMIZE = 0x0040000
MS = 1_000_000
S = 1_000_000_000
MONOTONIC_START = 1000 * S
WALL_START = 1_700_000_000 * S

PROBE = os.environ.get("LOCKSTEP_PRELOAD_PROBE", "build/tests/live/preload/preload_probe")


def require_forbidden_time_stamps(test):
    """Skips a test where the machine says that it forbids RDTSC and does not, and says so."""
    native = subprocess.run([PROBE, "forbidden_time_stamp"], capture_output=True, check=False)
    if native.returncode == -signal.SIGSEGV:
        return
    print("SKIPPED: this machine lets RDTSC through where PR_SET_TSC forbids it", file=sys.stderr)
    test.skipTest("RDTSC can't be forbidden on this machine")

LIBRARY = os.environ.get("LOCKSTEP_PRELOAD_LIBRARY", "build/app/lockstep_preload.so")


class Packet:
    """A received packet; only what the program sends."""

    def __init__(self, data):
        fields = HEADER.unpack(data)
        (self.kind, self.connection, self.address, self.port, self.filler_bytes, self.status,
         self.deadline_ns, self.spun_ns, _, self.wants_to_write, _, _) = fields[:12]
        self.text = fields[-1].split(b"\0")[0].decode()


def packet(kind, results=()):
    pairs = list(itertools.chain(*results)) + [0, 0] * (RESULTS_MAX - len(results))
    return HEADER.pack(kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, len(results), *pairs, b"")


class Page:
    """The clocks and names that the program sees."""

    def __init__(self, seed, pid, names, turns):
        self.file = os.memfd_create("page")
        os.ftruncate(self.file, PAGE_BYTES)
        self.memory = mmap.mmap(self.file, PAGE_BYTES)
        text = b"".join(name.encode() + b"\0" + socket.inet_aton(address)
                        for name, address in names.items())
        fields = PAGE_HEADER.pack(0, 0, seed, pid, len(names), turns)
        self.memory[:len(fields) + len(text)] = fields + text

    def set_clocks(self, monotonic_ns, wall_ns):
        self.memory[:16] = struct.pack("=qq", monotonic_ns, wall_ns)

    def close(self):
        self.memory.close()
        os.close(self.file)


class Simulator:
    """Runs one program to its end.

    `server(simulator, connection, data)` is called with what the program writes; it answers with
    `simulator.send(connection, data, after_ns)`. `on_connect(simulator, connection)` returns
    OPENED, CONNECT_REFUSED or TIMED_OUT and the time that takes.
    """

    def __init__(self, server=None, on_connect=None, latency_ns=MS, limit_ns=10**6 * S):
        self.server = server or (lambda *_: None)
        self.on_connect = on_connect or (lambda *_: (OPENED, 2 * latency_ns))
        self.latency_ns = latency_ns
        self.limit_ns = limit_ns
        self.now = 0
        self.wall_offset = 0
        self.log = []
        self.results = []
        self.connections = {}
        self.opening = set()  # their bytes are filler
        self.unread = set()  # what the program writes there waits
        self.ended = set()  # the program has closed or half-closed them
        self.events = []
        self.order = itertools.count()
        self.first = None
        self.status = None
        self.exit_code = None
        self.refusal = None
        self.idles = 0
        self.deadline = None

    def at(self, time_ns, action):
        heapq.heappush(self.events, (time_ns, next(self.order), action))

    def note(self, text):
        self.log.append(f"{self.now} {text}")

    # What a server may do.
    def send(self, connection, data, after_ns=None):
        def arrive():
            if connection in self.connections:
                self.note(f"to c{connection} {data[:200]!r}")
                self.connections[connection].setblocking(True)
                self.connections[connection].sendall(data)
        self.at(self.now + (self.latency_ns if after_ns is None else after_ns), arrive)

    def close(self, connection, after_ns=0):
        self.at(self.now + after_ns, lambda: self._drop(connection))

    def reset(self, connection, after_ns=0):
        def arrive():
            self.results.append((connection, RESET))
            self._drop(connection)
        self.at(self.now + after_ns, arrive)

    def _drop(self, connection):
        end = self.connections.pop(connection, None)
        if end is not None:
            end.close()

    # One run.
    def start(self, command, seed=1, pid=5000, names=None, turns=0, **how):
        self.open_channels(seed, pid, names, turns)
        self.process = start_process(command, self.ends, **how)
        self.close_ends()
        return self

    def open_channels(self, seed=1, pid=5000, names=None, turns=0):
        """The simulator's ends, and in `ends` the program's: control, page, report, output."""
        self.page = Page(seed, pid, {"host-1": "127.0.0.1", **(names or {"redis-1": "10.0.0.1"})}, turns)
        self.page.set_clocks(MONOTONIC_START, WALL_START)
        self.control, self.their_control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.report, self.their_report = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self.output = os.memfd_create("output")
        self.ends = (self.their_control.fileno(), self.page.file, self.their_report.fileno(),
                     self.output)
        self.process = None

    def close_ends(self):
        self.their_control.close()
        self.their_report.close()

    def run(self):
        if self.first is None:
            self.first = self._receive()
        if self.first is not None and self.first.kind == IDLE:
            self._loop()
        return self._finish()

    def abandon(self):
        self._finish()

    def _loop(self):
        self._resume()
        while self.status is None and self.deadline is not None:
            event = self.events[0][0] if self.events else NEVER
            self.now = max(self.now, min(event, self.deadline))
            if self.now == NEVER or self.now > self.limit_ns:
                self.note("stuck")
                if self.process:
                    self.process.kill()
                return
            if event <= self.now:
                heapq.heappop(self.events)[2]()
            self._resume()

    def _resume(self):
        self.page.set_clocks(MONOTONIC_START + self.now, WALL_START + self.now + self.wall_offset)
        try:
            self.control.send(packet(RESUME, self.results))
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has ended, and may have said why
        self.results = []
        self.deadline = None
        while True:
            received = self._receive()
            if received is None:
                self.note("gone")
                return
            if received.kind == CONNECT:
                self._connect(received)
            elif received.kind == IDLE:
                self.idles += 1
                deadline = received.deadline_ns
                self.deadline = (NEVER if deadline == NEVER
                                 else max(self.now, deadline - MONOTONIC_START))
                self.now += received.spun_ns
                self._read_all()
                if received.wants_to_write and not self.unread:
                    self.deadline = self.now
                return
            elif received.kind == EXITING:
                self.status = received.status
                self._read_all()
                self.note(f"exiting {received.status}")
                return
            elif received.kind == REFUSED:
                self.refusal = received.text
                self.note(f"refused {received.text}")

    def _receive(self):
        try:
            data, fds, _, _ = socket.recv_fds(self.control, HEADER.size, 1)
        except ConnectionResetError:  # it ended without reading the last resume: said once
            data, fds, _, _ = socket.recv_fds(self.control, HEADER.size, 1)
        if not data:
            return None
        received = Packet(data)
        received.fds = fds
        if received.kind == REFUSED:
            self.refusal = received.text
        return received

    def _connect(self, received):
        end = socket.socket(fileno=received.fds[0])
        number = received.connection
        address = socket.inet_ntoa(struct.pack("!I", received.address))
        self.note(f"connect c{number} to {address}:{received.port}")
        self.connections[number] = end
        self.opening.add(number)
        result, takes_ns = self.on_connect(self, number)

        def answer():
            if number not in self.connections:
                return
            left = received.filler_bytes
            while left > 0:
                left -= len(end.recv(left))
            self.opening.discard(number)
            self.results.append((number, result))
            if result != OPENED:
                self._drop(number)
        self.at(self.now + takes_ns, answer)

    def _read_all(self):
        report = b""
        while True:
            try:
                some = self.report.recv(65536, socket.MSG_DONTWAIT)
            except BlockingIOError:
                break
            if not some:
                break
            report += some
        for line in report.decode().splitlines():
            self.note(f"says {line}")
        for number, end in list(self.connections.items()):
            if number in self.opening or number in self.unread:
                continue
            data, ended = b"", False
            while True:
                try:
                    some = end.recv(1 << 20, socket.MSG_DONTWAIT)
                except BlockingIOError:
                    break
                if not some:
                    ended = True
                    break
                data += some
            if data:
                self.note(f"from c{number} {data[:200]!r} {len(data)}")
                self.server(self, number, data)
            if ended and number not in self.ended:
                self.ended.add(number)
                self.note(f"end of c{number}")
                self.close(number, self.latency_ns)

    def _finish(self):
        if self.process:
            self.process.wait()
            self.exit_code = self.process.returncode
        self.control.close()
        self.report.close()
        for number in list(self.connections):
            self._drop(number)
        self.page.close()
        os.lseek(self.output, 0, os.SEEK_SET)
        with os.fdopen(self.output, "rb") as output:
            self.text = output.read().decode(errors="replace")
        return self


def start_process(command, ends, mode="process", env=None, random_addresses=False, cwd=None):
    """Starts a program with its four ends where it expects them."""
    control, page, report, output = ends

    def in_child():
        os.setpgid(0, 0)
        os.dup2(control, CONTROL_FD)
        os.dup2(page, PAGE_FD)
        os.dup2(report, REPORT_FD)
        for descriptor in range(3, CONTROL_FD):
            try:
                os.set_inheritable(descriptor, False)
            except OSError:
                pass
        if not random_addresses:
            ctypes.CDLL(None).personality(PERSONALITY_NO_RANDOMIZE)
    whole_env = {"PATH": "/usr/bin:/bin", "LD_PRELOAD": LIBRARY, "LOCKSTEP_LIVE": mode,
                 "LOCKSTEP_REPORT": str(REPORT_FD), "LANG": "C.UTF-8", "HOME": "/nonexistent",
                 "PYTHONDONTWRITEBYTECODE": "1",
                 "OPENSSL_ia32cap": "~0x4000000000000010:~0x40000", **(env or {})}
    return subprocess.Popen(command, env=whole_env, cwd=cwd, preexec_fn=in_child,
                            stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                            close_fds=False)


class ForkServer:
    """A program that is started once and forks for each run."""

    def __init__(self, command, **how):
        self.channels = Simulator()
        self.channels.open_channels(pid=2)
        self.process = start_process(command, self.channels.ends, mode="fork", **how)
        self.channels.close_ends()
        self.ready = self.channels._receive()
        while self.ready is not None and self.ready.kind == LOADED:
            for descriptor in self.ready.fds:
                os.close(descriptor)
            self.ready = self.channels._receive()

    def begin(self, server=None, on_connect=None, seed=1, pid=5000, names=None):
        simulator = Simulator(server, on_connect)
        simulator.open_channels(seed, pid, names)
        socket.send_fds(self.channels.control, [packet(SPAWN)], simulator.ends)
        simulator.close_ends()
        simulator.first = simulator._receive()
        return simulator

    def run(self, *what, **how):
        return self.begin(*what, **how).run()

    def stop(self):
        self.channels.control.close()
        self.channels.report.close()
        self.channels.page.close()
        os.close(self.channels.output)
        return self.process.wait()


def resp_server(values=None):
    """A Redis of a few commands, enough for tests: SET (NX, PX), GET, DEL, EVALSHA..."""
    values = {} if values is None else values
    buffers = {}

    def parse(data):
        if not data.startswith(b"*") or b"\r\n" not in data:
            return None, data
        head, rest = data.split(b"\r\n", 1)
        words = []
        for _ in range(int(head[1:])):
            if b"\r\n" not in rest:
                return None, data
            size, rest = rest.split(b"\r\n", 1)
            length = int(size[1:])
            if len(rest) < length + 2:
                return None, data
            words.append(rest[:length])
            rest = rest[length + 2:]
        return words, rest

    def answer(now, words):
        command = words[0].upper()
        live = {key: entry for key, entry in values.items() if entry[1] > now}
        values.clear()
        values.update(live)
        if command == b"SET":
            options = [word.upper() for word in words[3:]]
            if b"NX" in options and words[1] in values:
                return b"$-1\r\n"
            until = NEVER
            if b"PX" in options:
                until = now + int(words[3 + options.index(b"PX") + 1]) * MS
            values[words[1]] = (words[2], until)
            return b"+OK\r\n"
        if command == b"GET":
            value = values.get(words[1])
            return b"$-1\r\n" if value is None else b"$%d\r\n%s\r\n" % (len(value[0]), value[0])
        if command in (b"EVALSHA", b"EVAL"):
            key, token = words[3], words[4]
            if key in values and values[key][0] == token:
                del values[key]
                return b":1\r\n"
            return b":0\r\n"
        if command == b"SCRIPT":
            return b"$40\r\n" + b"0" * 40 + b"\r\n"
        if command == b"PING":
            return b"+PONG\r\n"
        return b"+OK\r\n"

    def serve(simulator, connection, data):
        buffers[connection] = buffers.get(connection, b"") + data
        while True:
            words, rest = parse(buffers[connection])
            if words is None:
                return
            buffers[connection] = rest
            simulator.send(connection, answer(simulator.now, words))
    return serve


def run(command, server=None, on_connect=None, limit_ns=10**6 * S, **options):
    simulator = Simulator(server, on_connect, limit_ns=limit_ns)
    return simulator.start(command, **options).run()


def echo(simulator, connection, data):
    simulator.send(connection, data)


def probe(name, server=None, on_connect=None, **options):
    """Runs a probe (probe/*.cpp)."""
    return run([PROBE, name], server, on_connect, **options)


def probed(name, *arguments, **options):
    """What a probe printed, line by line."""
    return probe(name, *arguments, **options).text.splitlines()
