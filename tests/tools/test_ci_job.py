"""tools/ci-job: one job of continuous integration, and the files that make servers call it.

tests/docs/test_ci.py searches a lock with it.
"""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
JOB = REPOSITORY / "tools" / "ci-job"


class Job(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_job(self, server, code, **variables):
        result = subprocess.run(
            [JOB, server], cwd=self.folder, text=True, capture_output=True, check=False,
            env={**os.environ, "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"), **variables})
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def test_runs_scenarios_and_writes_what_gitlab_shows(self):
        scenario = REPOSITORY / "scenarios" / "known-bugs" / "gc-pause.toml"
        self.run_job("gitlab", 0, SCENARIOS=str(scenario), SEEDS="2")
        self.assertEqual(
            json.loads((self.folder / "lockstep-out" / "run.code-quality.json").read_text(encoding="utf-8")), [])
        self.assertIn("gc-pause", (self.folder / "lockstep-out" / "run.xml").read_text(encoding="utf-8"))

    def test_a_lock_has_no_corpus(self):
        self.run_job("gitlab", 0, LOCK="setnx", BUDGET="--runs 100 --faults pause", CORPUS="true")

    def test_ends_with_the_worst_code(self):
        (self.folder / "wrong.toml").write_text("titel = 'x'\n", encoding="utf-8")
        result = self.run_job("gitlab", 2, SCENARIOS="wrong.toml")
        self.assertIn("titel", result.stderr)
        issue, *_ = json.loads(
            (self.folder / "lockstep-out" / "run.code-quality.json").read_text(encoding="utf-8"))
        self.assertEqual((issue["check_name"], issue["location"]["path"]), ("bad-input", "wrong.toml"))

    def test_wants_something_to_do(self):
        self.assertIn("expected LOCK or SCENARIOS", self.run_job("github", 2).stderr)
        self.assertIn("expected github, gitlab or key", self.run_job("jenkins", 2).stderr)


class Files(unittest.TestCase):
    def read(self, *path):
        return yaml.safe_load((REPOSITORY.joinpath(*path)).read_text(encoding="utf-8"))

    def test_the_action_gives_the_job_all_its_inputs(self):
        action = self.read("action.yml")
        job, = [step for step in action["runs"]["steps"] if "ci-job github" in step.get("run", "")]
        self.assertEqual({name.lower() for name in job["env"]}, set(action["inputs"]))
        for step in action["runs"]["steps"]:
            self.assertEqual("run" in step, "shell" in step, step)

    def test_the_template_keeps_what_the_job_writes(self):
        job = self.read("examples", "ci", "gitlab.yml")[".lockstep"]
        self.assertEqual(set(job["artifacts"]["reports"]), {"junit", "codequality"})

    def test_the_hook_is_the_linter(self):
        hook, = self.read(".pre-commit-hooks.yaml")
        result = subprocess.run([REPOSITORY / hook["entry"].split()[0], *hook["entry"].split()[1:],
                                 REPOSITORY / "scripts" / "plain" / "lock.toml"],
                                text=True, capture_output=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
