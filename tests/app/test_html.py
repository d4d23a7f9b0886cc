"""The HTML report as a file: what stands in it, and that nothing else can. tests/browser opens it."""

import base64
import hashlib
import html.parser
import json
import re
import unittest

from program import GC_PAUSE, HOLDS, Program
from test_fuzz import OPEN

HOSTILE = ("</script><script>window.hostile = 1</script><img src=x onerror='window.hostile = 2'>"
           "<!-- \\\" ' & ]]> \u202e\U0001f512 " + "x" * 10_000)

LONG = """\
title  = "Ten thousand events"
lock   = "fair"
expect = { holds = "mutual-exclusion" }
""" + "".join(f"""
[[client]]
name   = "{name}"
rounds = 55
run    = ["lock lease=10s", "write", "unlock"]
""" for name in "abc")

CUT_SHORT = """\
title  = "Too few events to know"
lock   = "plain"
faults = "any"
expect = { holds = "no-leak" }

[limits]
events = 15

[[client]]
name = "a"
run  = ["lock lease=10s", "unlock"]
"""

ALONE = """\
title  = "Nobody else wants it"
lock   = "plain"
expect = { holds = "harm" }

[[client]]
name = "a"
run  = ["lock lease=10s", "unlock"]
"""

VOID = {"meta", "input", "br", "img", "link", "hr"}


class Page(html.parser.HTMLParser):
    """The elements of a page, with their text; complains where they don't nest."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.found, self.problems = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        element = {"tag": tag, "attributes": dict(attributes), "text": ""}
        self.found.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.found.append({"tag": tag, "attributes": dict(attributes), "text": ""})

    def handle_endtag(self, tag):
        if not self.open or self.open[-1]["tag"] != tag:
            self.problems.append(f"</{tag}> at line {self.getpos()[0]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open:
            self.open[-1]["text"] += data

    def all(self, tag):
        return [each for each in self.found if each["tag"] == tag]


class Reports(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("pause.toml", GC_PAUSE)

    def report(self, *arguments):
        result = self.program.run("run", *arguments, "--html", "report.html", "--no-files")
        self.assertIn(result.returncode, (0, 1, 2, 3), result.stderr)
        return (self.program.folder / "report.html").read_text(encoding="utf-8")

    @staticmethod
    def data(text):
        return json.loads(next(each["text"] for each in Page(text).all("script")
                               if each["attributes"].get("type") == "application/json"))

    def test_is_well_formed_and_the_same_each_time(self):
        text = self.report("pause.toml")
        page = Page(text)
        self.assertEqual((page.problems, page.open), ([], []))
        self.assertEqual(self.report("pause.toml"), text)

    def test_allows_its_own_script_and_styles_only(self):
        page = Page(self.report("pause.toml"))
        policy = next(each["attributes"]["content"] for each in page.all("meta")
                      if each["attributes"].get("http-equiv") == "Content-Security-Policy")
        self.assertTrue(policy.startswith("default-src 'none'; script-src 'sha256-"), policy)
        self.assertNotIn("unsafe", policy)
        scripts = [each["text"] for each in page.all("script") if not each["attributes"]]
        styles = [each["text"] for each in page.all("style")]
        self.assertEqual(len(scripts), 1)
        for content in scripts + styles:
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            self.assertIn(f"'sha256-{digest}'", policy)

    def test_needs_nothing_else(self):
        page = Page(self.report("pause.toml"))
        for element in page.found:
            for name, value in element["attributes"].items():
                self.assertNotIn(name, ("src", "srcset", "onclick", "onload", "style"), element)
                if name in ("href", "xlink:href"):
                    self.assertTrue(value.startswith("#"), element)

    def test_keeps_hostile_names_as_data(self):
        self.program.write("hostile.toml", GC_PAUSE.replace("A pause longer than the lease", HOSTILE))
        text = self.report("hostile.toml", "pause.toml")
        page = Page(text)
        self.assertEqual((page.problems, page.open), ([], []))
        self.assertEqual(len(page.all("script")), 2)
        self.assertEqual(page.all("img"), [])
        self.assertIn("<script>window.hostile", self.data(text)["scenarios"][0]["title"])
        self.assertNotIn("\u202e", text)

    def test_of_ten_thousand_events_is_small(self):
        self.program.write("long.toml", LONG)
        text = self.report("long.toml")
        self.assertGreater(len(self.data(text)["runs"][0]["events"]), 10_000)
        self.assertLess(len(text.encode()), 2_000_000)

    def test_tells_of_all_scenarios_and_of_files_that_were_refused(self):
        self.program.write("holds.toml", HOLDS)
        self.program.write("bad.toml", "nonsense")
        data = self.data(self.report("pause.toml", "holds.toml", "bad.toml"))
        self.assertEqual([each["title"] for each in data["scenarios"]],
                         ["A pause longer than the lease", "Contention"])
        self.assertIn("1 file was refused", data["summary"])
        self.assertEqual(len(data["runs"]), 2)

    def test_says_in_how_many_runs_what_held_was_put_to_the_test(self):
        self.program.write("alone.toml", ALONE)
        files = ("pause.toml", "alone.toml", "--seeds", "7")
        pause, alone = self.data(self.report(*files))["scenarios"]
        self.assertRegex(pause["tested"], "^(.+, )?lease-linearizability(, .+)? in 7 of 7 runs")
        self.assertRegex(alone["tested"], "; (.+, )?harm(, .+)? in none$")
        for name, told in (("pause.toml", pause), ("alone.toml", alone)):
            console = self.program.run("run", name, "--seeds", "7", "--no-files").stdout
            self.assertIn(f"tested {told['tested']}", " ".join(console.split()))
            counts = [each["put_to_the_test"] for each in told["properties"] if each["held"] > 0]
            self.assertEqual(len(counts), len(re.split("[,;]", told["tested"])))
            for count in counts:
                self.assertIn(f" in {count or 'none'}", told["tested"])

    def test_of_a_search_says_in_how_many_runs_what_held_was_put_to_the_test(self):
        self.program.write("open.toml", OPEN)
        result = self.program.run("fuzz", "open.toml", "--runs", "50", "--jobs", "1", "--html", "found.html")
        self.assertIn(result.returncode, (0, 1, 3), result.stderr)
        data = self.data((self.program.folder / "found.html").read_text(encoding="utf-8"))
        for each in data["scenarios"]:
            self.assertRegex(each["tested"], r" in ([0-9]+ of [0-9]+ runs?|none)")

    def test_states_add_up_in_the_page_as_on_the_terminal(self):
        run = self.data(self.report("pause.toml"))["runs"][0]
        states, there, event = run["states"], {}, 0
        for since, item, value, *_ in states["changes"]:
            event += since
            if event > run["violation"]:
                break
            there[tuple(states["items"][item])] = states["values"][value]
        shown = self.program.run("step", "pause.toml", "--commands", "violation; state").stdout
        for (subject, name), value in there.items():
            if value:
                self.assertRegex(shown, rf"(?s)\n{re.escape(subject)}\n.*{re.escape(f'{name}: {value}')}")

    def test_of_a_search_has_its_findings(self):
        self.program.write("open.toml", OPEN)
        result = self.program.run("fuzz", "open.toml", "--runs", "200", "--jobs", "1", "--html", "found.html")
        self.assertEqual(result.returncode, 1, result.stderr)
        data = self.data((self.program.folder / "found.html").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(data["runs"]), 1)
        self.assertTrue(any(each["result"] == "violated" for each in data["runs"][0]["verdicts"]))
        asked, *found = [each["outcome"] for each in data["scenarios"]]
        self.assertEqual((asked, set(found)), ("not-as-expected", {"finding"}))
        self.assertRegex(data["summary"], "^1 scenario, [0-9]+ runs?: 0 as expected, 1 not as expected")

    def test_of_a_search_tells_what_else_went_wrong(self):
        self.program.write("short.toml", CUT_SHORT)
        result = self.program.run("fuzz", "short.toml", "--runs", "8", "--jobs", "1", "--html", "found.html")
        self.assertEqual(result.returncode, 3, result.stderr)
        data = self.data((self.program.folder / "found.html").read_text(encoding="utf-8"))
        [scenario] = data["scenarios"]
        self.assertRegex("\n".join(scenario["complaints"]),
                         r"unknown in 8 runs, first in run 1: .*no-leak.*lockstep replay ")

    def test_of_a_dry_run_is_refused(self):
        result = self.program.run("run", "pause.toml", "--html", "report.html", "--dry-run")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--html", result.stderr)


if __name__ == "__main__":
    unittest.main()
