"""The HTML report in headless Chromium: it loads, steps, filters, and runs nothing that is not its own."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "app"))

from page import Browser  # noqa: E402
from program import GC_PAUSE, HOLDS, Program  # noqa: E402

HOSTILE = ("</script><script>window.hostile = 1</script><img src=x onerror='window.hostile = 2'>"
           "\\\" ' & \u202e\U0001f512 " + "x" * 10_000)

HOSTILE_SCENARIO = GC_PAUSE.replace("A pause longer than the lease", HOSTILE).replace(
    'lock   = "plain"', 'lock   = "plain"\nlock_name = "</script><script>window.hostile(4)</script>\\"&\\u202e\U0001f512"')


class TheReport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = Program()
        cls.addClassCleanup(cls.program.close)
        cls.program.write("pause.toml", GC_PAUSE)
        cls.program.write("holds.toml", HOLDS)
        cls.program.write("hostile.toml", HOSTILE_SCENARIO)
        result = cls.program.run("run", "pause.toml", "holds.toml", "hostile.toml",
                                 "--html", "report.html", "--no-files")
        assert result.returncode == 0, result.stdout + result.stderr
        cls.path = cls.program.folder / "report.html"
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.open(self.path)

    def test_loads_from_its_file_and_asks_for_nothing_else(self):
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual(self.browser.requests(), [self.path.resolve().as_uri()])
        self.assertEqual(self.browser.text("h1"), "Lockstep: 3 scenarios")
        self.assertEqual(len(self.browser.all("#rows tr")), 3)

    def test_opens_where_it_broke_and_shows_the_overlap(self):
        self.assertEqual(self.browser.text("#run-title"), "A pause longer than the lease")
        self.assertIn("✗ violated: mutual-exclusion", self.browser.text("#verdicts"))
        self.assertIn("both believe", self.browser.run(
            "return document.querySelector('#picture svg').textContent"))
        state = self.browser.text("#state")
        for words in ("truly held by", "b/1 holds it", "believes in lock", "paused", "ms left"):
            self.assertIn(words, state)
        self.assertEqual(state.count("believes in lock"), 2)

    def test_steps_by_keys(self):
        here = self.browser.event()
        self.browser.press("right", "right", "left")
        self.assertEqual(self.browser.event(), here + 1)
        self.browser.press("home")
        self.assertEqual(self.browser.event(), 0)
        self.assertIn("at 0.0 ms", self.browser.text("#place"))
        self.browser.press("down")
        self.assertNotIn("at 0.0 ms", self.browser.text("#place"))
        self.browser.press("up")
        self.assertIn("at 0.0 ms", self.browser.text("#place"))
        self.browser.press("end")
        self.assertIn("the run ends", self.browser.text("#event"))
        self.browser.press("v")
        self.assertEqual(self.browser.event(), here)

    def test_steps_by_buttons_and_by_actor(self):
        self.browser.click("[data-do=first]")
        self.browser.run("const box = document.getElementById('actor'); box.value = 'n1';"
                         "box.dispatchEvent(new Event('change'))")
        for _ in range(3):
            self.browser.click("[data-do=next]")
            self.assertTrue(self.browser.text("#event").startswith("n1 "), self.browser.text("#event"))
        self.browser.click("[data-do=back]")
        self.browser.click("[data-do=violation]")
        self.assertIn("believes from now on", self.browser.text("#event"))

    def test_tells_a_message_s_content_and_both_ends_clocks(self):
        self.browser.press("home")
        for _ in range(60):
            if "sends acquire to n1" in self.browser.text("#event"):
                break
            self.browser.press("right")
        message = self.browser.text("#message")
        for words in ("acquire from a to n1", "EVAL", "a's wall clock", "n1's wall clock"):
            self.assertIn(words, message)

    def test_says_in_the_picture_what_it_hovers_over(self):
        said = self.browser.run("""
            const svg = document.querySelector('#picture svg');
            const row = runOf(current.number).rows.find((each) => runOf(current.number).events.some(
              (event) => event.kind === 'message-sent' && event.at >= each[0] && event.at <= each[1]));
            picture.scrollTop = row[2] * shown.zoom - 100;
            const box = svg.getBoundingClientRect();
            svg.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: box.left + 40,
              clientY: box.top + (row[2] + row[3]) / 2 * box.height / shown.height }));
            return document.getElementById('tip').textContent;""")
        self.assertIn("wall clock", said)

    def test_zooms_and_moves(self):
        before = self.browser.run("return document.querySelector('#picture svg').getBoundingClientRect().width")
        self.browser.press("+", "+")
        after = self.browser.run("return document.querySelector('#picture svg').getBoundingClientRect().width")
        self.assertGreater(after, before * 1.4)
        self.browser.press("0")
        self.browser.click("[data-do=out]")
        self.assertEqual(self.browser.complaints(), [])

    def test_filters_by_words_and_outcome(self):
        self.browser.press("/")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "filter")
        self.browser.press(*"contention")
        self.assertEqual(self.browser.text("#shown"), "1 of 3 shown")
        self.browser.press("escape")
        here = self.browser.event()
        self.browser.press("right")
        self.assertEqual(self.browser.event(), here + 1)
        self.browser.run("const box = document.getElementById('filter'); box.value = '';"
                         "box.dispatchEvent(new Event('input'));"
                         "const outcome = document.getElementById('outcome'); outcome.value = 'violated';"
                         "outcome.dispatchEvent(new Event('change'))")
        self.assertEqual(self.browser.text("#shown"), "2 of 3 shown")

    def test_goes_from_scenario_to_scenario(self):
        self.browser.press("]")
        self.assertEqual(self.browser.text("#run-title"), "Contention")
        self.assertIn("holds: mutual-exclusion", self.browser.text("#verdicts"))
        self.browser.press("[")
        self.assertEqual(self.browser.text("#run-title"), "A pause longer than the lease")

    def test_shows_history_scenario_and_how_to_see_it_again(self):
        self.browser.run("for (const part of document.querySelectorAll('details')) part.open = true")
        self.assertIn("acquire", self.browser.text("#history"))
        self.assertIn("linearizable as leased-mutex", self.browser.text("#linearization"))
        self.assertIn('title  = "A pause longer than the lease"', self.browser.text("#scenario"))
        self.assertIn("pause a for 15s", self.browser.text("#struck"))
        self.assertIn("lockstep run pause.toml --seed 1", self.browser.text("#replay"))

    def test_runs_nothing_that_names_hold(self):
        self.browser.press("]", "]")
        self.assertIn("</script><script>", self.browser.text("#run-title"))
        for _ in range(30):
            self.browser.press("right")
        self.browser.run("for (const part of document.querySelectorAll('details')) part.open = true")
        self.assertIsNone(self.browser.run("return window.hostile === undefined ? null : window.hostile"))
        self.assertEqual(self.browser.all("img"), [])
        self.assertEqual(len(self.browser.all("script")), 2)
        self.assertEqual(self.browser.complaints(), [])
        wide = self.browser.run("return document.documentElement.scrollWidth - window.innerWidth")
        self.assertLessEqual(wide, 0)

    def test_the_policy_lets_no_other_script_run(self):
        self.browser.run("const script = document.createElement('script');"
                         "script.textContent = 'window.hostile = 3'; document.body.append(script)")
        self.assertIsNone(self.browser.run("return window.hostile === undefined ? null : window.hostile"))

    def test_everything_that_can_be_used_has_a_name(self):
        nameless = self.browser.run("""
            return [...document.querySelectorAll('button, input, select, [tabindex="0"], section, aside')]
              .filter((each) => !each.hidden && !(each.textContent.trim() && each.tagName === 'BUTTON') &&
                !each.getAttribute('aria-label') && !each.getAttribute('aria-labelledby') &&
                !(each.labels && each.labels.length > 0)).map((each) => each.outerHTML.slice(0, 80))""")
        self.assertEqual(nameless, [])

    def test_is_shown_in_the_dark(self):
        browser = Browser(dark=True)
        self.addCleanup(browser.close)
        browser.open(self.path)
        self.assertEqual(browser.complaints(), [])
        colour = browser.run("return getComputedStyle(document.body).backgroundColor")
        self.assertEqual(colour, "rgb(22, 24, 27)")

    def test_of_a_saved_trace(self):
        program = self.program
        self.assertEqual(program.run("run", "pause.toml", "--out", "out").returncode, 0)
        result = program.run("timeline", "out/pause.trace.jsonl", "-o", "out/pause.html")
        self.assertEqual((result.returncode, result.stdout), (0, "out/pause.html\n"))
        self.browser.open(program.folder / "out/pause.html")
        self.assertEqual(self.browser.complaints(), [])
        self.assertFalse(self.browser.find("#scenarios").is_displayed())
        self.assertIn("lockstep replay out/pause.trace.jsonl", self.browser.text("#replay"))
        self.assertEqual(self.browser.text("#state").count("believes in lock"), 2)

    def test_of_a_search_that_finds_nothing_lists_what_was_searched(self):
        program = self.program
        result = program.run("fuzz", "holds.toml", "--runs", "5", "--html", "nothing.html")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.browser.open(program.folder / "nothing.html")
        self.assertEqual(self.browser.complaints(), [])
        self.assertTrue(self.browser.find("#scenarios").is_displayed())
        self.assertIn("Contention", self.browser.text("#rows"))


if __name__ == "__main__":
    unittest.main()
