"""Findings of client models, played by the real library, and models compared with it: confirm --client, conform.

Needs redis-py (tools/setup live); without it the test is skipped, and says so: it exits with 77.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"
ADAPTER = REPOSITORY / "examples" / "real-clients" / "python" / "adapter.py"
SKIPPED = 77

PAUSE = """
title     = "A pause beyond the lease"
lock      = "setnx"
lock_name = "orders"
expect    = { violates = "mutual-exclusion" }
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=10s", "write", "unlock"]
[[fault]]
pause = "a"
when  = "a acquired"
for   = "11s"
"""


def lockstep(*words):
    return subprocess.run([os.environ["LOCKSTEP_BINARY"], *map(str, words)], capture_output=True, text=True,
                          timeout=300, check=False)


class ModelsAndClients(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)
        self.client = f"{PYTHON} '{ADAPTER}'"

    def trace_of(self, text):
        scenario = self.folder / "story.toml"
        scenario.write_text(text)
        lockstep("run", scenario, "--out", self.folder / "model")
        return self.folder / "model" / "story.trace.jsonl"

    def adapter_with(self, what, instead):
        """A real client that is not what the model stands for."""
        text = ADAPTER.read_text()
        self.assertIn(what, text)
        path = self.folder / "adapter.py"
        path.write_text(text.replace(what, instead))
        (self.folder / "lockstep.py").write_text((ADAPTER.parent / "lockstep.py").read_text())
        return f"{PYTHON} '{path}'"

    def test_the_real_client_does_what_its_model_did(self):
        said = lockstep("confirm", self.trace_of(PAUSE), "--client", self.client, "--fork", "--out",
                        self.folder / "real")
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
        self.assertTrue(said.stdout.startswith("the real client does it too: mutual-exclusion"), said.stdout)
        self.assertTrue((self.folder / "real" / "story.real-client.trace.jsonl").exists())

    def test_a_real_client_that_does_not_is_told(self):
        patient = self.adapter_with("lease_s = seconds(options.get(\"lease\", f\"{DEFAULT_LEASE_S}s\"))",
                                    "lease_s = 60")
        said = lockstep("confirm", self.trace_of(PAUSE), "--client", patient, "--out", self.folder / "real")
        self.assertEqual(said.returncode, 1, said.stdout + said.stderr)
        self.assertTrue(said.stdout.startswith("the real client went another way"), said.stdout)

    def test_a_run_that_broke_nothing_confirms_nothing(self):
        trace = self.trace_of(PAUSE.replace("11s", "1s"))
        said = lockstep("confirm", trace, "--client", self.client)
        self.assertEqual(said.returncode, 2, said.stdout)
        self.assertIn("there is nothing to confirm", said.stderr)

    def test_a_faithful_model_sends_the_same(self):
        said = lockstep("conform", "setnx", "--client", self.client, "--fork", "--runs", 2, "--out", self.folder)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
        self.assertIn("2 runs", said.stdout)
        self.assertIn("the same", said.stdout)

    def test_a_difference_is_shown_side_by_side(self):
        longer = self.adapter_with("timeout=lease_s", "timeout=lease_s + 1")
        said = lockstep("conform", "setnx", "--client", longer, "--fork", "--runs", 1, "--out", self.folder)
        self.assertEqual(said.returncode, 1, said.stdout + said.stderr)
        self.assertRegex(said.stdout, r"model  set orders <token> NX PX \d+")
        self.assertRegex(said.stdout, r"real   set orders <token> NX PX \d+")
        self.assertTrue((self.folder / "conform-1.toml").exists())

    def fits(self, schema, text):
        jsonschema.validate(json.loads(text), json.loads(
            (REPOSITORY / "docs" / "schemas" / f"{schema}.schema.json").read_text(encoding="utf-8")))

    def test_programs_read_both_too(self):
        confirmed = lockstep("confirm", self.trace_of(PAUSE), "--client", self.client, "--seeds", 1, "--out",
                             self.folder / "real", "--format", "json")
        self.fits("confirm-client", confirmed.stdout)
        self.assertTrue(json.loads(confirmed.stdout)["confirmations"][0]["confirmed"])
        longer = self.adapter_with("timeout=lease_s", "timeout=lease_s + 1")
        differs = lockstep("conform", "setnx", "--client", longer, "--runs", 1, "--format", "json")
        self.fits("conform", differs.stdout)
        self.assertEqual(json.loads(differs.stdout)["differences"][0]["number"], 1)

    def test_what_is_no_command_is_refused(self):
        for client, why in (("", "it is empty"), ("python3 'adapter", "is never closed"),
                            ("/nowhere/at-all", "cannot start")):
            said = lockstep("conform", "setnx", "--client", client, "--runs", 1)
            self.assertEqual(said.returncode, 2, said.stdout)
            self.assertIn(why, said.stderr)

    def test_steps_that_a_program_is_not_told_are_refused(self):
        trace = self.trace_of(PAUSE.replace('name = "a"', 'name = "a"\nthreads = 2'))
        said = lockstep("confirm", trace, "--client", self.client)
        self.assertEqual(said.returncode, 2, said.stdout)
        self.assertIn("which one program can't play", said.stderr)


if __name__ == "__main__":
    if subprocess.run([PYTHON, "-c", "import redis.lock"], capture_output=True, check=False).returncode:
        print("SKIPPED: redis-py is not installed: tools/setup live")
        sys.exit(SKIPPED)
    unittest.main()
