"""Every command that README.md and docs/ show works as they say."""

import re
import unittest

from commands import Command, commands_of, files_of, matches, not_run_by
from newcomer import REPOSITORY, Clone


def documents():
    return [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]


def all_commands():
    for document in documents():
        name = document.relative_to(REPOSITORY).as_posix()
        yield from commands_of(name, document.read_text(encoding="utf-8"))


class TheirLength(unittest.TestCase):
    def test_is_bounded(self):
        """A user reads all of it: what is added takes the place of something, or is said once.

        Not of the survival tables, whose lines a search writes.
        """
        words = sum(len(document.read_text(encoding="utf-8").split()) for document in documents()
                    if document.name != "survival.md")
        self.assertLessEqual(words, 28_000)


class TheDocuments(unittest.TestCase):
    def setUp(self):
        self.clone = Clone()
        self.addCleanup(self.clone.close)

    def test_show_commands_that_work(self):
        ran = 0
        for command in all_commands():
            if command.run_by or command.not_run:
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
                self.assertEqual(not_run_by(command, runner), [],
                                 f"{command.run_by} does not run it so; write \"not run: WHY\" where "
                                 "nobody does")

    def test_link_to_files_and_headings_that_exist(self):
        readmes = [path for folder in ("scripts", "scenarios", "examples")
                   for path in sorted((REPOSITORY / folder).rglob("README.md")) if "node_modules" not in path.parts]
        for document in [*documents(), *readmes]:
            for target, heading in links_of(document.read_text(encoding="utf-8")):
                with self.subTest(f"{document.relative_to(REPOSITORY)}: {target}#{heading}"):
                    path = document.parent / target if target else document
                    self.assertTrue(path.exists(), target)
                    if heading and path.suffix == ".md":
                        self.assertIn(heading, headings_of(path.read_text(encoding="utf-8")))


def without_blocks(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def links_of(text):
    """The relative targets of Markdown links and pictures, each as a path and the heading in it."""
    for target in re.findall(r"\]\(([^)\s]+)\)", without_blocks(text)):
        if "://" not in target:
            path, _, heading = target.partition("#")
            yield path, heading


def headings_of(text):
    """How links name the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", without_blocks(text), re.MULTILINE)
    words = [re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", each)) for each in headings]
    return {each.strip().lower().replace(" ", "-") for each in words}


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
<!-- run by: .ci/run, with smaller numbers -->
```sh
fifth
```
<!-- not run: takes a day -->
```sh
sixth
```
<!-- run by: .ci/run -->
<!-- exit: 2 -->
```sh
seventh
```
<!-- file: x.toml -->
```toml
key = 1
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
            Command("d.md", 23, "fifth\n", run_by=".ci/run", smaller_numbers=True),
            Command("d.md", 27, "sixth\n", not_run="takes a day"),
            Command("d.md", 32, "seventh\n", exit_code=2, run_by=".ci/run"),
        ])

    def test_finds_the_files_that_are_shown(self):
        self.assertEqual(files_of(self.DOCUMENT), {"x.toml": "key = 1\n"})

    def test_sees_which_lines_a_runner_does_not_run(self):
        runner = """\
# tools/a --x
"$repository/tools/a" --n 5 "$repository"/b/*.toml
it's no line
"""
        for line, smaller, is_run in [
                ("tools/a --n 5 b/*.toml", False, True),
                ("X=1 tools/a --n 5 b/*.toml  # so", False, True),
                ("tools/a", False, False),
                ("tools/a --x", False, False),
                ("tools/a --n 6 b/*.toml", False, False),
                ("tools/a --n 6 b/*.toml", True, True),
                ("tools/a --n 4 b/*.toml", True, False),
                ("tools/a --m 6 b/*.toml", True, False)]:
            with self.subTest(line):
                command = Command("d.md", 1, line + "\n", run_by="run", smaller_numbers=smaller)
                self.assertEqual(not_run_by(command, runner), [] if is_run else [line])
        for line, is_run in [("tools/x keep a/b.toml --mended 5", True), ("tools/x keep --all", False)]:
            command = Command("d.md", 1, line + "\n", run_by="test.py")
            self.assertEqual(not_run_by(command, 'run("keep", path, "--mended")'),
                             [] if is_run else [line])

    def test_sees_a_runner_that_reads_the_document(self):
        command = Command("docs/d.md", 1, "first one\n", run_by="test.py")
        self.assertEqual(not_run_by(command, 'commands_of(read("d.md"))'), [])
        self.assertEqual(not_run_by(command, 'commands_of(read("e.md"))'), ["first one"])

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
        self.assertEqual(list(links_of("[a](b.md#c) ![](d.svg) [e](https://f) [g](#h)\n```sh\n[i](j)\n```\n")),
                         [("b.md", "c"), ("d.svg", ""), ("", "h")])

    def test_finds_headings_as_links_name_them(self):
        self.assertEqual(headings_of("# Redis's `set`\n```sh\n# no heading\n```\n## [What](b.md) got worse?\n"),
                         {"rediss-set", "what-got-worse"})


if __name__ == "__main__":
    unittest.main()
