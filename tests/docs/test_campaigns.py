"""The files of docs/campaigns and examples/clusterfuzzlite are what they are said to be."""

import re
import subprocess
import unittest

import yaml
from newcomer import REPOSITORY, Clone

CAMPAIGNS = REPOSITORY / "docs" / "campaigns"
SEARCH = """\
title  = "Processes stop for a while"
lock   = "LOCK"
expect = { holds = "mutual-exclusion" }
faults = ["pause"]

[[client]]
name  = "w"
count = 2
start = "0ms..5ms"
run   = ["lock lease=10s", "write", "unlock"]
"""
CLUSTERFUZZLITE = REPOSITORY / "examples" / "clusterfuzzlite" / ".clusterfuzzlite"


def loaded(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


class TheKubernetesJob(unittest.TestCase):
    def setUp(self):
        self.job = loaded(CAMPAIGNS / "kubernetes-job.yaml")
        self.pod = self.job["spec"]["template"]["spec"]

    def test_has_what_an_indexed_job_needs(self):
        self.assertEqual((self.job["apiVersion"], self.job["kind"]), ("batch/v1", "Job"))
        self.assertEqual(self.job["spec"]["completionMode"], "Indexed")
        self.assertLessEqual(self.job["spec"]["parallelism"], self.job["spec"]["completions"])
        self.assertIn(self.pod["restartPolicy"], ("Never", "OnFailure"))
        container, = self.pod["containers"]
        self.assertTrue(container["image"])
        mounted = {mount["name"] for mount in container["volumeMounts"]}
        self.assertEqual(mounted, {volume["name"] for volume in self.pod["volumes"]})

    def test_makes_the_part_of_each_index_and_all_are_the_whole(self):
        clone = Clone()
        self.addCleanup(clone.close)
        clone.run("mkdir my-lock")
        (clone.folder / "my-lock" / "search.toml").write_text(SEARCH.replace("LOCK", "plain"))
        script, = self.pod["containers"][0]["args"]
        count = self.job["spec"]["completions"]
        self.assertIn(f"--shard $shard/{count} ", script)
        script = (script.replace("/lockstep/tools/", "tools/").replace("/results/", "results/")
                  .replace("--runs 10000000", "--runs 1000")
                  .replace("--keep-going ", "")
                  .replace(f"/{count} ", "/2 "))
        for index in range(2):
            result = clone.run(f"JOB_COMPLETION_INDEX={index}\n{script}")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        result = clone.run("tools/lockstep merge results/shard-* -o results")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, r"not as expected: 1 finding in \d+ runs")


class TheWorkflow(unittest.TestCase):
    def setUp(self):
        self.workflow = loaded(CAMPAIGNS / "github-matrix.yml")
        self.jobs = self.workflow["jobs"]

    def test_has_what_a_workflow_needs(self):
        # YAML 1.1 reads the key "on" as true.
        self.assertIn("schedule", self.workflow[True])
        for job in self.jobs.values():
            self.assertRegex(job["runs-on"], r"^ubuntu-\d\d\.\d\d$")
            self.assertIsInstance(job["timeout-minutes"], int)
            for step in job["steps"]:
                self.assertEqual(len({"uses", "run"} & set(step)), 1, step)
            self.assertIn(job.get("needs", "part"), self.jobs)

    def test_makes_each_part_once(self):
        shards = self.jobs["part"]["strategy"]["matrix"]["shard"]
        self.assertEqual(shards, list(range(1, len(shards) + 1)))
        runs = [step["run"] for step in self.jobs["part"]["steps"] if "run" in step]
        self.assertEqual(len(runs), 1)
        self.assertIn(f"--shard ${{{{ matrix.shard }}}}/{len(shards)} ", runs[0])

    def test_runs_commands_that_lockstep_takes(self):
        clone = Clone()
        self.addCleanup(clone.close)
        clone.run("mkdir locks && cd locks && ../tools/lockstep new lock my-lock")
        search = clone.folder / "locks" / "my-lock" / "search.toml"
        search.write_text(SEARCH.replace("LOCK", "../my-lock"), encoding="utf-8")
        part, = [step["run"] for step in self.jobs["part"]["steps"] if "run" in step]
        part = part.replace("lockstep/tools/", "tools/").replace("--runs 2000000", "--runs 600")
        # All that can break in this lock would take long to shrink.
        part = part.replace("--keep-going ", "")
        for shard in (1, 2):
            script = part.replace("${{ matrix.shard }}/8", f"{shard}/2").replace(
                "${{ matrix.shard }}", str(shard))
            # Each part has the corpus of before, and its own copy of it.
            result = clone.run(f"rm -rf corpus && {script}\n"
                               f"mkdir -p parts/part-{shard}\n"
                               f"mv out-{shard} corpus parts/part-{shard}/")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        together, merge = [step["run"] for step in self.jobs["together"]["steps"] if "run" in step]
        result = clone.run(together.replace("lockstep/tools/", "tools/"))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"locks/my-lock/search.toml: [1-9]\d* entries, ")
        result = clone.run(merge.replace("lockstep/tools/", "tools/"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("::error file=lockstep-out/search-", result.stderr)
        self.assertTrue((clone.folder / "lockstep-out" / "junit.xml").exists())


class TheClusterFuzzLiteFiles(unittest.TestCase):
    def test_have_what_it_wants(self):
        project = loaded(CLUSTERFUZZLITE / "project.yaml")
        self.assertEqual(project["language"], "c++")
        self.assertEqual(project["fuzzing_engines"], ["libfuzzer"])
        dockerfile = (CLUSTERFUZZLITE / "Dockerfile").read_text(encoding="utf-8")
        self.assertTrue(dockerfile.startswith("FROM gcr.io/oss-fuzz-base/base-builder"))
        self.assertRegex(dockerfile, r"COPY \.clusterfuzzlite/build\.sh \$SRC/")

    def test_install_what_the_build_needs(self):
        dockerfile = (CLUSTERFUZZLITE / "Dockerfile").read_text(encoding="utf-8")
        packages = (REPOSITORY / "tools" / "packages").read_text(encoding="utf-8")
        needed = re.findall(r"^run +(\S+)", packages, re.MULTILINE)
        # The base image has its own compiler, and nothing is drawn there.
        for package in set(needed) - {"g++", "fonts-dejavu-core"}:
            self.assertIn(package, dockerfile.split())

    def test_build_targets_that_there_are(self):
        script = CLUSTERFUZZLITE / "build.sh"
        self.assertEqual(subprocess.run(["bash", "-n", script], check=False).returncode, 0)
        text = script.read_text(encoding="utf-8")
        target = re.search(r"^ninja \S+ \S+ (\w+)$", text, re.MULTILINE).group(1)
        built = (REPOSITORY / "tests" / "choices_fuzz" / "CMakeLists.txt").read_text(encoding="utf-8")
        self.assertIn(f"add_executable({target} ", built)
        for option in re.findall(r"-D(LOCKSTEP_\w+)=", text):
            self.assertIn(f"option({option} ", (REPOSITORY / "CMakeLists.txt").read_text())
        source = (REPOSITORY / "tests/choices_fuzz/choices_fuzz.cpp").read_text(encoding="utf-8")
        for variable in set(re.findall(r"\b(LOCKSTEP_[A-Z]+)=\"", text)):
            self.assertIn(f'environment("{variable}"', source)


if __name__ == "__main__":
    unittest.main()
