"""The workflow that docs/ci.md shows is one, and its commands are lockstep's."""

import re
import unittest

import yaml
from newcomer import REPOSITORY, Clone


def workflows():
    text = (REPOSITORY / "docs" / "ci.md").read_text(encoding="utf-8")
    return [yaml.safe_load(block)
            for block in re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)]


def scenario():
    """What locks/my-lock/search.toml is, as the document shows it."""
    text = (REPOSITORY / "docs" / "ci.md").read_text(encoding="utf-8")
    block, = re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return block


class TheWorkflows(unittest.TestCase):
    def test_have_what_a_workflow_needs(self):
        self.assertGreater(len(workflows()), 0)
        for workflow in workflows():
            # YAML 1.1 reads the key "on" as true.
            self.assertIn("pull_request", workflow[True])
            for job in workflow["jobs"].values():
                self.assertRegex(job["runs-on"], r"^ubuntu-\d\d\.\d\d$")
                self.assertIsInstance(job["timeout-minutes"], int)
                for step in job["steps"]:
                    self.assertEqual(len({"uses", "run"} & set(step)), 1, step)

    def test_keep_what_lockstep_leaves_also_where_it_fails(self):
        for workflow in workflows():
            kept = [step for job in workflow["jobs"].values() for step in job["steps"]
                    if step.get("uses", "").startswith("actions/upload-artifact@")]
            self.assertEqual([(step["if"], step["with"]["path"]) for step in kept],
                             [("always()", "lockstep-out/")])

    def run_steps(self, clone):
        """What each command of the workflows comes to, in fewer runs."""
        for workflow in workflows():
            for job in workflow["jobs"].values():
                for step in job["steps"]:
                    if "run" in step:
                        yield clone.run("export GITHUB_STEP_SUMMARY=summary.md\n" + in_few_runs(step["run"]))

    def test_pass_a_lock_that_holds_and_fail_where_it_was_broken(self):
        clone = Clone()
        self.addCleanup(clone.close)
        clone.run("mkdir locks && cd locks && ../tools/lockstep new lock my-lock")
        lock = clone.folder / "locks" / "my-lock"
        (lock / "search.toml").write_text(scenario(), encoding="utf-8")
        kept = clone.run(in_few_runs("lockstep/tools/lockstep fuzz locks/my-lock --runs 5000 --format json "
                                     ">locks/my-lock/survives.json"))
        self.assertEqual(kept.returncode, 0, kept.stdout + kept.stderr)
        results = list(self.run_steps(clone))
        self.assertEqual(len(results), 2)
        for result in results:
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertNotIn("::error", result.stderr)
        self.assertIn("Nothing got worse since locks/my-lock/survives.json", results[0].stderr)
        self.assertIn("my-lock keeps its contract",
                      (clone.folder / "summary.md").read_text(encoding="utf-8"))
        # A release that does not look whose lock it deletes.
        (lock / "release.lua").write_text("return redis.call('del', KEYS[1])\n", encoding="utf-8")
        by_contract, by_scenario = self.run_steps(clone)
        for result, name in ((by_contract, "my-lock-"), (by_scenario, "search-lease-linear")):
            self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
            self.assertRegex(result.stderr, rf"(?m)^::error file=lockstep-out/{name}")
        self.assertIn("Worse than in locks/my-lock/survives.json", by_contract.stderr)


def in_few_runs(command):
    assert "--time 5m" in command or "--runs 5000" in command, command
    return command.replace("lockstep/tools/", "tools/").replace("--time 5m", "--runs 500") \
        .replace("--runs 5000", "--runs 500")


if __name__ == "__main__":
    unittest.main()
