"""The commands that the documents show, as a test can run them.

A command block is a fence marked ```sh. It is run by `sh -e` in a copy of the repository's data;
HTML comments on the lines above may say what is special:

    <!-- exit: 1 -->              the exit code that the block ends with (otherwise 0)
    <!-- run by: .ci/run -->      not run here (it installs, or takes long), but by the file named:
                                  each of its lines, with the same arguments
    <!-- run by: .ci/run, with smaller numbers -->
                                  the same, but for numbers
    <!-- not run: takes an hour -->   by nobody, and why
    <!-- file: NAME -->           above another block: what the file has, for who runs the commands

A fence marked ```text right below a command block is what the block prints, to the byte; a line of
it that is only "…" stands for any number of lines.
"""

import re
import shlex
from dataclasses import dataclass


@dataclass
class Command:
    """One command block of a document."""

    document: str
    line: int
    script: str
    exit_code: int = 0
    run_by: str = ""
    smaller_numbers: bool = False
    not_run: str = ""
    prints: list | None = None  # lines; None: not said


_EXIT = re.compile(r"^<!-- exit: (\d+) -->$")
_RUN_BY = re.compile(r"^<!-- run by: (\S+?)(, with smaller numbers)? -->$")
_NOT_RUN = re.compile(r"^<!-- not run: (\S.*) -->$")


def _fence_end(lines, start):
    for index in range(start + 1, len(lines)):
        if lines[index].rstrip() == "```":
            return index
    raise ValueError(f"line {start + 1}: this fence is never closed")


def _said_above(lines, index, pattern):
    """What an HTML comment above a block says."""
    while index > 0 and lines[index - 1].startswith("<!-- "):
        index -= 1
        if found := pattern.match(lines[index]):
            return found
    return None


def files_of(text):
    """The files that a document shows: blocks below an HTML comment "file: NAME", by name."""
    return dict(re.findall(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


def commands_of(document, text):
    """The command blocks of a document, in order."""
    lines = text.splitlines()
    commands = []
    index = 0
    follows_command = False
    while index < len(lines):
        line = lines[index].rstrip()
        if not line.startswith("```"):
            follows_command = follows_command and not line
            index += 1
            continue
        end = _fence_end(lines, index)
        content = lines[index + 1 : end]
        if line == "```text" and follows_command:
            commands[-1].prints = content
        follows_command = line == "```sh"
        if follows_command:
            exit_code, run_by, not_run = (_said_above(lines, index, each)
                                          for each in (_EXIT, _RUN_BY, _NOT_RUN))
            commands.append(
                Command(document, index + 1, "\n".join(content) + "\n",
                        int(exit_code.group(1)) if exit_code else 0,
                        run_by.group(1) if run_by else "",
                        bool(run_by and run_by.group(2)),
                        not_run.group(1) if not_run else ""))
        index = end + 1
    return commands


def words_of(line):
    """The words of a line of shell, without settings in front and without the repository's path; none
    where it is no line of its own."""
    try:
        words = [word.removeprefix("$repository/") for word in shlex.split(line, comments=True)]
    except ValueError:
        return []
    while words and re.match(r"\w+=", words[0]):
        words.pop(0)
    return words


def _is_run_as(shown, run, smaller_numbers):
    return len(shown) == len(run) and all(
        a == b or (smaller_numbers and a.isdigit() and b.isdigit() and int(b) <= int(a))
        for a, b in zip(shown, run))


def not_run_by(command, runner):
    """The lines of a block that the text of its runner, shell or Python, does not have. Of Python it
    must have the words that are neither paths nor numbers, as literals; or it takes them out of the
    document itself."""
    if "commands_of" in runner and f'"{command.document.rpartition("/")[2]}"' in runner:
        return []
    missing = []
    for line in command.script.splitlines():
        shown = words_of(line)
        if command.run_by.endswith(".py"):
            plain = [word for word in shown if re.fullmatch(r"-*[a-z][a-z-]*", word)]
            is_run = bool(plain) and all(f'"{word}"' in runner for word in plain)
        else:
            is_run = any(_is_run_as(shown, words_of(each), command.smaller_numbers)
                         for each in runner.splitlines())
        if shown and not is_run:
            missing.append(line)
    return missing


def matches(expected, printed):
    """Whether the printed lines are the expected ones, "…" standing for any number of lines."""
    pattern = "".join("(?:.*\n)*" if line.strip() == "…" else re.escape(line) + "\n"
                      for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None
