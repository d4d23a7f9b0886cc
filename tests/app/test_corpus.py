"""lockstep fuzz --corpus and lockstep corpus: what is kept, and that nothing that is damaged harms it."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from program import Program
from test_fuzz import OPEN, SAFE, without_times

# Hundreds of abstract states, and nothing to shrink.
WIDE = OPEN.replace('["pause", "evict", "clock_step"]', '["pause", "drop"]').replace(
    '["mutual-exclusion", "lease-linearizability"]', '"no-deadlock"')


class Corpus(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("open.toml", OPEN)
        self.program.write("wide.toml", WIDE)
        self.program.write("safe.toml", SAFE)

    def run_lockstep(self, *arguments, code):
        result = self.program.run(*arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def fuzz(self, *arguments, code=0):
        return self.run_lockstep("fuzz", *arguments, code=code)

    def counts(self, *arguments, code=0):
        target, = json.loads(self.fuzz(*arguments, "--format", "json", code=code).stdout)["targets"]
        return target

    def entries(self, folder):
        root = self.program.folder / folder
        return {path.name: path.read_bytes() for path in sorted(root.iterdir()) if path.is_file()}

    def filled(self, folder="corpus", *more):
        """Makes a corpus of wide.toml; returns its entries."""
        self.fuzz("wide.toml", "--runs", "600", "--keep-going", "--corpus", folder, *more)
        return self.entries(f"{folder}/wide")

    def test_keeps_runs_that_get_further_each_in_a_file_of_its_own(self):
        first = self.counts("wide.toml", "--runs", "600", "--keep-going", "--corpus", "corpus")
        entries = self.entries("corpus/wide")
        self.assertGreater(len(entries), 20)
        self.assertEqual(first["corpus"], {"folder": "corpus/wide", "entries": 0, "passed_over": 0,
                                           "of_another_lock": 0, "added": len(entries)})
        for name in entries:
            self.assertRegex(name, r"^[0-9a-f]{16}$")
        again = self.counts("wide.toml", "--runs", "600", "--keep-going", "--corpus", "corpus",
                            "--seed", "2")
        self.assertEqual(again["corpus"]["entries"], len(entries))
        self.assertEqual(again["runs"], 600 + len(entries))
        self.assertGreater(again["states"], first["states"])
        later = self.entries("corpus/wide")
        self.assertEqual(len(later), len(entries) + again["corpus"]["added"])
        self.assertEqual({name: later[name] for name in entries}, entries)

    def test_finds_at_once_what_an_entry_breaks(self):
        first = self.counts("open.toml", "--corpus", "corpus", code=1)
        again = self.counts("open.toml", "--corpus", "corpus", "--seed", "99", code=1)
        self.assertLess(again["runs"], first["runs"])
        self.assertLessEqual(again["runs"], first["corpus"]["added"])
        finding, = again["findings"]
        self.assertEqual(finding["strategy"], "corpus")
        self.assertEqual(self.program.run("replay", finding["found_trace"]).returncode, 0)

    def test_gives_the_same_with_any_number_of_jobs(self):
        self.filled("start")
        outcomes = []
        for jobs in ("1", "2", "5"):
            shutil.rmtree(self.program.folder / "corpus", ignore_errors=True)
            shutil.copytree(self.program.folder / "start", self.program.folder / "corpus")
            result = self.fuzz("wide.toml", "--runs", "1100", "--seed", "7", "--keep-going", "--jobs",
                               jobs, "--corpus", "corpus", "--format", "json")
            outcomes.append((without_times(result.stdout), self.entries("corpus/wide")))
        self.assertEqual(outcomes[0], outcomes[1])
        self.assertEqual(outcomes[0], outcomes[2])

    def test_passes_over_what_is_no_entry_and_loses_nothing_else(self):
        entries = self.filled()
        folder = self.program.folder / "corpus" / "wide"
        name, good = max(entries.items(), key=lambda entry: len(entry[1]))
        wanted = self.counts("wide.toml", "--runs", "30", "--keep-going", "--corpus", "corpus")
        header = good.index(b"\n") + 1
        wrong = {"empty": b"", "text": b"hello\n", "binary": bytes(range(256)), "long": bytes(5 << 20),
                 "half": good[:len(good) // 2], "header": good[:header - 1],
                 "doubled": good + good}
        for place in range(header):
            wrong[f"flipped-{place:03}"] = (good[:place] + bytes([good[place] ^ 1])
                                            + good[place + 1:])
        for other, content in wrong.items():
            (folder / other).write_bytes(content)
        (folder / "a-folder").mkdir()
        (folder / "nowhere").symlink_to("gone")
        os.mkfifo(folder / "pipe")
        (folder / ".hidden.123").write_bytes(b"half of an ent")
        unreadable = folder / "unreadable"
        unreadable.write_bytes(good)
        unreadable.chmod(0)
        count = len(wrong) + 3 + (0 if os.access(unreadable, os.R_OK) else 1)
        if os.access(unreadable, os.R_OK):  # root reads everything
            unreadable.unlink()
        before = {path.name for path in folder.iterdir()}
        result = self.fuzz("wide.toml", "--runs", "30", "--keep-going", "--corpus", "corpus",
                           "--format", "json")
        target, = json.loads(result.stdout)["targets"]
        self.assertEqual(target["corpus"]["passed_over"], count)
        self.assertEqual(target["corpus"]["entries"], wanted["corpus"]["entries"]
                         + wanted["corpus"]["added"])
        self.assertEqual(target["states"], wanted["states"])
        self.assertEqual(len(result.stderr.splitlines()), 21)
        self.assertIn("corpus/wide/a-folder: passed over: it is no file\n", result.stderr)
        self.assertIn("corpus/wide/empty: passed over: it is empty\n", result.stderr)
        self.assertIn(f"corpus/wide: {count - 20} more are passed over\n", result.stderr)
        self.assertLessEqual(before, {path.name for path in folder.iterdir()})
        self.assertEqual((folder / name).read_bytes(), good)

    def test_names_each_kind_of_damage(self):
        good = max(self.filled().values(), key=len)
        folder = self.program.folder / "corpus" / "wide"
        cases = [
            (b"", "it is empty"),
            (b"x" * 100, "it is no entry of a corpus"),
            (good.replace(b"choices 1", b"choices 2"), "its format is another"),
            (good.replace(b"scenario=", b"scenario:"), "its first line is damaged"),
            (good[:-1], "it is damaged: its checksum does not fit"),
            (good[:-1] + bytes([good[-1] ^ 64]), "it is damaged: its checksum does not fit"),
        ]
        for content, why in cases:
            with self.subTest(why):
                (folder / "zzz").write_bytes(content)
                result = self.fuzz("wide.toml", "--runs", "1", "--keep-going", "--corpus", "corpus")
                self.assertEqual(result.stderr, f"corpus/wide/zzz: passed over: {why}\n")

    def test_puts_right_what_has_a_good_name_and_is_damaged(self):
        entries = self.filled()
        folder = self.program.folder / "corpus" / "wide"
        for name, content in entries.items():
            (folder / name).write_bytes(bytes(reversed(content)))
        self.assertEqual(self.filled(), entries)

    def test_tells_entries_of_another_scenario_and_of_another_lock(self):
        self.program.run("new", "lock", "my-lock")
        self.program.write("mine.toml", WIDE.replace('"plain"', '"./my-lock"'))
        mine = ("mine.toml", "--runs", "200", "--corpus", "corpus")
        first = self.counts(*mine, code=0)
        added = first["corpus"]["added"]
        self.assertGreater(added, 0)
        client = self.program.folder / "my-lock" / "client.lua"
        client.write_text("-- changed\n" + client.read_text())
        changed = self.counts(*mine, code=0)
        self.assertEqual((changed["corpus"]["entries"], changed["corpus"]["of_another_lock"]),
                         (added, added))
        self.filled()
        self.program.write("wide.toml", WIDE.replace("lease=10s", "lease=11s"))
        foreign = self.counts("wide.toml", "--runs", "1", "--keep-going", "--corpus", "corpus", code=3)
        self.assertEqual(foreign["corpus"]["entries"], 0)
        self.assertGreater(foreign["corpus"]["passed_over"], 20)

    def test_two_that_write_at_once_lose_nothing(self):
        apart = {}
        for seed in ("1", "2"):
            apart |= self.filled(f"apart-{seed}", "--seed", seed)
        processes = [subprocess.Popen(
            [self.program.binary, "fuzz", "wide.toml", "--runs", "600", "--keep-going", "--seed", seed,
             "--jobs", "2", "--corpus", "corpus", "--out", f"out-{seed}"],
            cwd=self.program.folder, env=self.program.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for seed in ("1", "2")]
        for process in processes:
            output, errors = process.communicate(timeout=120)
            self.assertEqual((process.returncode, errors), (0, ""), output)
        together = self.entries("corpus/wide")
        self.assertEqual([name for name in together if not re.fullmatch("[0-9a-f]{16}", name)], [])
        # What one of them read of the other's depends on when they began; all of it is whole.
        looked = self.run_lockstep("corpus", "wide.toml", "--corpus", "corpus", "--format", "json",
                                   code=0)
        state, = json.loads(looked.stdout)["corpora"]
        self.assertEqual((state["entries"], state["passed_over"]), (len(together), 0))
        self.assertEqual(looked.stderr, "")

    def test_is_left_whole_by_an_interruption(self):
        process = subprocess.Popen(
            [self.program.binary, "fuzz", "safe.toml", "--runs", "100000000", "--corpus", "corpus"],
            cwd=self.program.folder, env=self.program.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        folder = self.program.folder / "corpus" / "safe"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (folder.is_dir() and any(folder.iterdir())):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, errors)
        entries = self.entries("corpus/safe")
        self.assertGreater(len(entries), 0)
        self.assertIn(f"corpus: 0 entries, {len(entries)} added  corpus/safe\n", output)
        looked = self.run_lockstep("corpus", "safe.toml", "--corpus", "corpus", code=0)
        self.assertIn(f"safe.toml: {len(entries)} entries, ", looked.stdout)

    def test_refuses_folders_that_cannot_be(self):
        self.program.write("file", "")
        for arguments, part in [
                (("fuzz", "wide.toml", "--corpus", "file"), "--corpus: cannot write into 'file': it is a file"),
                (("corpus", "wide.toml"), "--corpus"),
                (("corpus", "--corpus", "corpus"), "TARGET"),
                (("corpus", "wide.toml", "--corpus", "corpus", "--from", "gone"),
                 "gone/wide: error: there is no such folder"),
                (("corpus", "plian", "--corpus", "corpus"), "did you mean 'plain'")]:
            with self.subTest(arguments):
                result = self.run_lockstep(*arguments, code=2)
                self.assertIn(part, result.stderr)
                self.assertEqual(result.stdout, "")

    def state_of(self, *more):
        result = self.run_lockstep("corpus", "wide.toml", "--corpus", "corpus", "--format", "json",
                                   *more, code=0)
        state, = json.loads(result.stdout)["corpora"]
        return state

    def test_joins_and_keeps_a_few_with_the_same_states(self):
        self.filled("corpus")
        other = self.filled("other", "--seed", "5")
        ours = self.state_of()
        joined = self.state_of("--from", "other")
        self.assertEqual(joined["entries"], ours["entries"] + joined["added"])
        self.assertGreater(joined["states"], ours["states"])
        self.assertLessEqual(set(other), set(self.entries("corpus/wide")))
        self.assertEqual(self.state_of("--from", "other"), {**joined, "added": 0})
        (self.program.folder / "corpus/wide/zzz").write_bytes(b"no entry")
        few = self.state_of("--few")
        self.assertEqual(few["states"], joined["states"])
        self.assertGreater(few["deleted"], 0)
        self.assertEqual(few["entries"], joined["entries"] - few["deleted"])
        left = self.entries("corpus/wide")
        self.assertEqual(len(left), few["entries"] + 1)
        self.assertEqual(left["zzz"], b"no entry")
        self.assertEqual(self.state_of("--few"), {**few, "deleted": 0})


if __name__ == "__main__":
    unittest.main()
