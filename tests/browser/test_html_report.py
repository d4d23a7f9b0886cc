"""The HTML report in headless Chromium: it loads, steps, filters, and runs nothing that is not its own."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "app"))

from page import Browser  # noqa: E402
from program import GC_PAUSE, HOLDS, Program  # noqa: E402

HOSTILE = ("</script><script>window.hostile = 1</script><img src=x onerror='window.hostile = 2'>"
           "\\\" ' & \u202e\U0001f512 " + "x" * 10_000)

HOSTILE_SCENARIO = GC_PAUSE.replace("A pause longer than the lease", HOSTILE).replace(
    'lock   = "plain"', 'lock   = "plain"\nlock_name = "</script><script>window.hostile(4)</script>\\"&\\u202e\U0001f512"')


AXE = "axe-core@4.10.3"


def axe_source():
    """Deque's checker of accessibility, from npm."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "install", "--prefix", folder, "--prefer-offline", "--ignore-scripts",
                        "--no-audit", "--no-fund", "--silent", AXE], check=True)
        return (Path(folder) / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


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
            "return document.querySelector('#picture > svg').textContent"))
        state = self.browser.text("#state")
        for words in ("truly held by", "b/1 holds it", "believes in lock", "paused", "ms left"):
            self.assertIn(words, state)
        self.assertEqual(state.count("believes in lock"), 2)

    def test_says_in_how_many_runs_what_held_was_put_to_the_test(self):
        self.assertRegex(self.browser.text("#tested"), "^Put to the test: .*lease-linearizability.* in 1 of 1 run")

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
            const svg = document.querySelector('#picture > svg');
            const row = runOf(current.number).rows.find((each) => runOf(current.number).events.some(
              (event) => event.kind === 'message-sent' && event.at >= each[0] && event.at <= each[1]));
            picture.scrollTop = row[2] * shown.zoom - 100;
            const box = svg.getBoundingClientRect();
            svg.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: box.left + 40,
              clientY: box.top + (row[2] + row[3]) / 2 * box.height / shown.height }));
            return document.getElementById('tip').textContent;""")
        self.assertIn("wall clock", said)

    def test_zooms_and_moves(self):
        before = self.browser.run("return document.querySelector('#picture > svg').getBoundingClientRect().width")
        self.browser.press("+", "+")
        after = self.browser.run("return document.querySelector('#picture > svg').getBoundingClientRect().width")
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

    # -- what it is like to use --

    def test_axe_finds_nothing_light_or_dark(self):
        program = self.program
        result = program.run("fuzz", "plain", "--runs", "300", "--html", "survival.html")
        self.assertIn(result.returncode, (0, 1), result.stdout + result.stderr)
        source = axe_source()
        for dark in (False, True):
            browser = Browser(dark=dark)
            self.addCleanup(browser.close)
            for path in (self.path, program.folder / "survival.html"):
                browser.open(path)
                browser.run("for (const part of document.querySelectorAll('details')) part.open = true")
                browser.run(source)
                found = browser.driver.execute_async_script(
                    "const done = arguments[arguments.length - 1];"
                    "axe.run().then((result) => done(result.violations.map((each) =>"
                    "  [each.id, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))])))")
                with self.subTest(path=path.name, dark=dark):
                    self.assertEqual(found, [])

    def test_each_moment_has_an_address(self):
        self.browser.press("home", "right", "right")
        address = self.browser.run("return location.hash")
        self.assertEqual(address, "#finding=1&event=2")
        self.assertEqual(self.browser.run("return document.getElementById('address').hash"), address)
        self.browser.driver.get(self.path.resolve().as_uri() + "#finding=3&event=57")
        self.browser.driver.refresh()
        self.assertEqual(self.browser.event(), 57)
        self.assertIn("</script>", self.browser.text("#run-title"))
        self.browser.run("location.hash = '#finding=2&event=4'")
        self.assertEqual(self.browser.text("#run-title"), "Contention")
        self.assertEqual(self.browser.event(), 4)

    def test_an_address_of_nothing_opens_the_report_as_ever(self):
        for wrong in ("#finding=99&event=1", "#finding=x", "#event=5", "#%zz"):
            self.browser.driver.get("about:blank")
            self.browser.driver.get(self.path.resolve().as_uri() + wrong)
            self.assertEqual(self.browser.text("#run-title"), "A pause longer than the lease", wrong)

    def test_its_panels_agree(self):
        for keys in ((), ("home",), ("right",) * 9, ("down",) * 3, ("end",), ("]",), ("v",), ("[",)):
            self.browser.press(*keys)
            told = self.browser.run("""
                const event = current.run.events[current.at];
                const here = document.querySelector('#around [aria-current]');
                const mark = document.getElementById('here');
                const row = rowAt(event.at);
                return { place: document.getElementById('place').textContent, number: current.at,
                  sentence: document.getElementById('event').textContent,
                  around: here.querySelector('button').textContent, hash: location.hash,
                  time: here.querySelector('time').textContent, at: milliseconds(event.at),
                  top: Number(mark.getAttribute('y')), row: event.at > row[1] ? row[3] : row[2],
                  line: document.querySelector('#rows tr[aria-current]').textContent,
                  title: document.getElementById('run-title').textContent };""")
            self.assertIn(f"Event {told['number']} of", told["place"])
            self.assertIn(f"at {told['at']} ms", told["place"])
            self.assertEqual(told["around"], told["sentence"])
            self.assertEqual(told["time"], told["at"])
            self.assertTrue(told["hash"].endswith(f"&event={told['number']}"), told["hash"])
            self.assertEqual(told["top"], told["row"])
            self.assertIn(told["title"], told["line"])

    def test_opens_what_the_filter_shows(self):
        self.browser.press("/")
        self.browser.press(*"contention")
        self.assertEqual(self.browser.text("#run-title"), "Contention")

    def test_lane_heads_stay(self):
        self.browser.press("+", "+", "+", "end")
        heads = self.browser.run("""
            const box = document.getElementById('heads'), frame = picture.getBoundingClientRect();
            const drawn = box.firstChild.getBoundingClientRect();
            return { hidden: box.hidden, above: Math.round(drawn.top - frame.top), text: box.textContent };""")
        self.assertFalse(heads["hidden"])
        self.assertLess(abs(heads["above"]), 3)
        for name in ("a/1", "b/1", "n1", "resource", "time"):
            self.assertIn(name, heads["text"])
        self.assertNotIn("mutual-exclusion", heads["text"])
        self.browser.run("picture.scrollTop = 0; picture.dispatchEvent(new Event('scroll'))")
        self.assertTrue(self.browser.run("return document.getElementById('heads').hidden"))

    def test_headers_do_not_break_in_words(self):
        browser = Browser(size=(500, 900))
        self.addCleanup(browser.close)
        browser.open(self.path)
        broken = browser.run("""
            const ruler = document.createElement('span');
            ruler.style.cssText = 'position:absolute;visibility:hidden;white-space:nowrap';
            return [...document.querySelectorAll('th')].filter((head) => {
              head.append(ruler);
              const style = getComputedStyle(head);
              const room = head.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
              const words = [...head.textContent.matchAll(/[^\\s-]+/g)].map((each) => each[0]);
              const isBroken = words.some((word) => { ruler.textContent = word; return ruler.offsetWidth > room + 1; });
              ruler.textContent = '';
              ruler.remove();
              return head.offsetWidth > 0 && isBroken;
            }).map((head) => head.textContent);""")
        self.assertEqual(broken, [])

    def test_copies_the_command_and_the_scenario(self):
        self.browser.run("for (const part of document.querySelectorAll('details')) part.open = true")
        self.browser.run("window.copied = []; navigator.clipboard.writeText = async (text) => { window.copied.push(text); }")
        for what in ("replay", "scenario"):
            self.browser.run("arguments[0].scrollIntoView()", self.browser.find(f"[data-copy={what}]"))
            self.browser.click(f"[data-copy={what}]")
        command, scenario = self.browser.run("return window.copied")
        self.assertIn("lockstep run pause.toml --seed 1", command)
        self.assertIn('lock   = "plain"', scenario)
        self.assertEqual(self.browser.text("#copied"), "Copied the scenario.")

    def test_the_picture_follows_dark_mode(self):
        browser = Browser(dark=True)
        self.addCleanup(browser.close)
        browser.open(self.path)
        colours = browser.run("""
            const light = (colour) => colour.match(/[0-9]+/g).slice(0, 3).reduce((sum, each) => sum + Number(each), 0) / 3;
            const svg = document.querySelector('#picture > svg');
            const paper = getComputedStyle(svg.querySelector('polygon')).fill;
            const dim = [...svg.querySelectorAll('text')].filter((text) => light(getComputedStyle(text).fill) < 120);
            const words = dim.map((text) => text.textContent);
            return { paper: light(paper), words };""")
        self.assertLess(colours["paper"], 60)
        self.assertEqual(colours["words"], [])

    def test_what_comes_first_is_an_overview(self):
        first = self.browser.run("return [...document.querySelectorAll('main > section')]"
                                 ".filter((each) => each.offsetHeight > 0)[0].id")
        self.assertEqual(first, "scenarios")
        self.assertTrue(re.search(r"3 scenarios", self.browser.text("#summary")), self.browser.text("#summary"))

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

    def test_of_a_search_says_what_is_a_bug_and_what_a_limit(self):
        program = self.program
        result = program.run("fuzz", "setnx/extension-by-set", "--runs", "400", "--html", "kinds.html")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.browser.open(program.folder / "kinds.html")
        outcomes = self.browser.run(
            "return [...document.querySelectorAll('#rows tr td:first-child')].map((cell) => [cell.textContent, cell.className])")
        self.assertEqual({tuple(each) for each in outcomes}, {("✗ bug", "bad"), ("limit", "quiet")})

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
