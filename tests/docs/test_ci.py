"""The workflow that docs/ci.md shows is one, and its commands are lockstep's."""

import json
import re
import shlex
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


def steps_of_lockstep():
    """The inputs of each step that uses the action."""
    for workflow in workflows():
        for job in workflow.get("jobs", {}).values():
            for step in job["steps"]:
                if step["uses"] == "./lockstep":
                    yield step["with"]


class TheWorkflows(unittest.TestCase):
    def test_have_what_a_workflow_needs(self):
        jobs = [job for workflow in workflows() for job in workflow.get("jobs", {}).values()]
        self.assertEqual(len(jobs), 2)
        for job in jobs:
            self.assertRegex(job["runs-on"], r"^ubuntu-\d\d\.\d\d$")
            self.assertIsInstance(job["timeout-minutes"], int)

    def test_give_the_action_inputs_that_it_has(self):
        action = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
        for inputs in steps_of_lockstep():
            self.assertLessEqual(set(inputs), set(action["inputs"]))

    def run_steps(self, clone):
        """What each step comes to, in fewer runs."""
        for inputs in list(steps_of_lockstep())[1:]:
            variables = {name.upper(): value for name, value in inputs.items()}
            variables["BUDGET"] = "--runs 500"
            words = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
            yield clone.run(f"export GITHUB_STEP_SUMMARY=summary.md\n{words} tools/ci-job github")

    def test_pass_a_lock_that_holds_and_fail_where_it_was_broken(self):
        clone = Clone()
        self.addCleanup(clone.close)
        clone.run("mkdir locks && cd locks && ../tools/lockstep new lock my-lock")
        lock = clone.folder / "locks" / "my-lock"
        (lock / "search.toml").write_text(scenario(), encoding="utf-8")
        kept = clone.run("tools/lockstep fuzz locks/my-lock --runs 500 --format json >locks/my-lock/survives.json")
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
        document = json.loads((clone.folder / "lockstep-out" / "search.sarif").read_text(encoding="utf-8"))
        self.assertGreater(len(document["runs"][0]["results"]), 0)


if __name__ == "__main__":
    unittest.main()
