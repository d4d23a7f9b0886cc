"""The workflow that docs/ci.md shows is one, and its commands are lockstep's."""

import re
import unittest

import yaml
from newcomer import REPOSITORY, Clone


def workflows():
    text = (REPOSITORY / "docs" / "ci.md").read_text(encoding="utf-8")
    return [yaml.safe_load(block)
            for block in re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)]


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

    def test_run_commands_that_lockstep_takes(self):
        clone = Clone()
        self.addCleanup(clone.close)
        clone.run("mkdir locks && cd locks && ../tools/lockstep new lock my-lock")
        ran = 0
        for workflow in workflows():
            for job in workflow["jobs"].values():
                for step in job["steps"]:
                    if "run" not in step:
                        continue
                    ran += 1
                    script = step["run"].replace("lockstep/tools/", "tools/")
                    # The naive lock of the template breaks within the first runs.
                    result = clone.run(script.replace("--time 5m", "--time 5s"))
                    self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                    self.assertIn("::error file=lockstep-out/my-lock-", result.stderr)
        self.assertGreater(ran, 0)


if __name__ == "__main__":
    unittest.main()
