"""The cause that is told of a violation is the one that a person saw in its trace."""

import os
import sys
import unittest
from collections import Counter
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests/causes"))

import labels  # noqa: E402

# Of the labels; a vague cause says that nobody knows, and misleads nobody.
RIGHT_SHARE_MIN = 0.95


class Causes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.compared = list(labels.compare(os.environ["LOCKSTEP_BINARY"]))

    def test_are_those_of_the_labels(self):
        counts = Counter(judgement for _, _, judgement in self.compared)
        self.assertGreaterEqual(len(self.compared), 300)
        wrong = [(label["scenario"], label["property"], label["kind"], causes and causes[0]["kind"])
                 for label, causes, judgement in self.compared if judgement in ("wrong", "gone")]
        self.assertEqual(wrong, [])
        self.assertGreaterEqual(counts["right"], RIGHT_SHARE_MIN * len(self.compared))

    def test_say_something_of_each_violation(self):
        for label, causes, _ in self.compared:
            with self.subTest(scenario=label["scenario"], property=label["property"]):
                self.assertTrue(causes)
                self.assertTrue(all(cause["says"] for cause in causes))

    def test_a_wrong_label_is_noticed(self):
        label, causes, _ = self.compared[0]
        self.assertEqual(labels.judge({**label, "kind": ["overtaken"]}, causes), "wrong")
        self.assertEqual(labels.judge(label, [{**causes[0], "kind": "unknown"}]), "vague")
        self.assertEqual(labels.judge(label, None), "gone")


if __name__ == "__main__":
    unittest.main()
