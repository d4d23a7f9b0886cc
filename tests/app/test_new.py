"""lockstep new lock: a folder that runs at once, from the template and from every lock there is."""

import json
import resource
import shutil
import subprocess
import unittest

from program import Program


class NewLock(unittest.TestCase):
    def setUp(self):
        self.program = Program()
        self.addCleanup(self.program.close)

    def test_makes_a_lock_that_runs_draws_and_lints_at_once(self):
        made = self.program.run("new", "lock", "orders-2")
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        files = self.program.files("orders-2")
        self.assertEqual(files, ["README.md", "acquire.lua", "client.lua", "contention.toml",
                                 "extend.lua", "lock.toml", "pause.toml", "release.lua"])
        self.assertEqual(made.stdout.splitlines()[:-1], [f"orders-2/{name}" for name in files])
        self.assertEqual(made.stdout.splitlines()[-1],
                         "try it: lockstep run orders-2/contention.toml --seeds 200")
        self.assertEqual(self.program.files(), [f"orders-2/{name}" for name in files])

        for name in files:
            text = (self.program.folder / "orders-2" / name).read_text()
            self.assertNotIn("my-lock", text)

        run = self.program.run("run", "orders-2", "--seeds", "200", "--out", "out")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("2 scenarios, 400 runs: 2 as expected", run.stdout)
        for story in ("contention", "pause"):
            drawn = self.program.run("timeline", f"out/{story}.trace.jsonl", "-o", f"{story}.svg")
            self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
            self.assertIn("</svg>", (self.program.folder / f"{story}.svg").read_text())

        lint = self.program.run("lint", "orders-2")
        self.assertEqual((lint.returncode, lint.stdout, lint.stderr), (0, "", ""))

    def test_copies_every_lock_so_that_it_runs_as_the_original(self):
        listed = json.loads(self.program.run("list", "locks", "--format", "json").stdout)["locks"]
        locks = [lock["name"] for lock in listed]
        self.assertIn("plain/unlatched", locks)
        for number, lock in enumerate(locks):
            with self.subTest(lock):
                copy = f"copy-{number}"
                made = self.program.run("new", "lock", copy, "--from", lock)
                self.assertEqual((made.returncode, made.stderr), (0, ""))
                self.assertIn(f'base = "{lock}"',
                              (self.program.folder / copy / "lock.toml").read_text())
                if "/" not in lock:
                    self.assertEqual(self.program.run("lint", copy).returncode, 0)
                stories = [name for name in self.program.files(copy)
                           if name.endswith(".toml") and name != "lock.toml"]
                self.assertEqual(len(stories), 1)
                run = self.program.run("run", f"{copy}/{stories[0]}", "--no-files")
                # A variant with a flaw may break without any fault; it must run all the same.
                self.assertIn(run.returncode, (0, 1) if "/" in lock else (0,), run.stderr)
                self.assertEqual(run.stderr, "")

    def test_a_copy_uses_its_own_files(self):
        self.program.run("new", "lock", "mine", "--from", "setnx")
        script = self.program.folder / "mine" / "release.lua"
        script.write_text("return redis.call('del', KEYS[1])\n")
        lint = self.program.run("lint", "mine")
        self.assertEqual(lint.returncode, 1)
        self.assertTrue(lint.stdout.startswith("mine/release.lua:1:8: delete-without-owner"))

    def test_stories_go_with_a_folder_that_is_copied(self):
        self.program.run("new", "lock", "first")
        self.program.run("new", "lock", "mine", "--from", "setnx")
        for name in ("first", "mine"):
            with self.subTest(name):
                copy = f"second-{name}"
                shutil.copytree(self.program.folder / name, self.program.folder / copy)
                self.program.write(f"{copy}/release.lua", "return redis.call('no-such-command')\n")
                run = self.program.run("run", f"{copy}/contention.toml", "--out", "out")
                self.assertIn("Unknown Redis command", run.stdout)
                # From within, too; and by its trace, from wherever.
                run = self.program.run("run", "contention.toml", "--no-files", folder=copy)
                self.assertIn("Unknown Redis command", run.stdout)
                replay = self.program.run("replay", "../out/contention.trace.jsonl", folder=name)
                self.assertIn(copy, replay.stdout)
                self.assertEqual((replay.returncode, replay.stderr), (0, ""))
                self.assertEqual(self.program.run("run", name, "--no-files").returncode, 0)

    def test_the_folder_above_a_story_may_be_its_lock(self):
        self.program.run("new", "lock", "mine")
        story = (self.program.folder / "mine" / "contention.toml").read_text()
        self.program.write("mine/stories/contention.toml", story.replace('lock   = "."', 'lock   = ".."'))
        run = self.program.run("run", "mine/stories", "--no-files")
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        run = self.program.run("run", "contention.toml", "--no-files", folder="mine/stories")
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)

    def test_refuses_a_name_that_is_taken(self):
        self.program.write("taken/notes.txt", "mine")
        self.program.write("file", "mine")
        (self.program.folder / "dangling").symlink_to("nowhere")
        for name in ("taken", "file", "dangling"):
            result = self.program.run("new", "lock", name)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertEqual(result.stderr, f"{name}: error: this is there already, and was left as "
                                            "it is\n")
        self.assertEqual(self.program.files("taken"), ["notes.txt"])

    def test_refuses_names_that_are_none(self):
        for name in ("", "../up", "a/b", ".", "Mine", "a b", "a_b", "-a", "ä", "a" * 65, 'a"', "/x"):
            with self.subTest(name):
                result = self.program.run("new", "lock", "--", name)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn("can't be a lock's name", result.stderr)
        self.assertEqual(self.program.files(), [])

    def test_refuses_what_it_can_not_make_or_copy(self):
        for arguments, what in ((("new", "lcok", "x"), "did you mean 'lock'?"),
                                (("new", "lock"), "NAME"),
                                (("new", "lock", "x", "--from", "plian"), "did you mean 'plain'"),
                                (("new", "lock", "x", "--from", "plain/unltched"),
                                 "did you mean 'unlatched'?"),
                                (("new", "lock", "x", "--from", "./plain"),
                                 "expected the name of a lock")):
            with self.subTest(arguments):
                result = self.program.run(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(what, result.stderr)
        self.assertEqual(self.program.files(), [])

    def test_leaves_nothing_where_it_can_not_write(self):
        def no_bytes():
            resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))

        # Python ignores SIGXFSZ, and hands that on: a file that grows too long is then an error.
        result = subprocess.run([self.program.binary, "new", "lock", "mine"],
                                cwd=self.program.folder, env=self.program.environment(),
                                preexec_fn=no_bytes, restore_signals=False, timeout=300,
                                capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("error: cannot write it", result.stderr)
        self.assertEqual(list(self.program.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
