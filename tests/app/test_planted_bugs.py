"""A lock that `lockstep new lock` makes, broken in each of several ways: `lockstep fuzz` finds each, and makes it small.

Each search goes over the lock as it was made too, so that it is the bug that is found.
"""

import json
import unittest

from program import Program

TWO_CLIENTS = """
[[client]]
name   = "a"
rounds = 2
run    = ["lock lease=10s", "write", "sleep 1s..3s", "unlock"]

[[client]]
name   = "b"
rounds = 2
start  = "0ms..20ms"
run    = ["lock lease=10s", "write", "sleep 1s..3s", "unlock"]
"""

# Who works for longer than the lease has lost the lock: it must not touch another's.
SLOW = TWO_CLIENTS.replace("lease=10s", "lease=2s")
EXTENDING = SLOW.replace('"sleep 1s..3s"', '"sleep 1s..3s", "extend lease=2s"')

# What is broken: its file, what stands there, what stands there then; which property breaks; which
# faults are tried, and how many of them it takes; what the clients do.
BUGS = {
    "deletes without a look at the token": (
        "release.lua", "if redis.call('get', KEYS[1]) == ARGV[1] then", "if true then",
        "lease-linearizability", ["script_flush"], 0, SLOW),
    "sets no expiry": (
        "acquire.lua", ", 'px', ARGV[2])", ")", "no-leak", ["script_flush"], 0, TWO_CLIENTS),
    "sets no expiry, and a holder dies": (
        "acquire.lua", ", 'px', ARGV[2])", ")", "no-deadlock", ["crash"], 1, TWO_CLIENTS),
    "looks first and takes then": (
        "client.lua", 'client.eval(node_of(lock), "acquire", {key_of(lock)}, {token, lease_ms}) == 1',
        'client.command(node_of(lock), "EXISTS", key_of(lock)) == 0\n'
        '    and client.command(node_of(lock), "SET", key_of(lock), token, "PX", lease_ms) ~= nil',
        "mutual-exclusion", ["script_flush"], 0, TWO_CLIENTS),
    "extends whoever has it": (
        "extend.lua", "if redis.call('get', KEYS[1]) == ARGV[1] then", "if true then",
        "lease-linearizability", ["script_flush"], 0, EXTENDING),
    "believes in a lock that it was refused": (
        "acquire.lua", "return 0", "return 1", "mutual-exclusion", ["script_flush"], 0,
        TWO_CLIENTS),
}


class PlantedBugs(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def search(self, property_, faults, clients, code):
        self.program.write("search.toml", f"""\
title  = "A search"
lock   = "./my-lock"
expect = {{ holds = "{property_}" }}
faults = {json.dumps(faults)}

[limits]
events = 20000
{clients}""")
        result = self.program.run("fuzz", "search.toml", "--runs", "400", "--jobs", "1",
                                  "--format", "json")
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        target, = json.loads(result.stdout)["targets"]
        return target["findings"]

    def test_finds_each(self):
        for bug, (file, old, new, property_, faults, needed, clients) in BUGS.items():
            with self.subTest(bug):
                self.program.run("new", "lock", "my-lock")
                self.assertEqual(self.search(property_, faults, clients, code=0), [])
                path = self.program.folder / "my-lock" / file
                text = path.read_text()
                self.assertEqual(text.count(old), 1, f"{file} is no longer as it was")
                path.write_text(text.replace(old, new))
                finding = self.search(property_, faults, clients, code=1)[0]
                path.write_text(text)
                self.assertEqual(finding["property"], property_)
                self.assertEqual(len(finding["faults"]), needed, finding)
                self.assertLessEqual(finding["rows"], 40)
                small = (self.program.folder / finding["scenario"]).read_text()
                self.assertLessEqual(small.count("[[client]]"), 2)
                self.assertNotIn("rounds", small)
                path.write_text(text.replace(old, new))
                result = self.program.run("run", finding["scenario"], "--seeds", "30", "--no-files")
                path.write_text(text)
                self.assertEqual(result.returncode, 0, result.stdout)
                # It is the lock's mistake, and not the scenario's.
                result = self.program.run("run", finding["scenario"], "--seeds", "30", "--no-files")
                self.assertEqual(result.returncode, 1, result.stdout)


if __name__ == "__main__":
    unittest.main()
