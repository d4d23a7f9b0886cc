"""How much lockstep run tells, and how it fits what it tells to a terminal."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unittest

from program import GC_PAUSE, HOLDS, Program

WRONG = GC_PAUSE.replace('violates = "mutual-exclusion", ', "").replace(
    'holds = "lease', 'holds = ["mutual-exclusion", "lease').replace('linearizability"', 'linearizability"]')


class OnAConsole(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)
        self.program.write("all/pause.toml", GC_PAUSE.replace("A pause", "A … pause"))
        self.program.write("all/holds.toml", HOLDS)
        self.program.write("all/wrong.toml", WRONG)

    def run_all(self, *options):
        result = self.program.run("run", "all", "--no-files", *options)
        self.assertEqual(result.returncode, 1, result.stderr)
        return result.stdout

    def on_terminal(self, columns, *arguments, **environment):
        leader, follower = pty.openpty()
        self.addCleanup(os.close, leader)
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        process = subprocess.Popen([self.program.binary, *arguments], cwd=self.program.folder,
                                   env=self.program.environment(NO_COLOR="1", **environment),
                                   stdin=subprocess.DEVNULL, stdout=follower, stderr=subprocess.DEVNULL)
        os.close(follower)
        shown = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        process.wait(timeout=60)
        return shown.decode("utf-8").replace("\r\n", "\n")

    def test_tells_a_line_of_each_and_all_of_what_went_wrong(self):
        text = self.run_all()
        self.assertEqual(len(re.findall(r"^(?:not )?as expected +all/", text, re.M)), 3)
        self.assertEqual(text.count("\n  held "), 1)
        self.assertEqual(text.count("  why "), 1)

    def test_tells_the_widest_overlap_first(self):
        held = {"a": ("0s", "2s", "3s"), "b": ("1s", "20s", "5s"), "c": ("3s", "1s", "6s"), "d": ("7500ms", "20s", "1s")}
        text = 'title = "Two overlaps"\nlock = "plain"\nexpect = { holds = "mutual-exclusion" }\n'
        for name, (start, lease, sleep) in held.items():
            text += (f'[[client]]\nname = "{name}"\nstart = "{start}"\n'
                     f'run = ["lock lease={lease}", "sleep {sleep}", "unlock"]\n')
        self.program.write("two.toml", text)
        told = " ".join(self.program.run("run", "two.toml", "--no-files").stdout.split())
        self.assertRegex(told, r'✗ mutual-exclusion violated, though it was expected to hold '
                               r'c/1 and d/1 both believed that they held lock "lock" for \d,')
        self.assertIn("2 overlaps", told)

    def test_why_says_nothing_twice_and_nothing_that_the_verdict_says(self):
        holder = '[[client]]\nname = "a"\nrun = ["{}", "sleep 5s", "{}"]\n'
        other = '[[client]]\nname = "b"\nstart = "100ms"\nrun = ["{}", "{}"]\n'
        files = {
            "multi": ("lock_all names=x,y lease=10s", "unlock_all names=x,y",
                      'drop = "any"\nto = "a"\nnth = 2\n', "hold-count", "executed it twice"),
            "fair": ("lock lease=10s", "unlock", 'flush_all = "n1"\nat = "1s"\n',
                     "truthful-answers", "An operator deleted all data"),
        }
        for lock, (takes, gives_back, fault, broken, cause) in files.items():
            with self.subTest(lock=lock):
                self.program.write(f"{lock}.toml", f'title = "{lock}"\nlock = "{lock}"\n'
                                   f'expect = {{ violates = "{broken}" }}\n'
                                   + holder.format(takes, gives_back) + other.format(takes, gives_back)
                                   + "[[fault]]\n" + fault)
                result = self.program.run("run", f"{lock}.toml", "--no-files")
                self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
                why = re.search(r"^  why +(.*?)^  \S", result.stdout, re.M | re.S)[1]
                said = re.split(r"(?<=\.) (?=[A-Z])", " ".join(why.split()))
                self.assertIn(cause, said[0])
                self.assertEqual(len(said), len(set(said)))

    def test_quiet_tells_only_what_went_wrong(self):
        text = self.run_all("-q")
        self.assertEqual(len(re.findall(r"^as expected +all/", text, re.M)), 0)
        self.assertIn("not as expected all/wrong.toml", text)
        self.assertIn("3 scenarios, 3 runs: 2 as expected, 1 not as expected", text)
        result = self.program.run("run", "all/holds.toml", "--quiet", "--no-files")
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_verbose_tells_all_of_each(self):
        self.assertEqual(self.run_all("-v").count("\n  held "), 3)

    def test_quiet_and_verbose_exclude_each_other(self):
        result = self.program.run("run", "all", "-q", "-v")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--verbose", result.stderr)

    def test_fits_a_narrow_terminal(self):
        arguments = ("run", "all/pause.toml", "--no-files")
        narrow = self.on_terminal(60, *arguments, LC_ALL="C.UTF-8").splitlines()
        wide = self.on_terminal(200, *arguments, LC_ALL="C.UTF-8").splitlines()
        # Commands and paths are there to be copied, so they are not broken.
        for line in narrow:
            if not line.startswith(("  replay", "  as expected")):
                self.assertLessEqual(len(line), 60, line)
        self.assertGreater(len(narrow), len(wide))
        self.assertLessEqual(max(map(len, wide)), 110)
        shortened = self.on_terminal(90, "run", "all", "--no-files", LC_ALL="C.UTF-8").splitlines()
        self.assertLessEqual(len(shortened[0]), 90)

    def test_writes_ascii_where_the_terminal_shows_no_more(self):
        for locale, is_plain in (({"LC_ALL": "C"}, True), ({"LC_ALL": "", "LC_CTYPE": "", "LANG": "POSIX"}, True),
                                 ({"LC_ALL": "en_US.UTF-8"}, False)):
            with self.subTest(locale):
                text = self.on_terminal(200, "run", "all", "--no-files", **locale)
                self.assertEqual(text.isascii(), is_plain)
                self.assertIn("A ... pause" if is_plain else "A … pause", text)

    def test_writes_json_as_it_is_on_every_terminal(self):
        text = self.on_terminal(200, "run", "all", "--no-files", "--format", "json", LC_ALL="C")
        self.assertIn("A … pause", text)

    def test_says_to_github_what_is_not_as_expected(self):
        self.program.write("all/bad, one.toml", 'title = "x"\nlok = "plain"\n')
        result = self.program.run("run", "all", "--no-files", "--annotations", "github")
        self.assertEqual(result.returncode, 2)
        commands = [line for line in result.stderr.splitlines() if line.startswith("::")]
        self.assertRegex(commands[0], r"^::error file=all/bad%2C one\.toml,line=\d+,col=\d+::")
        self.assertRegex(commands[-1], r"^::error file=all/wrong\.toml,title=A pause longer than the lease::"
                                       r"mutual-exclusion was expected to hold, .*%0AThe lease of a/1 ended")
        self.assertFalse(any("pause.toml" in line or "holds.toml" in line for line in commands))
        quiet = self.program.run("run", "all/holds.toml", "--no-files", "--annotations", "github")
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))

    def test_a_pipe_gets_what_files_get(self):
        self.assertIn("A … pause", self.run_all())
        result = self.program.run("run", "all", "--no-files", LC_ALL="C")
        self.assertIn("A … pause", result.stdout)


if __name__ == "__main__":
    unittest.main()
