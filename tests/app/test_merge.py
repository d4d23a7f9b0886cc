"""lockstep merge: shards together are the search that nobody cut, in whatever order they are joined."""

import json
import re
import signal
import subprocess
import time
import unittest

from program import Program
from test_fuzz import OPEN, SAFE

RUNS = "1100"  # three stretches, the last of them short


class Merge(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("open.toml", OPEN)

    def run_lockstep(self, *arguments, code):
        result = self.program.run(*arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def shards(self, count, *arguments, code=1):
        """Makes all shards of a search; returns their folders."""
        folders = []
        for number in range(1, count + 1):
            folders.append(f"shard-{number}")
            # A shard may find nothing where others do.
            result = self.program.run("fuzz", *arguments, "--shard", f"{number}/{count}", "--out",
                                      folders[-1])
            self.assertIn(result.returncode, (0, code), result.stdout + result.stderr)
        return folders

    def merge(self, folder, *parts, code=1):
        """The JSON of a merge and the files of its findings; file names without their folder."""
        result = self.run_lockstep("merge", *parts, "-o", folder, "--format", "json", code=code)
        return self.shown(result, folder), result.stderr

    def shown(self, result, folder):
        files = {name: (self.program.folder / folder / name).read_text().replace(folder + "/", "FOLDER/")
                 for name in self.program.files(folder)
                 if name.endswith((".toml", ".found.trace.jsonl"))}
        shown = re.sub(r'"(shrink_)?elapsed_ms": \d+', '"elapsed_ms": 0', result.stdout)
        return shown.replace(folder + "/", "FOLDER/"), files

    def whole(self, *arguments, code=1):
        return self.shown(self.run_lockstep("fuzz", *arguments, "--out", "whole", "--format", "json",
                                            code=code), "whole")

    def record(self, folder):
        return json_lines((self.program.folder / folder / "open.search.jsonl").read_text())

    def test_shards_in_any_grouping_are_the_whole_search(self):
        search = ("open.toml", "--runs", RUNS, "--keep-going")
        wanted = self.whole(*search)
        one, two, three = self.shards(3, *search)
        self.assertEqual(self.merge("all", one, two, three), (wanted, ""))
        self.merge("later", three, two, code=1)
        self.assertEqual(self.merge("all-2", "later", one), (wanted, ""))
        self.assertEqual(self.merge("all-3", "all", two, "all-2", three), (wanted, ""))
        self.assertEqual(self.record("all"), self.record("all-2"))
        self.assertEqual(self.record("all"), self.record("all-3"))
        self.assertGreater(len(json.loads(wanted[0])["targets"][0]["findings"]), 3)

    def test_says_which_faults_were_searched_for(self):
        faults = ("--faults", "pause,evict")
        wanted = self.whole("open.toml", "--runs", RUNS, *faults)
        self.assertEqual(self.merge("all", *self.shards(2, "open.toml", "--runs", RUNS, *faults)),
                         (wanted, ""))
        heads = [text.split("\n")[0] for name, text in wanted[1].items() if name.endswith(".toml")]
        self.assertIn("--faults pause,evict", " ".join(heads))

    def test_shards_that_began_with_a_corpus_are_the_whole_search(self):
        self.run_lockstep("fuzz", "open.toml", "--runs", "100", "--keep-going", "--corpus", "start",
                          code=1)
        outputs = {}
        for name, arguments in (("whole", ()), ("one", ("--shard", "1/2")), ("two", ("--shard", "2/2"))):
            subprocess.run(["cp", "-r", "start", f"corpus-{name}"], cwd=self.program.folder, check=True)
            result = self.run_lockstep("fuzz", "open.toml", "--runs", "700", "--keep-going", "--seed",
                                       "3", "--corpus", f"corpus-{name}", "--out", name, "--format",
                                       "json", *arguments, code=1)
            outputs[name], = json.loads(result.stdout)["targets"]
        merged = json.loads(self.merge("joined", "one", "two")[0][0])["targets"][0]
        for key in ("runs", "states", "complaints"):
            self.assertEqual(merged[key], outputs["whole"][key], key)
        self.assertEqual([finding["hash"] for finding in merged["findings"]],
                         [finding["hash"] for finding in outputs["whole"]["findings"]])

    def test_says_which_shards_are_missing(self):
        self.program.write("open.toml", SAFE)
        one, _, three = self.shards(3, "open.toml", "--runs", RUNS)
        (shown, _), errors = self.merge("some", one, three, code=3)
        self.assertEqual(errors,
                         "error: open.toml: not all shards are there; 2/3 would be missing\n")
        target, = json.loads(shown)["targets"]
        self.assertEqual((target["runs"], target["interrupted"]), (600, True))

    def test_goes_on_after_a_deadline_and_says_where_one_was_interrupted(self):
        self.program.write("open.toml", SAFE)
        self.shards(2, "open.toml", "--time", "1s")
        (shown, _), errors = self.merge("all", "shard-1", "shard-2", code=0)
        self.assertEqual(errors, "")
        process = subprocess.Popen(
            [self.program.binary, "fuzz", "open.toml", "--runs", "100000000", "--shard", "1/1",
             "--out", "cut"],
            cwd=self.program.folder, env=self.program.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3)
        (shown, _), errors = self.merge("of-cut", "cut", code=3)
        self.assertIn("open.toml: a part was interrupted: runs from ", errors)
        self.assertGreater(json.loads(shown)["targets"][0]["runs"], 0)

    def test_joins_several_targets(self):
        self.program.write("safe.toml", SAFE)
        folders = self.shards(2, "safe.toml", "open.toml", "--runs", "600")
        (shown, _), _ = self.merge("all", *folders)
        self.assertEqual([(each["target"], each["outcome"]) for each in json.loads(shown)["targets"]],
                         [("open.toml", "not as expected"), ("safe.toml", "as expected")])

    def test_refuses_what_does_not_belong_together(self):
        self.shards(1, "open.toml", "--runs", "3", code=3)
        record = self.program.folder / "shard-1" / "open.1-of-1.search.jsonl"
        text = record.read_text()
        lines = text.splitlines(keepends=True)
        self.program.run("fuzz", "open.toml", "--runs", "3", "--seed", "2", "--shard", "1/1", "--out",
                         "other-seed")
        self.program.run("fuzz", "open.toml", "--runs", "3", "--strategy", "pct", "--shard", "1/1",
                         "--out", "other-strategy")
        self.program.write("open.toml", OPEN.replace("lease=10s", "lease=11s"))
        self.program.run("fuzz", "open.toml", "--runs", "3", "--shard", "1/1", "--out", "other-story")
        self.program.write("empty/x", "")
        self.program.write("empty.search.jsonl", "")
        self.program.write("model.search.jsonl", text.replace('"model_version":', '"model_version":9'))
        self.program.write("format.search.jsonl", text.replace('search":6', 'search":5'))
        self.program.write("cut.search.jsonl", "".join(lines[:-1]))
        self.program.write("changed.search.jsonl", text.replace('"runs":3,"result"', '"runs":4,"result"'))
        self.program.write("more.search.jsonl", text + lines[1])
        this = "shard-1/open.1-of-1.search.jsonl"
        other = "open.1-of-1.search.jsonl: error: it is not of the same search as " + this
        cases = [
            ("other-seed", f"other-seed/{other}: seed is 2, not 1"),
            ("other-strategy", f'other-strategy/{other}: strategy is "pct", not "portfolio"'),
            ("other-story", f"other-story/{other}: the scenario is another"),
            ("gone", "gone: error: it can't be opened"),
            ("empty", "empty: error: there is no record of a search in it"),
            ("empty.search.jsonl", "empty.search.jsonl: error: the file is empty"),
            ("model.search.jsonl", "of the model; this is "),
            ("format.search.jsonl", "its format is 5; this is 6"),
            ("cut.search.jsonl", "it is cut short"),
            ("changed.search.jsonl", "it was changed after it was written"),
            ("more.search.jsonl", "nothing may follow the last line"),
            ("open.toml", "open.toml:1: error: this is no line of the record of a search"),
        ]
        for part, complaint in cases:
            with self.subTest(part):
                result = self.run_lockstep("merge", this, part, "-o", "merged", code=2)
                self.assertIn(complaint, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertFalse((self.program.folder / "merged").exists())

    def test_notices_any_flipped_byte(self):
        self.program.write("open.toml", SAFE)
        self.shards(1, "open.toml", "--runs", "2")
        content = (self.program.folder / "shard-1/open.1-of-1.search.jsonl").read_bytes()
        for place in range(0, len(content), 97):
            damaged = content[:place] + bytes([content[place] ^ 4]) + content[place + 1:]
            self.program.write("damaged.search.jsonl", damaged)
            self.run_lockstep("merge", "damaged.search.jsonl", "-o", "merged", code=2)

    def test_notices_that_the_lock_has_changed(self):
        self.program.run("new", "lock", "my-lock")
        self.program.write("mine.toml", SAFE.replace('"plain"', '"./my-lock"'))
        folder, = self.shards(1, "mine.toml", "--runs", "100")
        client = self.program.folder / "my-lock" / "client.lua"
        client.write_text("-- changed\n" + client.read_text())
        result = self.run_lockstep("merge", folder, code=2)
        self.assertIn("the files of lock ./my-lock are not those that were searched", result.stderr)

    def test_leaves_whole_files_after_an_interruption(self):
        folders = self.shards(2, "open.toml", "--runs", "1000", "--keep-going")
        for delay in (0.01, 0.2):
            process = subprocess.Popen(
                [self.program.binary, "merge", *folders, "-o", "merged"], cwd=self.program.folder,
                env=self.program.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True)
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            self.assertIn(process.returncode, (-signal.SIGINT, 1, 3))
            for name in self.program.files("."):
                self.assertFalse(name.rpartition("/")[2].startswith("."), name)
                if name.startswith("merged/") and name.endswith("search.jsonl"):
                    self.run_lockstep("merge", name, "-o", "again", code=1)
        self.run_lockstep("merge", *folders, "-o", "merged", code=1)


def json_lines(text):
    """A record without what depends on clocks."""
    return [line for line in text.splitlines() if '"checksum"' not in line and "elapsed_ms" not in line]


if __name__ == "__main__":
    unittest.main()
