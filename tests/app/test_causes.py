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
# field: the share of the right causes that name the reader's, as data or in words. Readers and program may take another
# step of the same story for the decisive one, so that some name another one.
FIELD_SHARE_MIN = {"victim": 0.95, "culprit": 0.95, "operation": 0.85, "server": 0.95, "at_ms": 0.95}
OTHER_SHARE_MAX = 0.06


class Causes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.compared, cls.too_late = labels.compare(os.environ["LOCKSTEP_BINARY"])

    def test_are_those_of_the_labels(self):
        counts = Counter(judgement for _, _, judgement in self.compared)
        self.assertGreaterEqual(len(self.compared), 300)
        wrong = [(label["scenario"], label["property"], label["kind"], causes and causes[0]["kind"])
                 for label, causes, judgement in self.compared if judgement in ("wrong", "gone")]
        self.assertEqual(wrong, [])
        self.assertGreaterEqual(counts["right"], RIGHT_SHARE_MIN * len(self.compared))

    def test_agree_in_the_fields(self):
        for field, share_min in FIELD_SHARE_MIN.items():
            judged = Counter(labels.judge_field(field, label, causes)
                             for label, causes, judgement in self.compared if judgement == "right")
            del judged[None]
            with self.subTest(field=field, judged=judged):
                self.assertLessEqual(judged["other"], OTHER_SHARE_MAX * judged.total())
                self.assertGreaterEqual(judged["right"] + judged["told"], share_min * judged.total())

    def test_come_before_what_they_explain(self):
        self.assertEqual(self.too_late, [])

    def test_say_something_of_each_violation(self):
        for label, causes, _ in self.compared:
            with self.subTest(scenario=label["scenario"], property=label["property"]):
                self.assertTrue(causes)
                self.assertTrue(all(cause["says"] for cause in causes))

    def test_a_wrong_label_is_noticed(self):
        label, causes, _ = self.compared[0]
        self.assertEqual(labels.judge_field("server", {**label, "server": "n99"}, causes), "other")
        self.assertEqual(labels.judge({**label, "kind": ["overtaken"]}, causes), "wrong")
        self.assertEqual(labels.judge(label, [{**causes[0], "kind": "unknown"}]), "vague")
        self.assertEqual(labels.judge(label, None), "gone")


if __name__ == "__main__":
    unittest.main()
