"""The names that docs/architecture.md drops are those of the code."""

import re
import sys
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests" / "architecture"))

import house_rules  # noqa: E402

DOCUMENT = REPOSITORY / "docs" / "architecture.md"


def names_in(text):
    """What stands in backquotes and looks like a path, a name, or names joined by ::."""
    for quoted in re.findall(r"`([^`\n]+)`", text):
        if re.fullmatch(r"[\w./-]+/|[\w.-]+(/[\w.-]+)+|[A-Za-z_]\w*(::\w+)*|[a-z]+(-[a-z]+)+",
                        quoted):
            yield quoted


def unknown_names(text, root):
    """Those that are neither a file or folder below root nor words of its code."""
    code = "\n".join((root / path).read_text(encoding="utf-8")
                     for path in house_rules.files_below(root)
                     if path.endswith((".h", ".cpp", ".lua", ".toml", ".cmake"))
                     and not path.startswith("tests/"))
    words = set(re.findall(r"\w+(?:-\w+)*", code)) | set(re.findall(r"\w+", code))
    for name in names_in(text):
        if "/" in name:
            # A folder may be named as its room calls it.
            is_inner = name.endswith("/") and any(root.glob(f"*/{name}"))
            if not (root / name).exists() and not is_inner and "NAME" not in name:
                yield name
        elif not set(name.split("::")) <= words | {"NAME"}:
            yield name


class TheDocument(unittest.TestCase):
    def test_names_what_exists(self):
        text = DOCUMENT.read_text(encoding="utf-8")
        self.assertGreater(len(list(names_in(text))), 40)
        self.assertEqual(list(unknown_names(text, REPOSITORY)), [])

    def test_is_read_closely_enough_to_catch_a_name_that_is_gone(self):
        planted = "`Network::sent_twice` `sim/nothing.h` `no-such-event` `NotThere` `sim::Host`"
        self.assertEqual(list(unknown_names(planted, REPOSITORY)),
                         ["Network::sent_twice", "sim/nothing.h", "no-such-event", "NotThere"])


if __name__ == "__main__":
    unittest.main()
