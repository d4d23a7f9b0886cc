"""lockstep fuzz LOCK: what a lock survives, told to people and programs, and what is a bug of it."""

import json
import re
import shutil
import time
import unittest
from pathlib import Path
from xml.etree import ElementTree

from program import GC_PAUSE, REPOSITORY, Program
from test_fuzz import SAFE, without_times

# Two promises are searched, judged and made small sooner than all.
PROMISES = 'promises = ["mutual-exclusion", "valid-grant"]'

# An acquisition that does not look whether somebody has the lock: a few runs find it.
BLIND_ACQUIRE = "redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])\nreturn 1\n"
FEW = ("my-lock", "--runs", "60")


class LockCampaign(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def fuzz(self, *arguments, code, folder="."):
        result = self.program.run("fuzz", *arguments, folder=folder)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def targets(self, *arguments, code, folder="."):
        document = json.loads(self.fuzz(*arguments, "--format", "json", code=code, folder=folder).stdout)
        self.assertEqual((document["format"], document["version"]), ("lockstep-survival", 1))
        return document["targets"]

    def new_lock(self, acquire=None):
        """my-lock, with two promises and without a release by force, or with another acquisition."""
        lock = self.program.folder / "my-lock"
        if not lock.exists():
            self.program.run("new", "lock", "my-lock")
            self.change("lock.toml", r"(?ms)^promises = \[.*?\]", PROMISES)
            self.change("client.lua", r"(?s)-- Whoever has it.+(?=-- Questions)", "")
        if acquire:
            (lock / "acquire.lua").write_text(acquire)

    def change(self, name, pattern, text):
        file = self.program.folder / "my-lock" / name
        changed, count = re.subn(pattern, text, file.read_text())
        self.assertEqual(count, 1, f"my-lock/{name} is no longer as it was")
        file.write_text(changed)

    def contents(self, folder):
        return {name: (self.program.folder / folder / name).read_bytes()
                for name in self.program.files(folder)}

    @staticmethod
    def of_kind(target, kind):
        return [finding for finding in target["findings"] if finding["kind"] == kind]

    def test_tells_what_a_sound_lock_survives(self):
        self.new_lock()
        result = self.fuzz("my-lock", "--runs", "300", code=0)
        for row in ("no fault", "pauses", "failover", "clocks"):
            self.assertRegex(result.stdout, rf"(?m)^{row} ")
        self.assertIn("\nNot checked, as it does not promise them: lease-linearizability, harm, "
                      "hold-count,", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^my-lock keeps its contract: 300 runs, 0 bugs, [1-9]\d* "
                                        r"limits? as stated")

    def test_finds_a_renewal_that_was_under_way_as_its_hold_was_given_back(self):
        lock = str(REPOSITORY / "tests/search/locks/renews-in-flight")
        [found] = self.targets(lock, "--runs", "300", code=1)
        self.assertEqual([each["property"] for each in self.of_kind(found, "bug")],
                         ["lease-linearizability"])
        self.targets(lock + "/looks-again", "--runs", "300", code=0)

    def test_finds_a_token_drawn_before_each_try_within_100_runs(self):
        lock = str(REPOSITORY / "tests" / "search" / "locks" / "token-before-lock" / "token-before-try")
        for seed in (1, 2):
            with self.subTest(seed=seed):
                result = self.fuzz(lock, "--runs", "100", "--seed", str(seed), code=1)
                self.assertRegex(result.stdout, "fencing, without any fault: seen in")

    def test_the_template_promises_enough_for_slips_of_its_client_model_to_be_bugs(self):
        slips = {
            "a grant that is told as refused, as the wait was over": (
                "40", "client.lua", r"  while not attempt\((.*)\) do\n(    local left_ms = .*)\n"
                "    if left_ms <= 0 then return false end\n(.*)\n  end\n  return true",
                r"  while true do\n    local taken = attempt(\1)\n\2\n"
                r"    if wait_ms and left_ms <= 0 then return false end\n"
                r"    if taken then return true end\n\3\n  end", "truthful-answers"),
            "an extension that always says yes": (
                "40", "client.lua", "return extended", "return true", "truthful-answers"),
            "milliseconds given as seconds": ("150", "acquire.lua", "'px'", "'ex'", "no-deadlock"),
        }
        for slip, (runs, name, pattern, text, broken) in slips.items():
            with self.subTest(slip):
                shutil.rmtree(self.program.folder / "my-lock", ignore_errors=True)
                self.program.run("new", "lock", "my-lock")
                self.change(name, pattern, text)
                result = self.fuzz("my-lock", "--runs", runs, code=1)
                self.assertNotIn("Not checked", result.stdout)
                self.assertRegex(result.stdout, rf"(?m)^  ✗ .*{broken}")

    def test_limits_of_a_sound_lock_are_limits(self):
        self.new_lock()
        target, = self.targets("my-lock", "--runs", "1000", code=0)
        limits = self.of_kind(target, "limit")
        self.assertGreater(len(limits), 1)
        self.assertEqual(target["findings"], limits)
        self.assertEqual((target["target"], target["runs"], target["untested"]), ("my-lock", 1000, []))
        for limit in limits:
            self.assertNotEqual(limit["broken"], [], limit)
        # Mutual exclusion ends with the lease: what a pause breaks is stated.
        self.assertTrue(any("pause" in limit["kinds"] for limit in limits), limits)
        cells = {row["faults"]: row["cells"] for row in target["rows"]}
        self.assertEqual(cells["pauses"]["mutual-exclusion"]["state"], "limit")
        self.assertEqual(cells["no fault"]["valid-grant"]["state"], "held")
        self.assertNotEqual(self.program.files("lockstep-out"), [])
        for name in self.program.files("lockstep-out"):
            self.assertTrue(name.startswith("limits/my-lock-"), name)

    def test_a_planted_bug_is_a_bug_with_its_cause_and_all_of_its_files(self):
        self.new_lock()
        sound, = self.targets(*FEW, code=0)
        self.assertEqual(self.of_kind(sound, "bug"), [])
        self.new_lock(BLIND_ACQUIRE)
        target, = self.targets(*FEW, "--out", "found", code=1)
        bugs = self.of_kind(target, "bug")
        self.assertGreater(len(bugs), 0)
        for bug in bugs:
            with self.subTest(bug["scenario"]):
                self.assertEqual(bug["broken"], [])
                self.assertNotEqual(bug["cause"], [])
                self.assertTrue(bug["scenario"].startswith("found/my-lock-"), bug)
                for trace in (bug["trace"], bug["found_trace"]):
                    result = self.program.run("replay", trace)
                    self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                # Also that each fault which is left strikes; 20 runs need not show the one that does not break.
                result = self.program.run("run", bug["scenario"], "--seeds", "20", "--no-files")
                if bug["breaks_always"]:
                    self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertNotIn("never struck", result.stdout)
        # Each file is of one that is told.
        told = {Path(bug["scenario"]).stem for bug in bugs}
        for name in self.program.files("found"):
            if not name.startswith("limits/"):
                self.assertIn(name.split(".")[0], told | {"my-lock-unknown"})

    def test_a_bug_is_known_where_one_of_its_causes_has_all_the_words(self):
        self.new_lock(BLIND_ACQUIRE)
        taken = "took the lock from"
        found = {}
        for words in (["no such words"], [taken], [taken, "no such words"]):
            lock = self.program.folder / "my-lock/lock.toml"
            plain = lock.read_text().split("\n[[known]]")[0]
            lock.write_text(plain + '\n[[known]]\nproperty = ["mutual-exclusion", "valid-grant"]\n'
                            f'what = "it was known"\ncause = {json.dumps(words)}\n')
            target, = self.targets(*FEW, code=0 if words == [taken] else 1)
            found[len(words), words[0]] = [
                bug["kind"] for bug in target["findings"] if bug["property"] == "mutual-exclusion"
                and bug["kind"] != "limit" and taken in " ".join(bug["cause"])]
        self.assertGreater(len(found[1, taken]), 0)
        self.assertEqual(set(found[1, taken]), {"known"})
        self.assertEqual(set(found[1, "no such words"]), {"bug"})
        self.assertEqual(set(found[2, taken]), {"bug"})

    def test_a_lock_that_compares_the_clocks_of_clients_has_a_bug(self):
        # Whoever takes it writes down by its own clock when its lease is over.
        self.new_lock("""
if tonumber(redis.call('get', KEYS[2]) or '9e15') < tonumber(ARGV[3]) then redis.call('del', KEYS[1]) end
if not redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2]) then return 0 end
redis.call('set', KEYS[2], ARGV[3] + ARGV[2], 'px', ARGV[2])
return 1
""")
        self.change("client.lua", r'"acquire", \{key_of\(lock\)\}, \{token, lease_ms\}\) == 1',
                    '"acquire", {key_of(lock), key_of(lock) .. ":ends"},\n    {token, lease_ms, now_ms}) == 1')
        self.change("client.lua", r"(?m)^  local token = client\.token\(\)$",
                    "  local token = client.token()\n  local now_ms = client.wall_ms()")
        target, = self.targets("my-lock", "--runs", "400", "--out", "found", code=1)
        bugs = self.of_kind(target, "bug")
        self.assertIn("mutual-exclusion", {bug["property"] for bug in bugs})
        for bug in bugs:
            self.assertIn("wall_offset", (self.program.folder / bug["scenario"]).read_text(encoding="utf-8"))

    def test_a_semaphore_of_members_is_asked_for_as_many_at_once_as_it_grants(self):
        lock = self.program.folder / "permits"
        shutil.copytree(REPOSITORY / "tests/search/locks/ending-permits", lock)
        several = re.compile(r"permits\s*= \"1\.\.3\"|acquire permits=3")
        self.assertRegex(self.fuzz("permits", "--dry-run", code=0).stdout, several)
        self.fuzz("permits", "--runs", "200", code=0)
        take = (lock / "take.lua").read_text()
        looks_for_one = take.replace("+ tonumber(ARGV[2]) > 3", ">= 3")
        self.assertNotEqual(take, looks_for_one)
        (lock / "take.lua").write_text(looks_for_one)
        target, = self.targets("permits", "--runs", "200", code=1)
        self.assertIn("permits", {bug["property"] for bug in self.of_kind(target, "bug")})
        # What gives out one at a time is not to blame for that.
        (lock / "take.lua").write_text("if ARGV[2] ~= '1' then return 0 end\n" + take)
        self.assertNotRegex(self.fuzz("permits", "--dry-run", code=0).stdout, r"permits( *= |=)\"?[2-9]|\.\.[2-9]\"")
        self.fuzz("permits", "--runs", "200", code=0)

    def test_a_known_bad_variant_has_a_bug(self):
        result = self.fuzz("setnx/fixed-value", "--runs", "100", code=1)
        self.assertRegex(result.stdout, r"(?m)^Bugs$")
        self.assertIn("setnx/fixed-value does not keep its contract", result.stdout)

    def test_a_promise_that_no_run_puts_to_the_test_is_unknown(self):
        self.new_lock()
        self.change("lock.toml", re.escape(PROMISES), 'promises = ["mutual-exclusion", "fencing"]')
        result = self.fuzz("my-lock", "--runs", "1", code=3)
        self.assertIn("Not put to the test: fencing", result.stdout)

    def test_a_fault_that_was_asked_after_and_never_mattered_is_unknown(self):
        self.new_lock()
        # The first workload has no replica to promote.
        asked = ("my-lock", "--runs", "5", "--faults", "promote")
        result = self.fuzz(*asked, code=3)
        self.assertRegex(" ".join(result.stdout.split()), r"Nobody knows whether \S+ survives these faults: .* "
                                              r"Mattered in no run: promote\.")
        target, = self.targets(*asked, "--junit", "asked.xml", code=3)
        self.assertEqual((target["untested_faults"], target["untested"]), (["promote"], []))
        self.assertIn("they mattered in no run", (self.program.folder / "asked.xml").read_text(encoding="utf-8"))

    def test_a_client_model_that_fails_is_told(self):
        self.new_lock()
        client = self.program.folder / "my-lock/client.lua"
        client.write_text(client.read_text().replace("function model.unlock(lock)",
                                                 "function model.unlock(lock) error('oh: 100%')"))
        result = self.fuzz("my-lock", "--runs", "20", "--annotations", "github", code=1)
        self.assertRegex(
            result.stderr,
            r"(?m)^::error file=lockstep-out/my-lock-client-failed\.toml,title=my-lock::client-failed "
            r"in 20 runs, .*oh: 100%25 "
            r"\(lockstep replay lockstep-out/my-lock-client-failed\.found\.trace\.jsonl\)$")

    def test_an_error_without_any_fault_is_a_bug(self):
        for script, words in (("local t = nil\nreturn t.x\n", "release.lua:2: attempt to index local 't'"),
                              ("return redis.call('hget', KEYS[1], 'mine')\n", "'WRONGTYPE Operation against")):
            with self.subTest(words):
                self.new_lock()
                (self.program.folder / "my-lock/release.lua").write_text(script)
                arguments = ("my-lock", "--runs", "4")
                result = self.fuzz(*arguments, "--annotations", "github", "--markdown", "table.md", code=1)
                self.assertRegex(result.stdout, r"my-lock does not keep its contract: 4 runs, 1 bug, .* "
                                 r"A request of the lock failed without any fault in \d+ runs\.")
                shown = " ".join(result.stdout.partition("\nBugs\n")[2].split())
                self.assertRegex(shown, rf"✗ error-without-fault: seen in .*{re.escape(words)}")
                self.assertRegex(result.stderr, r"(?m)^::error file=lockstep-out/my-lock-error-without-fault\.toml,")
                page = (self.program.folder / "table.md").read_text(encoding="utf-8")
                self.assertRegex(page, r"\*\*Bugs\*\*\n\n- error-without-fault in ")
                target, = self.targets(*arguments, code=1)
                told, = [each for each in target["incidents"] if each["kind"] == "error-without-fault"]
                self.assertIn(words, told["what"])
                self.assertEqual(self.program.run("replay", told["found_trace"]).returncode, 0)

    def test_what_a_script_refuses_on_purpose_is_no_error(self):
        self.new_lock()
        release = self.program.folder / "my-lock/release.lua"
        release.write_text("if redis.call('get', KEYS[1]) ~= ARGV[1] then return redis.error_reply('ERR not yours') end\n" +
                           release.read_text())
        target, = self.targets("my-lock", "--runs", "40", code=0)
        self.assertNotIn("error-without-fault", [each["kind"] for each in target["incidents"]])

    def test_is_the_same_with_any_number_of_jobs(self):
        outputs = []
        for jobs in ("1", "3"):
            result = self.fuzz("setnx/fixed-value", "--runs", "60", "--jobs", jobs, "--format", "json",
                               code=1)
            outputs.append((without_times(result.stdout), self.contents("lockstep-out")))
        self.assertEqual(outputs[0], outputs[1])
        other = self.fuzz("setnx/fixed-value", "--runs", "60", "--seed", "2", "--format", "json", code=1)
        self.assertNotEqual(without_times(other.stdout), outputs[0][0])

    def test_ends_in_time(self):
        self.new_lock()
        began = time.monotonic()
        target, = self.targets("my-lock", "--time", "3s", code=0)
        # However busy the machine is.
        self.assertLess(time.monotonic() - began, 60)
        self.assertFalse(target["interrupted"])
        self.assertGreater(target["runs"], 0)

    def test_a_dry_run_prints_scenarios_that_run(self):
        for lock in ("plain", "semaphore", "redlock"):
            result = self.fuzz(lock, "--dry-run", code=0)
            parts = re.split(r"(?m)^# -- .+ --$", result.stdout)
            self.assertEqual(parts[0], "")
            self.assertGreater(len(parts), 3)
            for number, part in enumerate(parts[1:]):
                self.program.write(f"{lock}-{number}.toml", part)
                with self.subTest(lock=lock, part=number):
                    run = self.program.run("run", f"{lock}-{number}.toml", "--seeds", "2", "--no-files")
                    # Those that break a rule of usage may break what they expect.
                    self.assertIn(run.returncode, (0, 1, 3), run.stdout + run.stderr)
                    self.assertEqual(run.stderr, "")
                    if number == 0:
                        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertNotIn("lockstep-out", self.program.files())

    def test_tells_ci_and_reviewers(self):
        self.new_lock(BLIND_ACQUIRE)
        result = self.fuzz(*FEW, "--annotations", "github", "--junit", "out/j.xml",
                           "--markdown", "out/summary.md", "--html", "out/report.html", code=1)
        annotations = [line for line in result.stderr.splitlines() if line.startswith("::error")]
        self.assertGreater(len(annotations), 0)
        self.assertRegex(annotations[0], r"^::error file=lockstep-out/my-lock-[\w-]+\.toml,title=.+::.+"
                                         r"\(lockstep replay lockstep-out/my-lock-[\w-]+\.trace\.jsonl\)$")
        suites = ElementTree.parse(self.program.folder / "out/j.xml").getroot()
        self.assertGreater(len(list(suites.iter("failure"))), 0)
        summary = (self.program.folder / "out/summary.md").read_text(encoding="utf-8")
        self.assertRegex(summary, r"(?m)^\|.*no fault")
        self.assertIn("my-lock", summary)
        page = (self.program.folder / "out/report.html").read_text(encoding="utf-8")
        self.assertIn("lockstep-out/my-lock-", page)

    def test_tells_what_got_worse(self):
        self.new_lock()
        sound = self.fuzz(*FEW, "--format", "json", code=0)
        self.program.write("before.json", sound.stdout)
        same = self.fuzz(*FEW, "--against", "before.json", code=0)
        self.assertTrue(same.stderr.endswith("Nothing got worse since before.json.\n"), same.stderr)
        lock = self.program.folder / "my-lock/lock.toml"
        as_it_was = lock.read_text()
        self.new_lock(BLIND_ACQUIRE)
        worse = self.fuzz(*FEW, "--against", "before.json", "--format", "json", "--markdown", "worse.md",
                          code=1)
        page = (self.program.folder / "worse.md").read_text(encoding="utf-8")
        self.assertRegex(page, r"(?m)^\*\*Worse than in <code>before\.json</code>\*\*\n\n- .*was ")
        self.assertNotIn("Nothing got worse", worse.stderr)
        self.assertIn("before.json", worse.stderr)
        self.assertIn("mutual-exclusion", worse.stderr)
        self.assertNotEqual(self.of_kind(json.loads(worse.stdout)["targets"][0], "bug"), [])
        # A bug that was there before is nothing worse; it is a bug all the same.
        self.program.write("worse.json", worse.stdout)
        again = self.fuzz(*FEW, "--against", "worse.json", code=1)
        self.assertTrue(again.stderr.endswith("Nothing got worse since worse.json.\n"), again.stderr)
        self.assertEqual(lock.read_text(), as_it_was)

    def test_calls_a_lock_by_its_folder_however_that_is_spelled(self):
        self.new_lock()
        settings = self.program.folder / "my-lock/lock.toml"
        settings.write_text(settings.read_text() + '\n[variants.slow]\ntitle = "slow"\n')
        self.program.write("beside/x", "")
        self.program.write("my-lock/inside/x", "")
        whole = str(self.program.folder / "my-lock")
        cases = [(".", "my-lock"), (".", "my-lock/"), (".", "./my-lock"), (".", "my-lock/."),
                 (".", "beside/../my-lock"), (".", whole), (".", whole + "/"),
                 ("my-lock", "."), ("my-lock", "./"), ("my-lock/inside", ".."),
                 ("beside", "../my-lock"), ("beside", "../my-lock/"), ("beside", "./../my-lock")]
        cases += [(folder, word + "/slow") for folder, word in (cases[0], cases[5], cases[7], cases[10])]
        # A limit is found within 8 runs; making it small takes seconds, so of most words only the name is looked at.
        saving = [("my-lock", "./"), ("beside", "../my-lock"), (".", whole + "/slow")]
        for folder, word in cases:
            with self.subTest(folder=folder, word=word):
                runs = "8" if (folder, word) in saving else "2"
                result = self.program.run("fuzz", word, "--runs", runs, "--jobs", "1", "--format", "json",
                                          folder=folder)
                self.assertIn(result.returncode, (0, 3), result.stdout + result.stderr)
                target, = json.loads(result.stdout)["targets"]
                self.assertEqual(target["target"], word)
                slow = "/slow" if word.endswith("/slow") else ""
                self.assertRegex(target["lock"], rf"(^|/)my-lock{slow}$")
                saved = [finding for finding in target["findings"] if finding["scenario"]]
                if (folder, word) in saving:
                    self.assertTrue(saved)
                name = "my-lock-slow-" if slow else "my-lock-"
                for finding in saved[:2]:
                    self.assertTrue(finding["scenario"].startswith("lockstep-out/limits/" + name), finding)
                    result = self.program.run("replay", finding["trace"], folder=folder)
                    self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_refuses_mistakes(self):
        self.program.write("safe.toml", SAFE)
        self.program.write("pause.toml", GC_PAUSE)
        self.program.write("nothing.json", "{}")
        self.program.write("plain.json", self.fuzz("plain", "--runs", "50", "--format", "json",
                                                   code=0).stdout)
        cases = [
            (("plain", "--corpus", "corpus"), "--corpus: error: 'plain' is a lock; expected scenario files"),
            (("plain", "--shard", "1/2"), "--shard: error: 'plain' is a lock; expected scenario files"),
            (("safe.toml", "--dry-run"), "--dry-run: error: 'safe.toml' is a scenario; expected locks"),
            (("safe.toml", "--markdown", "m.md"), "--markdown: error: 'safe.toml' is a scenario"),
            (("safe.toml", "--against", "plain.json"), "--against: error: 'safe.toml' is a scenario"),
            (("plain", "safe.toml", "--format", "json"), "--format: error: json is one document"),
            (("plain", "--against", "missing.json"), "missing.json"),
            (("plain", "--against", "nothing.json"), "nothing.json: error: this is no survival table"),
            (("fair", "--against", "plain.json"), "plain.json"),
            (("plian",), "unknown lock 'plian'; did you mean 'plain'"),
            (("plain/nothing",), "plain"),
        ]
        for arguments, part in cases:
            with self.subTest(arguments):
                result = self.fuzz(*arguments, code=2)
                self.assertEqual(result.stdout, "")
                self.assertIn(part, result.stderr)


if __name__ == "__main__":
    unittest.main()
