"""Every command that README.md and docs/ show works as they say."""

import re
import unittest

from commands import Command, commands_of, matches
from newcomer import REPOSITORY, Clone


def documents():
    return [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]


def all_commands():
    for document in documents():
        name = document.relative_to(REPOSITORY).as_posix()
        yield from commands_of(name, document.read_text(encoding="utf-8"))


class TheDocuments(unittest.TestCase):
    def setUp(self):
        self.clone = Clone()
        self.addCleanup(self.clone.close)

    def test_show_commands_that_work(self):
        ran = 0
        for command in all_commands():
            if command.run_by:
                continue
            ran += 1
            with self.subTest(f"{command.document}:{command.line}"):
                result = self.clone.run(command.script)
                self.assertEqual(result.returncode, command.exit_code,
                                 command.script + result.stdout + result.stderr)
                if command.prints is not None:
                    self.assertTrue(matches(command.prints, result.stdout.splitlines()),
                                    f"{command.script} prints\n{result.stdout}")
        self.assertGreater(ran, 0)

    def test_show_a_scenario_that_is_as_it_says(self):
        text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
        stories = re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        self.assertEqual(len(stories), 1)
        (self.clone.folder / "story.toml").write_text(stories[0], encoding="utf-8")
        result = self.clone.run("tools/lockstep run story.toml")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_name_who_runs_the_rest(self):
        for command in all_commands():
            if not command.run_by:
                continue
            with self.subTest(f"{command.document}:{command.line}"):
                runner = (REPOSITORY / command.run_by).read_text(encoding="utf-8")
                for word in command.script.split():
                    if word.startswith(("tools/", ".ci/")) and word != command.run_by:
                        self.assertIn(word, runner)

    def test_link_to_files_that_exist(self):
        for document in documents():
            for target in links_of(document.read_text(encoding="utf-8")):
                with self.subTest(f"{document.name}: {target}"):
                    self.assertTrue((document.parent / target).exists(), target)


def links_of(text):
    """The relative targets of Markdown links and pictures, without their #fragments."""
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target and not target.startswith("#"):
            yield target.split("#")[0]


class TheReader(unittest.TestCase):
    DOCUMENT = """\
Text.
```sh
first one
second
```
<!-- exit: 1 -->
```sh
third
```

```text
out
…
```
```toml
sh = "no command"
```
<!-- run by: .ci/run -->
```sh
fourth
```
Words.
```text
of nobody
```
"""

    def test_finds_blocks_with_their_places_and_notes(self):
        self.assertEqual(commands_of("d.md", self.DOCUMENT), [
            Command("d.md", 2, "first one\nsecond\n"),
            Command("d.md", 7, "third\n", exit_code=1, prints=["out", "…"]),
            Command("d.md", 19, "fourth\n", run_by=".ci/run"),
        ])

    def test_refuses_a_fence_that_is_never_closed(self):
        with self.assertRaises(ValueError):
            commands_of("d.md", "```sh\nls\n")

    def test_compares_output_to_the_byte_but_for_ellipses(self):
        self.assertTrue(matches(["a", "b"], ["a", "b"]))
        self.assertFalse(matches(["a", "b"], ["a", "b", "c"]))
        self.assertFalse(matches(["a.c"], ["abc"]))
        self.assertTrue(matches(["a", "…", "d"], ["a", "b", "c", "d"]))
        self.assertTrue(matches(["a", "…"], ["a"]))
        self.assertFalse(matches(["a", "…", "d"], ["a", "b"]))

    def test_finds_relative_links(self):
        self.assertEqual(list(links_of("[a](b.md#c) ![](d.svg) [e](https://f) [g](#h)")),
                         ["b.md", "d.svg"])


if __name__ == "__main__":
    unittest.main()
