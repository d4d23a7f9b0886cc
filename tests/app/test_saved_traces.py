"""lockstep replay and lockstep timeline: what a saved trace is good for."""

import json
import shutil
import unittest
import xml.etree.ElementTree

from program import GC_PAUSE, HOLDS, REPOSITORY, Program


class SavedTraces(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("gc-pause.toml", GC_PAUSE)
        self.program.write("holds.toml", HOLDS)
        result = self.program.run("run", "gc-pause.toml", "holds.toml", "--seed", "5", "--out", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.trace = "out/gc-pause.trace.jsonl"

    def test_replay_to_the_same_hash(self):
        result = self.program.run("replay", self.trace, "out/holds.trace.jsonl")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.count("the same "), 2)
        self.assertIn("mutual-exclusion is violated: ", result.stdout)
        self.assertIn("seed 5", result.stdout)

    def test_replay_without_the_scenario_s_file(self):
        (self.program.folder / "gc-pause.toml").unlink()
        self.assertEqual(self.program.run("replay", self.trace).returncode, 0)

    def test_replay_for_programs(self):
        result = self.program.run("replay", self.trace, "--format", "json")
        replayed = json.loads(result.stdout)["replays"][0]
        self.assertEqual((replayed["same"], replayed["seed"]), (True, 5))
        self.assertEqual(replayed["verdicts"]["mutual-exclusion"], "violated")
        last = json.loads((self.program.folder / self.trace).read_text().splitlines()[-2])
        self.assertIn(replayed["hash"], json.dumps(last) + (
            self.program.folder / self.trace).read_text())

    def test_that_are_damaged_are_refused_and_the_others_replayed(self):
        text = (self.program.folder / self.trace).read_text()
        lines = text.splitlines(keepends=True)
        damaged = {
            "cut.jsonl": "".join(lines[:-1]),
            "half.jsonl": text[: len(text) // 2],
            "changed.jsonl": text.replace('"lock"', '"lokk"', 1),
            "empty.jsonl": "",
            "scenario.jsonl": GC_PAUSE,
        }
        for name, content in damaged.items():
            with self.subTest(name):
                self.program.write(name, content)
                result = self.program.run("replay", name, self.trace)
                self.assertEqual(result.returncode, 2)
                self.assertRegex(result.stderr, rf"^{name}(:\d+)*: error: ")
                self.assertEqual(result.stdout.count("the same "), 1)

    def test_that_are_missing_are_refused(self):
        for command in ("replay", "timeline"):
            result = self.program.run(command, "none.jsonl")
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, r"^none.jsonl: error: ")

    def test_say_where_a_changed_lock_goes_another_way(self):
        shutil.copytree(REPOSITORY / "scripts" / "plain", self.program.folder / "mine")
        self.program.write("mine.toml", GC_PAUSE.replace('"plain"', '"./mine"'))
        self.assertEqual(self.program.run("run", "mine.toml", "--out", "out").returncode, 0)
        script = next((self.program.folder / "mine").rglob("acquire*.lua"))
        changed = script.read_text().replace("'pexpire'", "'persist'").replace(
            '"pexpire"', '"persist"').replace("'PEXPIRE'", "'PERSIST'").replace(
            '"PEXPIRE"', '"PERSIST"')
        self.assertNotEqual(changed, script.read_text())
        script.write_text(changed)
        result = self.program.run("replay", "out/mine.trace.jsonl")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("not the same", result.stdout)
        # That first: it explains whatever else differs.
        difference = result.stdout.splitlines()[1].strip()
        self.assertTrue(difference.startswith("The lock's files have changed"), difference)

    def test_are_drawn_in_every_format(self):
        beginnings = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "dot": b""}
        for extension, beginning in beginnings.items():
            path = f"pictures/story.{extension}"
            with self.subTest(extension):
                result = self.program.run("timeline", self.trace, "-o", path)
                self.assertEqual((result.returncode, result.stdout), (0, path + "\n"), result.stderr)
                content = (self.program.folder / path).read_bytes()
                self.assertTrue(content.startswith(beginning))
        self.assertIn("graph", (self.program.folder / "pictures/story.dot").read_text())

    def test_are_drawn_beside_themselves_and_as_run_draws_them(self):
        drawn_by_run = (self.program.folder / "out/gc-pause.svg").read_bytes()
        result = self.program.run("timeline", self.trace)
        self.assertEqual((result.returncode, result.stdout), (0, "out/gc-pause.svg\n"))
        self.assertEqual((self.program.folder / "out/gc-pause.svg").read_bytes(), drawn_by_run)
        xml.etree.ElementTree.parse(self.program.folder / "out/gc-pause.svg")

    def test_says_what_is_needed_for_png_where_graphviz_is_missing(self):
        bare = {"GVBINDIR": str(self.program.folder / "none")}
        for ending in ("png", "pdf"):
            result = self.program.run("timeline", self.trace, "-o", f"x.{ending}", **bare)
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
            self.assertEqual(result.stderr, f"x.{ending}: error: cannot draw it: a .{ending} needs Graphviz on this "
                                            "machine (apt-get install graphviz); a .svg does not\n")
        self.assertEqual(self.program.run("timeline", self.trace, "-o", "x.svg", **bare).returncode, 0)

    def test_are_not_drawn_in_formats_that_nobody_knows(self):
        for path, error in [("x.sgv", "cannot draw 'sgv'; expected a name that ends in .svg, .png, "
                                      ".pdf, .dot, .mmd, .puml, .json, .html; did you mean 'svg'?"),
                            ("x", "cannot draw without an extension; expected a name that ends in "
                                  ".svg, .png, .pdf, .dot, .mmd, .puml, .json, .html")]:
            result = self.program.run("timeline", self.trace, "-o", path)
            self.assertEqual((result.returncode, result.stderr), (2, f"{path}: error: {error}\n"))

    def draw(self, *options):
        result = self.program.run("timeline", self.trace, "-o", "part.svg", *options)
        self.assertEqual((result.returncode, result.stdout), (0, "part.svg\n"), result.stderr)
        tree = xml.etree.ElementTree.parse(self.program.folder / "part.svg")
        return ["".join(text.itertext()) for text in tree.iter("{http://www.w3.org/2000/svg}text")]

    def test_are_drawn_in_part(self):
        whole = self.draw()
        self.assertEqual(whole.count("a/1"), 2)  # its head, and the legend of colours
        self.assertEqual(self.draw("--lanes", "b,n1").count("a/1"), 1)
        before_the_trace = self.program.run("timeline", "--lanes", "b,n1", self.trace, "-o", "b.svg")
        self.assertEqual(before_the_trace.returncode, 0, before_the_trace.stderr)
        self.assertNotIn("goes on", self.draw("--to", "10s"))
        self.assertNotIn("lock lease=10s", self.draw("--from", "1000.5ms", "--full"))
        self.assertLess(len(self.draw("--focus", "violation")), len(whole))

    def test_are_drawn_for_a_slide_and_beside_a_run_that_passes(self):
        self.assertIn("goes on", self.draw("--hero"))
        words = self.draw("--beside", "out/holds.trace.jsonl")
        self.assertIn("\u2717 A pause longer than the lease", words)
        self.assertIn("\u2713 Contention", words)
        self.assertEqual(sum(each.startswith("first difference") for each in words), 2)

    def test_are_written_for_a_pull_request(self):
        result = self.program.run("timeline", self.trace, "-o", "x.mmd")
        self.assertEqual((result.returncode, result.stdout), (0, "x.mmd\n"), result.stderr)
        text = (self.program.folder / "x.mmd").read_text(encoding="utf-8")
        self.assertTrue(text.startswith("sequenceDiagram\n"))
        self.assertIn("both believe", text)

    def test_are_exported_for_perfetto_and_for_plantuml(self):
        for name, options in [("x.json", ("--full",)), ("x.puml", ())]:
            result = self.program.run("timeline", self.trace, "-o", name, *options)
            self.assertEqual((result.returncode, result.stdout), (0, f"{name}\n"), result.stderr)
        trace = json.loads((self.program.folder / "x.json").read_text(encoding="utf-8"))
        self.assertIn("both believe", [event["name"] for event in trace["traceEvents"]])
        diagram = (self.program.folder / "x.puml").read_text(encoding="utf-8")
        self.assertTrue(diagram.startswith("@startuml\n") and diagram.endswith("\n@enduml\n"))

    def test_are_not_drawn_in_parts_or_forms_that_there_are_not(self):
        for options, error in [
                (("--lanes", "n7"), "--lanes: there is no lane 'n7'; expected "),
                (("--from", "5s", "--to", "4s"), "--from 5,000 ms lies after --to 4,000 ms"),
                (("--from", "soon"), "--from: 'soon' is not a time"),
                (("--focus", "violations"), "did you mean 'violation'?"),
                (("--hero", "--full"), "--full"),
                (("-o", "x.mmd", "--hero"), "x.mmd: Mermaid has no hero"),
                (("-o", "x.puml", "--full"), "x.puml: PlantUML has no room for --full"),
                (("-o", "x.json", "--hero"), "x.json: a Chrome trace has no hero"),
                (("-o", "x.html", "--lanes", "a"), "x.html: the HTML report shows the whole run"),
                (("--beside", "none.jsonl"), "none.jsonl: error: ")]:
            with self.subTest(options):
                result = self.program.run("timeline", self.trace, *options)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(error, result.stderr)
        result = self.program.run("timeline", "out/holds.trace.jsonl", "--focus", "violation")
        self.assertIn("nothing is violated in this run", result.stderr)


if __name__ == "__main__":
    unittest.main()
