"""What a new user asks, as scenario files: their parts, and the lines that a run suggests pasted."""

import json
import re
import unittest

from program import Program

CLIENTS = """
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "sleep 5s", "unlock"]

[[client]]
name  = "b"
start = "0ms..5ms"
run   = ["lock lease=10s", "write", "sleep 5s", "unlock"]
"""

IN_TURN = CLIENTS.replace('"0ms..5ms"', '"1s"')

MASTERS = dict.fromkeys(("plain", "fair", "setnx", "spin"), "") | dict.fromkeys(
    ("redlock", "redisson-redlock"), "\n[redis]\nmasters = 3\n")

SENTINEL = """
[redis]
topology = "sentinel"
replicas = 2
sentinel = { down_after = "1s" }
"""


def scenario(faults, redis="", holds="mutual-exclusion", clients=CLIENTS):
    return (f'title  = "Does it survive?"\nlock   = "plain"\nexpect = {{ holds = "{holds}" }}\n'
            + redis + clients + faults)


def fault(*lines):
    return "\n[[fault]]\n" + "\n".join(lines) + "\n"


def into_table(text, header, line):
    """The line in place of the same key of the first table of that name, or of what it replaces."""
    replaced = [line.split("=")[0].strip()]
    for words in re.findall(r"in place of ([\w, ]+)", line):
        replaced += re.split(r", | and ", words)
    if "; without " in line:
        replaced += re.findall(r"`(\w+)`", line)
    before, mark, behind = text.partition(header + "\n")
    named = re.search(r'# of "([^"]+)":', line)  # which of several faults
    while named and behind.split()[0] not in named[1].replace("shut down", "shutdown").split():
        skipped, mark, behind = behind.partition(header + "\n")
        before += header + "\n" + skipped
    end = re.search(r"\n\n|\n(?=\[)|\Z", behind)
    kept = [each for each in behind[:end.start()].splitlines() if each.split("=")[0].strip() not in replaced]
    return before + mark + "\n".join(kept + [line]) + "\n" + behind[end.start():]


def pasted(text, change):
    """The scenario with the lines where their comments send them; tables go to the end."""
    lines, mark, tables = re.match(r"(.*?)(\n(?=\[)|\Z)(.*)", "\n" + change, re.DOTALL).groups()
    for line in lines.strip().splitlines():
        client = re.search(r"# of (\w+): ", line)
        if client and line.startswith("run"):
            text = re.sub(rf'(name\s*= "{client[1]}"\n(?:(?!run).*\n)*)run .*', rf"\1{line}", text)
        elif not line.startswith("#"):
            table = re.search(r"in (\[\w+\])", line)
            text = into_table(text, table[1] if table else "[[fault]]", line)
    return text + "\n" + mark + tables + "\n"


class Stories(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def run_json(self, text, seeds="20"):
        self.program.write("story.toml", text)
        result = self.program.run("run", "story.toml", "--seeds", seeds, "--no-files",
                                  "--format", "json")
        return result.returncode, json.loads(result.stdout)["scenarios"][0]

    def assert_untested(self, text, seeds="20"):
        code, found = self.run_json(text, seeds)
        self.assertEqual((code, found["outcome"]), (3, "unknown"))
        self.assertEqual([each["property"] for each in found["untested"]], ["mutual-exclusion"])
        properties = {each["property"]: each for each in found["properties"]}
        self.assertEqual(properties["mutual-exclusion"]["put_to_the_test"], 0)
        self.assertEqual(properties["mutual-exclusion"]["held"], int(seeds))
        return found["untested"][0]

    def assert_broken(self, text, seeds="20"):
        code, found = self.run_json(text, seeds)
        self.assertEqual(code, 1, found["untested"])
        self.assertIn("mutual-exclusion was expected to hold", found["complaints"][0])
        return found
