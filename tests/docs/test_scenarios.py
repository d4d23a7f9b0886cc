"""Every scenario in the reference is one that lockstep takes, and every key is described there."""

import json
import re
import unittest

from newcomer import REPOSITORY, Clone

HEAD = 'title = "A fragment"\nlock = "plain"\n'
EXPECT = 'expect = { holds = "mutual-exclusion" }\n'
CLIENTS = """
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]

[[client]]
name = "b"
run  = ["lock lease=10s", "write", "unlock"]
"""
FAMILY = HEAD + EXPECT + CLIENTS


def text():
    return (REPOSITORY / "docs" / "scenarios.md").read_text(encoding="utf-8")


def whole(fragment):
    """A fragment with what a scenario needs besides."""
    if "base " in fragment:
        return fragment
    head = "" if "title " in fragment else HEAD
    if "expect " not in fragment and "[expect]" not in fragment:
        head += EXPECT
    needs_clients = "[[client]]" not in fragment
    return head + fragment + (CLIENTS if needs_clients else "")


def keys_of(schema):
    """Every key that the schema knows, with those of its parts."""
    keys = set()
    if isinstance(schema, dict):
        keys |= set(schema.get("properties", {}))
        for part in schema.values():
            keys |= keys_of(part)
    if isinstance(schema, list):
        for part in schema:
            keys |= keys_of(part)
    return keys


class TheReference(unittest.TestCase):
    def setUp(self):
        self.clone = Clone()
        self.addCleanup(self.clone.close)

    def test_shows_scenarios_that_lockstep_takes(self):
        pages = "".join((REPOSITORY / "docs" / name).read_text(encoding="utf-8")
                        for name in ("scenarios.md", "faults.md", "sentinel.md", "cluster.md"))
        examples = re.findall(r"^```toml\n(.*?)^```", pages, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(examples), 8)
        (self.clone.folder / "family.base.toml").write_text(FAMILY, encoding="utf-8")
        for example in examples:
            with self.subTest(example):
                (self.clone.folder / "story.toml").write_text(whole(example), encoding="utf-8")
                result = self.clone.run("tools/lockstep run story.toml --dry-run")
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_shows_whole_scenarios_that_are_as_they_say(self):
        examples = re.findall(r"^```toml\n(title .*?)^```", text(), re.MULTILINE | re.DOTALL)
        self.assertGreater(len(examples), 0)
        for example in examples:
            with self.subTest(example):
                (self.clone.folder / "story.toml").write_text(example, encoding="utf-8")
                result = self.clone.run("tools/lockstep run story.toml --seeds 5 --no-files")
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_describes_every_key(self):
        schema = json.loads(self.clone.run("tools/lockstep schema").stdout)
        documents = text()
        faults = REPOSITORY / "docs" / "faults.md"
        if faults.exists():
            documents += faults.read_text(encoding="utf-8")
        described = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`[^`]*`", documents))))
        keys = keys_of(schema)
        self.assertGreater(len(keys), 60)
        self.assertEqual(sorted(keys - described), [])


if __name__ == "__main__":
    unittest.main()
