"""tools/in_turn.py: each commit looks at a part, and all together at everything."""

import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import in_turn  # noqa: E402


def part_at(commit, items, parts):
    told = subprocess.CompletedProcess([], 0 if commit else 128, stdout=commit)
    with mock.patch.object(in_turn.subprocess, "run", return_value=told):
        return in_turn.part_of(items, parts)


class InTurn(unittest.TestCase):
    def test_four_parts_are_everything_once(self):
        items = list(range(11))
        seen = [part_at(f"3a7273d{last}\n", items, 4) for last in "4567"]
        self.assertEqual(sorted(sum(seen, [])), items)
        self.assertTrue(all(2 <= len(each) <= 3 for each in seen))

    def test_a_list_that_is_too_short_is_seen_whole(self):
        self.assertEqual([part_at(f"a{last}", ["one"], 4) for last in "0123"], [["one"]] * 4)

    def test_without_git_it_is_the_first_part(self):
        self.assertEqual(part_at("", ["a", "b", "c"], 2), ["a", "c"])


if __name__ == "__main__":
    unittest.main()
