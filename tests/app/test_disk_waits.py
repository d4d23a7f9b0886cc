"""A lock that is granted when its SET is on the disk, by WAITAOF: judged as each version's server answers it."""

import shutil
import unittest

from program import REPOSITORY, Program

SET = 'return client.command(node, "SET", lock.name, value, "NX", "PX", lease_ms) ~= nil'
SET_AND_WAIT = """\
local reply, synced = client.pipeline(node, {"SET", lock.name, value, "NX", "PX", lease_ms}, {"WAITAOF", %s, 3000})
    if reply == nil then return false end
    if synced[1] >= %s and synced[2] >= %s then return true end
    client.command(node, "DEL", lock.name)
    return false"""

STORY = """\
title  = "The machine fails once the lock is granted"
lock   = "./mine"
expect = { %s }

[redis]
version = "%s"
%s

[[client]]
name = "a"
run  = ["lock lease=30s", "sleep 8s", "write", "unlock"]

[[client]]
name  = "b"
start = "6s"
run   = ["lock lease=30s", "sleep 5s", "write", "unlock"]

[[fault]]
power_loss = "n1"
when       = "a acquired"
"""
BOTH_FAIL = """
[[fault]]
power_loss = "n1-replica-1"
when       = "n1 crashed"

[[fault]]
power_loss = "n1-replica-2"
when       = "n1 crashed"

[[fault]]
restart = "n1-replica-2"
when    = "n1-replica-2 crashed"
after   = "500ms"

[[fault]]
restart = "n1-replica-1"
when    = "n1-replica-1 crashed"
after   = "500ms"

[[fault]]
promote = "n1-replica-1"
when    = "n1-replica-1 crashed"
after   = "1s"
"""
RESTART = '\n[[fault]]\nrestart = "n1"\nwhen = "n1 crashed"\nafter = "1s"\n'
LOST = 'violates = ["mutual-exclusion", "lease-linearizability"]'
KEPT = 'holds = ["mutual-exclusion", "lease-linearizability"]'


class DiskWaits(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.mine = self.program.folder / "mine"
        shutil.copytree(REPOSITORY / "scripts/setnx", self.mine)

    def wait_for(self, own, replicas):
        client = self.mine / "client.lua"
        text = client.read_text(encoding="utf-8")
        self.assertIn(SET, text)
        waiting = SET_AND_WAIT % (f"{own}, {replicas}", own, replicas)
        client.write_text(text.replace(SET, waiting), encoding="utf-8")

    def judge(self, expected, version, servers, faults, code=0):
        self.program.write("power.toml", STORY % (expected, version, servers) + faults)
        result = self.program.run("run", "power.toml", "--no-files")
        self.assertEqual(result.returncode, code, f"{version}: {result.stdout}{result.stderr}")
        return result.stdout

    def test_on_the_servers_own_disk(self):
        everysec = 'config = { appendonly = "yes", appendfsync = "everysec" }'
        self.judge(LOST, "redis-8.0", everysec, RESTART)  # without WAITAOF
        self.wait_for(1, 0)
        self.judge(KEPT, "redis-8.0", everysec, RESTART)
        for version in ("valkey-8.0", "valkey-8.1", "valkey-9.1"):  # say so too early
            self.judge(LOST, version, everysec, RESTART)
            self.judge(KEPT, version, everysec.replace("everysec", "always"), RESTART)

    def test_on_a_replica_s_disk(self):
        """WAIT is content with its memory. A promotion that lost nothing puts nothing to the test: 3."""
        servers = 'replicas = 2\nconfig = { appendonly = "yes", appendfsync = "%s" }'
        self.wait_for(0, 1)
        client = self.mine / "client.lua"
        for version in ("redis-8.0", "valkey-8.0"):
            self.judge(KEPT, version, servers % "always", BOTH_FAIL, code=3)
        self.judge(KEPT, "redis-8.0", servers % "everysec", BOTH_FAIL, code=3)
        self.judge(LOST, "valkey-8.0", servers % "everysec", BOTH_FAIL)
        text = client.read_text(encoding="utf-8")
        text = text.replace('{"WAITAOF", 0, 1, 3000}', '{"WAIT", 1, 3000}').replace("synced[1] >= 0 and synced[2]", "synced")
        client.write_text(text, encoding="utf-8")
        self.judge(LOST, "redis-8.0", servers % "everysec", BOTH_FAIL)


if __name__ == "__main__":
    unittest.main()
