"""Real clients that are not as our examples are: threads whose order matters, what cannot work, what is left behind.

Needs redis-py (tools/setup live); without it the test is skipped, and says so: it exits with 77.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from program_story import PYTHON, REPOSITORY, Program, words_of

SKIPPED = 77

# What a program does, besides taking the lock once; and what is said of it.
CANNOT_WORK = {
    "a child process": ("import subprocess; subprocess.run(['true'])", "child processes cannot run on virtual time"),
    "TLS": ("import ssl; ssl.create_default_context(); redis.Redis(ssl=True, ssl_cert_reqs=None).ping()",
            "it speaks TLS, which the simulated Redis does not; expected plain TCP"),
    "a Unix socket": ("redis.Redis(unix_socket_path='/run/redis.sock').ping()",
                      "the simulated Redis has no Unix socket"),
    "a name that the scenario does not have": ("redis.Redis('orders-redis').ping()",
                                               "the scenario has no host 'orders-redis'; expected it in 'connect'"),
    "an address that the scenario does not have": ("redis.Redis('10.9.9.9', 6380).ping()",
                                                   "it connects to 10.9.9.9:6380, where the scenario has no host; expected it in 'connect'"),
    "a program that stops itself": ("os.kill(os.getpid(), 19)", "the program stops itself by a signal, and nobody would let it go on"),
    "a program that sleeps too short": ("while True: time.sleep(1e-6)", "it polls every 1us: it woke 100000 times in a row"),
}

# What differs between two runs of a seed, and with which remedy turned off.
DIFFERS = {
    "a time from a file": ("str(os.stat('/proc/self').st_ctime_ns)", ""),
    "random numbers": ("os.urandom(8).hex()", "random"),
    "the clock": ("str(time.time_ns())", "vdso"),
}


CONNECTS = "import socket\ns = socket.create_connection(('localhost', 6379))\n"
TAKES_THE_LOCK = """
import os, redis, time
import lockstep
client = redis.Redis(socket_timeout=3)
with lockstep.watched(client.lock("orders", timeout=10)):
    lockstep.write()
"""


class Threads(Program):
    def racy(self, keys):
        program = (REPOSITORY / "tests" / "live" / "programs" / "racy.py").read_text()
        return self.scenario(program, f'count = 2\nreuse = "fork"\n{keys}')

    def test_go_in_turn_unless_the_scenario_says_otherwise(self):
        said = self.lockstep("run", self.racy(""), "--seeds", 6, "--no-files", "--format", "json")
        outcome = json.loads(said.stdout)["scenarios"][0]["outcome"]
        self.assertEqual(outcome, "as-expected", said.stdout)

    def test_whose_other_order_breaks_the_lock_are_found_and_replayed(self):
        found = self.lockstep("run", self.racy('thread_order = "any"'), "--seeds", 8, "--out", self.folder / "out")
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        self.assertIn("mutual-exclusion", found.stdout)
        trace = next((self.folder / "out").rglob("*.trace.jsonl"))
        self.assertRegex(trace.read_text(), r'"program-started".*"thread_order":[1-9]')
        replayed = self.lockstep("replay", trace)
        self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)


class ForkServers(Program):
    def test_are_shared_by_all_runs_of_all_scenarios_until_the_program_changes(self):
        starts = self.folder / "starts.log"
        story = self.scenario(f"open('starts.log', 'a').write('.')\n{TAKES_THE_LOCK}", 'count = 2\nreuse = "fork"')
        for name in ("other", "paused"):
            (self.folder / f"{name}.toml").write_text(story.read_text())
        with story.open("a") as text:
            text.write('[[fault]]\npause = "w1"\nwhen = "w1 acquired"\nfor = "15s"\n')
        said = self.lockstep("run", ".", "--seeds", 2, "--no-files", "--format", "json")
        runs = {Path(each["path"]).name: each["outcome"] for each in json.loads(said.stdout)["scenarios"]}
        self.assertEqual(runs, {"other.toml": "as-expected", "paused.toml": "as-expected",
                                "story.toml": "not-as-expected"}, said.stdout)
        self.assertEqual(starts.read_text(), "..")

    def test_are_started_anew_once_a_file_that_they_have_read_has_changed(self):
        part = self.folder / "inner" / "part.py"
        part.parent.mkdir()
        part.write_text("VALUE = 1\n")
        subprocess.run([PYTHON, "-m", "compileall", "-q", part.parent], check=True)
        program = ("import inner.part\nopen('starts.log', 'a').write('.')\n" + TAKES_THE_LOCK +
                   "open('inner/part.py', 'a').write('#\\n')\n")
        self.lockstep("run", self.scenario(program, 'reuse = "fork"'), "--seeds", 1, "--no-files")
        self.assertEqual((self.folder / "starts.log").read_text(), "..", "one to try the seed twice, one to run")

    def since_the_start(self, program, keys=""):
        program = f"import time\nstarted = time.time(), time.monotonic()\n{program}{TAKES_THE_LOCK}"
        for clock, reading in (("wall", "time() - started[0]"), ("monotonic", "monotonic() - started[1]")):
            program += f"client.set('{clock}', round(time.{reading}, 1))\n"
        self.lockstep("run", self.scenario(program, f'reuse = "fork"\n{keys}'), "--seeds", 1, "--out", "out")
        trace = (self.folder / "out" / "story.trace.jsonl").read_text()
        return [re.search(rf'"{clock} ([^"]*)"', trace)[1] for clock in ("wall", "monotonic")]

    def test_have_the_clocks_of_their_host_which_go_on_at_the_fork(self):
        self.assertEqual(self.since_the_start("", 'wall_offset = "-5h"'), ["0.0", "0.0"])
        self.assertEqual(self.since_the_start("time.sleep(2)\n"), ["2.0", "2.0"])
        self.assertEqual(self.since_the_start("time.sleep(5000)\n"), ["5000.0", "5000.0"])

    def test_that_start_later_than_the_run_were_not_waiting_meanwhile(self):
        self.assertEqual(self.since_the_start("", 'start = "5s"')[1], "0.0")


# Programs that give a connection so long, from before they fork.
IMPATIENT = {
    "python": """
import asyncio, time
import lockstep
async def main():
    _, writer = await asyncio.wait_for(asyncio.open_connection("localhost", 6379), 3)
    lockstep.acquired("orders")
    lockstep.released("orders")
    writer.close()
asyncio.run(main())
""",
    "node": """
import net from "net";
import lockstep from "./lockstep.cjs";
const socket = net.connect(6379, "localhost");
const impatience = setTimeout(() => socket.destroy(new Error("it took too long")), 3000);
socket.on("connect", () => {
  clearTimeout(impatience);
  lockstep.acquired("orders");
  lockstep.released("orders");
  socket.end();
});
""",
}


class Timers(Program):
    def have_their_time(self, language):
        for start in ("0s", "5s"):
            with self.subTest(start):
                said = self.lockstep("run", self.scenario(IMPATIENT[language], f'reuse = "fork"\nstart = "{start}"', language),
                                     "--seeds", 1, "--out", "out")
                trace = (self.folder / "out" / "story.trace.jsonl").read_text()
                self.assertIn('"exit 0"', trace, said.stdout + said.stderr)

    def test_of_python_that_were_set_before_the_fork_have_their_time(self):
        self.have_their_time("python")

    @unittest.skipUnless(shutil.which("node"), "SKIPPED: there is no node")
    def test_of_node_that_were_set_before_the_fork_have_their_time(self):
        self.have_their_time("node")


ENDS = """
import atexit, threading, time
import redis
import lockstep
client = redis.Redis()
client.ping()
class Held:
    def __del__(self):
        client.set("finalized", 1)
held = Held()
def go_on():
    time.sleep(3)
    client.set("joined", 1)
threading.Thread(target=go_on).start()
threading.Thread(target=lambda: time.sleep(100), daemon=True).start()
atexit.register(lambda: client.set("at-exit", 1))
print("the last words", end="")
"""


class Forks(Program):
    def test_of_python_end_as_python_does(self):
        for act, how, output in (("", "exit 0", "the last words"), ("raise SystemExit(3)", "exit 3", "the last words"),
                                 ("raise KeyboardInterrupt", "signal 2", "KeyboardInterrupt")):
            with self.subTest(act):
                said = self.lockstep("run", self.scenario(ENDS + act, 'reuse = "fork"'), "--seeds", 1, "--out", "out")
                self.assertIn(said.returncode, (0, 1, 3), said.stderr)
                lines = (self.folder / "out" / "story.trace.jsonl").read_text().splitlines()
                fields = [json.loads(line).get("fields", {}) for line in lines]
                done = [each["arguments"] for each in fields if each.get("command") == "SET"]
                self.assertEqual(done, ["joined 1", "at-exit 1", "finalized 1"])
                end = next(each for each in fields if "how" in each)
                self.assertEqual((end["how"], end["output"]), (how, output))


# A lock that is right as long as its clients' tokens differ: who gives it back after the lease gives back only his own.
GIVES_BACK_LATE = {
    "python": """
import os, random, socket, time, uuid
import redis
import lockstep
ME = {token}
client = redis.Redis()
give_back = client.register_script(
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0")
for _ in range(2):
    while True:
        if client.set("orders", ME, nx=True, px=10000):
            break
        time.sleep(0.1)
    lockstep.acquired("orders")
    time.sleep(9)
    lockstep.released("orders")
    time.sleep(6)
    give_back(keys=["orders"], args=[ME])
""",
    "node": r"""
import crypto from "crypto";
import fs from "fs";
import net from "net";
import os from "os";
const me = {token};
const giveBack = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const report = (text) => fs.writeSync(Number(process.env.LOCKSTEP_REPORT), text + "\n");
const redis = net.connect(6379, "localhost");
const send = (...words) => new Promise((resolve) => {
  redis.once("data", (data) => resolve(String(data)));
  redis.write(`*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`);
});
for (let round = 0; round < 2; round++) {
  while (!(await send("SET", "orders", me, "NX", "PX", "10000")).startsWith("+OK")) await sleep(100);
  report("ACQUIRED orders");
  await sleep(9000);
  report("RELEASED orders");
  await sleep(6000);
  await send("EVAL", giveBack, "1", "orders", me);
}
redis.end();
""",
}

# How a program may draw, as it starts, what tells it from others.
DRAWN_AT_START = {
    "python": ("str(uuid.uuid4())", "str(random.random())", "str(os.getpid())", "str(uuid.uuid1())"),
    "node": ("crypto.randomUUID()", "Math.random().toString(36)", "String(process.pid)"),
}
# What tells it from others because each runs on a host of its own.
NAMED_AFTER_THE_HOST = {
    "python": ("socket.gethostname()", "os.uname().nodename", "os.environ['HOSTNAME']", "open('/etc/hostname').read().strip()",
               "open('/proc/sys/kernel/hostname').read().strip()", "socket.gethostbyname(socket.gethostname())"),
    "node": ("os.hostname()",),
}


class Tokens(Program):
    def give_back_late(self, language, token, reuse):
        program = GIVES_BACK_LATE[language].replace("{token}", token)
        story = self.scenario(program, f'count = 2\nreuse = "{reuse}"', language)
        return self.lockstep("run", story, "--seeds", 2, "--no-files")

    def differ(self, language, tokens, reuse):
        for token in tokens[language]:
            with self.subTest(f"{token}, {reuse}"):
                said = self.give_back_late(language, token, reuse)
                self.assertEqual(said.returncode, 0, said.stdout + said.stderr)

    def test_of_python_differ_where_they_are_drawn_at_the_start_or_named_after_the_host(self):
        self.differ("python", DRAWN_AT_START, "fork")
        self.differ("python", NAMED_AFTER_THE_HOST, "fork")
        self.differ("python", NAMED_AFTER_THE_HOST, "process")

    @unittest.skipUnless(shutil.which("node"), "SKIPPED: there is no node")
    def test_of_node_differ_where_they_are_drawn_at_the_start_or_named_after_the_host(self):
        self.differ("node", DRAWN_AT_START, "fork")
        self.differ("node", NAMED_AFTER_THE_HOST, "fork")

    def test_that_are_the_same_in_the_program_itself_are_its_mistake(self):
        for reuse in ("fork", "process"):
            with self.subTest(reuse):
                said = self.give_back_late("python", "'worker'", reuse)
                self.assertEqual(said.returncode, 1, said.stdout + said.stderr)
                self.assertIn("mutual-exclusion", said.stdout)


RACE = """
title     = "Check, then act"
lock      = "setnx"
lock_name = "orders"
expect    = { holds = "mutual-exclusion" }
faults    = ["delay", "pause", "slow"]
[[client]]
name    = "w"
count   = 2
command = ["./check_then_act"]
reuse   = "fork"
start   = "0s..1s"
"""


class Races(Program):
    @unittest.skipUnless(shutil.which("cc"), "SKIPPED: there is no C compiler")
    def test_of_two_commands_are_found_made_small_and_replayed(self):
        source = REPOSITORY / "tests" / "live" / "programs" / "check_then_act.c"
        subprocess.run(["cc", "-o", self.folder / "check_then_act", source], check=True)
        (self.folder / "race.toml").write_text(RACE)
        found = self.lockstep("fuzz", "race.toml", "--runs", 200, "--seed", 4, "--jobs", 1, "--out", "out")
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        self.assertIn("mutual-exclusion was expected to hold, but it was violated", found.stdout)
        scenario = next((self.folder / "out").glob("race-mutual-exclusion-*.toml"))
        self.assertLessEqual(scenario.read_text().count("[[fault]]"), 2)
        replayed = self.lockstep("replay", next((self.folder / "out").glob("*.found.trace.jsonl")))
        self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)

    @unittest.skipUnless(shutil.which("cc"), "SKIPPED: there is no C compiler")
    def test_are_the_same_with_any_number_of_jobs(self):
        source = REPOSITORY / "tests" / "live" / "programs" / "check_then_act.c"
        subprocess.run(["cc", "-o", self.folder / "check_then_act", source], check=True)
        (self.folder / "race.toml").write_text(RACE)
        said = [self.lockstep("run", "race.toml", "--seeds", 30, "--jobs", jobs, "--format", "json", "--no-files")
                for jobs in (1, 3)]
        self.assertIn('"runs": 30', said[0].stdout)
        self.assertEqual(said[0].stdout, said[1].stdout)


class Refused(Program):
    def test_is_what_cannot_work_with_the_reason(self):
        for name, (act, why) in CANNOT_WORK.items():
            with self.subTest(name):
                said = self.lockstep("run", self.scenario(TAKES_THE_LOCK + act), "--seeds", 1, "--no-files")
                self.assertIn(said.returncode, (1, 2, 3))
                self.assertIn(why, words_of(said))


    def test_is_at_its_command_what_connects_nowhere(self):
        for host, why in (("orders-redis", "the scenario has no host 'orders-redis'; expected it in 'connect'"),
                          ("10.9.9.9", "it connects to 10.9.9.9:6379, where the scenario has no host; expected it in 'connect'"),
                          ("n1", "it connects to n1:7000, where")):
            with self.subTest(host):
                port = 7000 if host == "n1" else 6379
                said = self.lockstep("run", self.scenario(f"import socket\nsocket.create_connection(('{host}', {port}))"), "--no-files")
                self.assertEqual(said.returncode, 2, said.stdout)
                self.assertIn(why, said.stderr)

    def test_is_a_program_that_a_shell_runs_beside_itself(self):
        (self.folder / "beside.py").write_text("import socket\nsocket.create_connection(('localhost', 6379))\n")
        for script in ("/usr/bin/python3 beside.py", "/usr/bin/python3 beside.py || true"):
            for reuse in ("process", "fork"):
                with self.subTest(f"{script}, {reuse}"):
                    story = self.scenario("", f'reuse = "{reuse}"')
                    (self.folder / "run.sh").write_text(f"#!/bin/sh\n{script}\n")
                    (self.folder / "run.sh").chmod(0o755)
                    story.write_text(re.sub("command = .*", 'command = ["./run.sh"]', story.read_text()))
                    said = self.lockstep("run", story, "--seeds", 1, "--no-files")
                    self.assertIn(said.returncode, (1, 2), said.stdout)
                    self.assertIn("'/usr/bin/python3 beside.py' is refused a socket: a shell runs it beside itself; expected 'exec "
                                  "/usr/bin/python3 beside.py'", words_of(said))


    @unittest.skipUnless(shutil.which("cc"), "SKIPPED: there is no C compiler")
    def test_are_all_where_the_kernel_lets_no_calls_be_trapped(self):
        without = self.folder / "without_seccomp"
        subprocess.run(["cc", "-o", without, REPOSITORY / "tests" / "live" / "programs" / "without_seccomp.c"], check=True)
        for command in ("/usr/bin/python3", "./run.sh"):
            for reuse in ("process", "fork"):
                with self.subTest(f"{command}, {reuse}"):
                    story = self.scenario(TAKES_THE_LOCK, f'reuse = "{reuse}"')
                    (self.folder / "run.sh").write_text('#!/bin/sh\nexec /usr/bin/python3 "$@"\n')
                    (self.folder / "run.sh").chmod(0o755)
                    story.write_text(story.read_text().replace("/usr/bin/python3", command))
                    said = subprocess.run([without, os.environ["LOCKSTEP_BINARY"], "run", story, "--seeds", "1", "--no-files"],
                                          capture_output=True, text=True, timeout=120, check=False, cwd=self.folder)
                    self.assertEqual(said.returncode, 2, said.stdout + said.stderr)
                    self.assertIn("story.toml:8:11: error: the client 'w' ", said.stderr)
                    self.assertIn("before it connected to anything: ", said.stderr)
                    self.assertIn("(seccomp)", said.stderr)
                    self.assertIn("expected a container whose profile allows seccomp(2)", said.stderr)


class Faulty(Program):
    def test_floods_are_told_and_ended(self):
        for act, why in (("while True: os.write(242, b'x' * 65536)", "it floods its report"),
                         (f"{CONNECTS}while True: s.sendall(b'x' * 65536)", "it sends more than 64 MiB"),
                         (f"{CONNECTS}s.sendall(b'PING\\r\\n' * 100001)",
                          "it sends more than 100000 requests at once")):
            with self.subTest(why):
                said = self.lockstep("run", self.scenario(TAKES_THE_LOCK + act, 'reuse = "fork"'), "--seeds", 1,
                                     "--no-files")
                self.assertEqual(said.returncode, 1, said.stdout + said.stderr)
                self.assertIn(why, " ".join(said.stdout.split()))

    def test_floods_of_the_output_and_of_connections_in_vain_are_told_and_ended(self):
        for act, why in (("i = 0\nwhile True:\n  print('x' * 60000, i)\n  i += 1", "it floods its output: more than 64 MiB"),
                         ("import socket\nwhile True:\n  try: socket.create_connection(('localhost', 9))\n  except OSError: pass",
                          "it has connected 10000 times where nobody is: it connects to localhost:9, where the scenario has no host")):
            with self.subTest(why):
                said = self.lockstep("run", self.scenario(f"{TAKES_THE_LOCK}{act}", 'reuse = "fork"'), "--seeds", 1, "--no-files")
                self.assertEqual(said.returncode, 1, said.stdout + said.stderr)
                self.assertIn(why, " ".join(said.stdout.split()))

    def test_floods_before_it_connects_are_told_and_ended(self):
        for reuse in ("process", "fork"):
            with self.subTest(reuse):
                said = self.lockstep("run", self.scenario("while True: print('x' * 65536)", f'reuse = "{reuse}"'),
                                     "--seeds", 1, "--no-files")
                self.assertEqual(said.returncode, 2, said.stdout + said.stderr)
                self.assertIn("failed before it connected to anything: it floods its output: more than 64 MiB", said.stderr)

    def test_large_values_and_a_talkative_start_are_no_flood(self):
        program = f"print('x' * 1000000)\n{TAKES_THE_LOCK}for _ in range(8): client.set('big', b'x' * 1000000)\n"
        said = self.lockstep("run", self.scenario(program, 'count = 2\nreuse = "fork"'), "--seeds", 1, "--no-files")
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)

    def test_a_program_that_ends_before_it_connects_is_refused_at_its_command(self):
        for reuse in ("process", "fork"):
            with self.subTest(reuse):
                said = self.lockstep("run", self.scenario("import nothing_like_it", f'reuse = "{reuse}"'), "--no-files")
                self.assertEqual(said.returncode, 2, said.stdout)
                self.assertIn("story.toml:8:11: error: the client 'w' ended with exit status 1 before it connected to "
                              "anything: ModuleNotFoundError", said.stderr)


class Preflight(Program):
    def test_names_the_first_event_that_differs_and_what_helps(self):
        for name, (value, remedy) in DIFFERS.items():
            with self.subTest(name):
                program = TAKES_THE_LOCK + f"client.set('differs', {value})\n"
                keys = f'env = {{ LOCKSTEP_LIVE_WITHOUT = "{remedy}" }}'
                said = self.lockstep("run", self.scenario(program, keys), "--seeds", 1, "--no-files")
                self.assertEqual(said.returncode, 2, said.stdout)
                self.assertIn("don't do the same twice", said.stderr)
                self.assertIn("differs", said.stderr)
                self.assertIn("take it from the clock", said.stderr)


class Ended(Program):
    WAITS = TAKES_THE_LOCK + "open('begun', 'w').close()\nwhile True: pass\n"

    def processes(self):
        said = subprocess.run(["pgrep", "--full", "--", str(self.folder)], capture_output=True, text=True, check=False)
        found = []
        for pid in said.stdout.split():
            try:
                state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            except OSError:
                continue
            if state != "Z":
                found.append(pid)
        return found

    def test_leaves_no_process_whatever_ends_lockstep(self):
        for how in (signal.SIGKILL, signal.SIGTERM):
            for reuse in ("process", "fork"):
                with self.subTest(f"{how.name}, {reuse}"):
                    (self.folder / "begun").unlink(missing_ok=True)
                    story = self.scenario(self.WAITS, f'reuse = "{reuse}"')
                    story.write_text(story.read_text().replace("program.py", str(self.folder / "program.py")))
                    running = subprocess.Popen([os.environ["LOCKSTEP_BINARY"], "run", "story.toml", "--no-files"],
                                               cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    self.addCleanup(running.kill)
                    self.wait_until(lambda: (self.folder / "begun").exists())
                    self.assertNotEqual(self.processes(), [])
                    running.send_signal(how)
                    running.wait(timeout=60)
                    self.wait_until(lambda: not self.processes())

    def test_leaves_nothing_when_ctrl_c_ends_it(self):
        story = self.scenario(TAKES_THE_LOCK + "open('begun', 'a').write('.')\n", 'count = 2\nreuse = "fork"')
        story.write_text(story.read_text().replace("program.py", str(self.folder / "program.py")))
        files = {each.name for each in self.folder.iterdir()} | {"begun"}
        tried = 2 * 2  # clients, before the search
        for words in (("run", "--seeds", "100000", "--no-files"), ("fuzz", "--runs", "100000", "--jobs", "1")):
            with self.subTest(words[0]):
                (self.folder / "begun").unlink(missing_ok=True)
                running = subprocess.Popen([os.environ["LOCKSTEP_BINARY"], *words, "story.toml"], cwd=self.folder,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.addCleanup(running.kill)
                begun = self.folder / "begun"
                self.wait_until(lambda: begun.exists() and begun.stat().st_size > tried)
                running.send_signal(signal.SIGINT)
                self.assertIn(running.wait(timeout=60), (0, 3), "it tells what it knows")
                self.wait_until(lambda: not self.processes())
                self.assertEqual({each.name for each in self.folder.iterdir()} - {"lockstep-out"}, files)


if __name__ == "__main__":
    if subprocess.run([PYTHON, "-c", "import redis.lock"], capture_output=True, check=False).returncode:
        print("SKIPPED: redis-py is not installed: tools/setup live")
        sys.exit(SKIPPED)
    unittest.main()
