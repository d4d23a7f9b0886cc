"""A lock that whole processes own is judged, and its violations explained, as one that threads own: where each process
has one thread, the same stories come to the same verdicts, for the same causes, told with the same words."""

import json
import re
import shutil
import unittest

from program import REPOSITORY, Program

STORIES = ("scenarios/fair", "scenarios/fenced", "scenarios/known-bugs", "scenarios/readwrite",
           "scenarios/redisson-redlock", "tests/causes/stories")
LOCKS = ("fair", "fenced", "plain", "readwrite", "redisson-redlock", "redlock", "setnx", "spin")
OWNERS = ("thread", "process")


def of_threads(told):
    """a/1 → a"""
    return re.sub(r"\b([\w-]+)/1\b", r"\1", told)


class ProcessOwners(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = Program()
        for owner in OWNERS:
            cls.lay_out(owner)

    @classmethod
    def tearDownClass(cls):
        cls.program.close()

    @classmethod
    def lay_out(cls, owner):
        """The stories of one thread a process, and the locks, which that owner holds."""
        locks = cls.program.folder / owner / "locks"
        shutil.copytree(REPOSITORY / "scripts", locks)
        for manifest in locks.glob("*/lock.toml"):
            text = manifest.read_text(encoding="utf-8").replace("\n[state]\n", f'\n[state]\nowner = "{owner}"\n')
            text = re.sub(r'(?m)^base = "(\w+)"$', r'base = "../\1"', text)
            manifest.write_text(text, encoding="utf-8")
        for folder in STORIES:
            # Every other one: each is run twice.
            for path in sorted((REPOSITORY / folder).glob("*.toml"))[::2]:
                text = path.read_text(encoding="utf-8")
                lock = re.search(r'(?m)^lock\s*=\s*"([^"]*)"', text)
                if lock is None or lock[1] not in LOCKS or re.search(r"(?m)^(threads|base)\s*=", text):
                    continue
                named = f'lock = "../locks/{lock[1]}"'
                cls.program.write(f"{owner}/stories/{path.parent.name}-{path.name}",
                                  text.replace(lock[0], named, 1))

    def told(self, owner):
        """scenario → what broke, and of each what is said"""
        result = self.program.run("run", "stories", "--no-files", "--format", "json", folder=owner)
        found = {}
        for each in json.loads(result.stdout)["scenarios"]:
            broken = sorted(one["property"] for one in each["properties"] if one["violated"] > 0)
            said = json.dumps([one.get("causes") for one in (each["example"] or {}).get("verdicts", [])])
            found[each["path"]] = (broken, json.loads(of_threads(said)))
        return found

    def test_are_told_of_as_their_threads_are(self):
        threads, processes = (self.told(owner) for owner in OWNERS)
        self.assertGreater(sum(1 for broken, _ in threads.values() if broken), 50)
        self.assertEqual(threads.keys(), processes.keys())
        for story, told in threads.items():
            with self.subTest(story):
                self.assertEqual(told, processes[story])


if __name__ == "__main__":
    unittest.main()
