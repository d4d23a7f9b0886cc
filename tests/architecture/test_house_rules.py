"""The repository keeps the rules of house_rules.py, and the rules catch who breaks them."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import house_rules

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tools"))

from include_graph import IncludeGraph  # noqa: E402

# How many translation units may read a header outside sim/. Lower it, never raise it.
REACH_MAX = 200


class TheRepository(unittest.TestCase):
    def test_keeps_the_rules(self):
        self.assertEqual(list(house_rules.complaints(REPOSITORY)), [])

    def test_has_every_room_in_the_table(self):
        rooms = {path.parent.name for path in REPOSITORY.glob("*/CMakeLists.txt")}
        self.assertEqual(rooms - set(house_rules.IMPORTS) - {"tests", "bench", "examples"}, set())

    def test_has_no_header_that_reaches_too_far(self):
        graph = IncludeGraph(REPOSITORY)
        reach = graph.reach()
        self.assertGreater(reach["sim/time.h"], REACH_MAX)  # the kernel's are read by nearly all
        self.assertEqual([(units, header) for header, units in reach.items()
                          if units > REACH_MAX and not header.startswith("sim/")], [])

    def test_is_seen_at_all(self):
        seen = set(house_rules.files_below(REPOSITORY))
        self.assertIn("sim/trace.h", seen)
        self.assertIn("redis/server/server.h", seen)
        self.assertFalse([path for path in seen if path.startswith((".git/", "build"))])

    def test_names_no_path_of_a_machine(self):
        homes, clones = "/(root|home/[a-z]+)/", "(^|[ (`])/[a-z0-9-]+/[a-z0-9/-]+/tools/[a-z]"
        found = subprocess.run(["git", "grep", "-nIE", f"{homes}|{clones}"], cwd=REPOSITORY,
                               capture_output=True, text=True, check=False)
        self.assertEqual((found.returncode, found.stdout), (1, ""), found.stderr)


class TheRules(unittest.TestCase):
    """Each test plants one thing in a small house and looks at what is said of it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.house = Path(folder.name)
        for path in ("sim/time.h", "checker/check.h", "redis/server/server.h", "lua/interpreter/state.h",
                     "model/client/client.h", "model/engine/engine.h",
                     "scenario/scenario.h", "model/cluster/cluster_node.h",
                     "model/sentinel/sentinel_node.h", "search/runs/seed_runs.h", "reports/svg.h",
                     "app/main.h"):
            self.write(path, "#pragma once\n")

    def write(self, path, text):
        file = self.house / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def complaints_of(self, path, text):
        self.write(path, text)
        return list(house_rules.complaints(self.house))

    def assert_one(self, path, text, *words):
        found = self.complaints_of(path, text)
        self.assertEqual(len(found), 1, found)
        for word in (path, *words):
            self.assertIn(word, found[0])
        (self.house / path).unlink()

    def test_let_a_clean_house_pass(self):
        self.assertEqual(self.complaints_of("app/main.cpp", '#include <vector>\n'
                                            '#include "reports/svg.h"\n#include "sim/time.h"\n'), [])

    def test_catch_every_import_that_runs_uphill(self):
        for room in house_rules.IMPORTS:
            for header in ("sim/time.h", "checker/check.h", "redis/server/server.h",
                           "search/runs/seed_runs.h", "reports/svg.h", "app/main.h"):
                target = header.split("/")[0]
                if target == room or target in house_rules.IMPORTS[room]:
                    continue
                self.assert_one(f"{room}/planted.cpp", f'// why\n#include "{header}"\n',
                                ":2:", "downhill")

    def test_catch_folders_of_a_room_that_know_too_much(self):
        for importer, header in (("redis/protocol", "redis/server/server.h"),
                                 ("redis/values", "redis/server/server.h"),
                                 ("lua/source", "lua/interpreter/state.h"),
                                 ("model/cluster", "model/engine/engine.h"),
                                 ("model/sentinel", "model/engine/engine.h"),
                                 ("model/sentinel", "model/cluster/cluster_node.h"),
                                 ("model/client", "model/cluster/cluster_node.h"),
                                 ("model/client", "model/engine/engine.h")):
            self.assert_one(f"{importer}/planted.h", f'#include "{header}"\n', "must not include")

    def test_catch_paths_that_do_not_start_at_the_root(self):
        self.assert_one("sim/planted.cpp", '#include "planted.h"\n', "no file of the repository")
        self.assert_one("model/planted.cpp", "#include <sim/time.h>\n", "is ours")

    def test_catch_every_source_of_nondeterminism(self):
        for text in ("std::random_device device;", "std::mt19937 generator;",
                     "std::mt19937_64 generator;", "std::uniform_int_distribution<int> d;",
                     "std::shuffle(a, b, c);", "std::chrono::system_clock::now();",
                     "std::chrono::steady_clock::now();", "int x = rand();", "std::rand ();",
                     "srand(1);", "gettimeofday(&now, nullptr);", "clock_gettime(0, &now);",
                     "time(nullptr);", "std::thread worker;", "std::jthread worker;",
                     "std::async(work);", "std::unordered_map<int, int> map;",
                     "std::unordered_set<int> set;", "#include <chrono>", "#include <random>",
                     "#include <unordered_map>"):
            for room in house_rules.DETERMINISTIC_ROOMS:
                self.assert_one(f"{room}/planted.cpp", f"// one\n{text}\n", ":2:", "nondeterminism")

    def test_catch_sockets_where_none_belong(self):
        for include in ("<sys/socket.h>", "<sys/epoll.h>", "<netinet/in.h>", "<poll.h>"):
            for room in ("sim", "model", "search", "reports", "app"):
                self.assert_one(f"{room}/planted.cpp", f"// one\n#include {include}\n", ":2:",
                                "sockets belong to")
        for room in ("serve", "confirm", "tests/serve", "bench"):
            self.assertEqual(self.complaints_of(f"{room}/planted.cpp", "#include <poll.h>\n"), [])

    def test_let_words_in_comments_and_literals_pass(self):
        self.assertEqual(self.complaints_of(
            "sim/planted.cpp",
            '// no std::unordered_map here\n/* nor rand(\n */\nauto a = "std::thread";\n'
            'auto b = R"x(rand() " )x";\nchar c = \'"\';\nint operand(int);\n'
            "auto d = 1'000'000;\n"), [])

    def test_see_what_comes_after_a_literal(self):
        self.assert_one("sim/planted.cpp", "auto a = '\"'; int b = 1'000;\nint c = rand();\n", ":2:")
        self.assert_one("sim/planted.cpp", 'auto a = "//"; int c = rand();\n', ":1:")

    def test_let_the_app_read_a_clock(self):
        self.assertEqual(self.complaints_of("app/planted.cpp", "#include <chrono>\n"), [])

    def test_catch_a_file_that_is_too_long(self):
        for path in ("checker/planted.cpp", "tests/planted.py", "scripts/planted.lua",
                     "tools/planted"):
            self.assert_one(path, "\n" * 601, "601 lines")
        self.assertEqual(self.complaints_of("checker/long.cpp", "\n" * 600), [])

    def test_catch_a_crowded_folder(self):
        for number in range(house_rules.FILES_IN_A_FOLDER_MAX):
            self.write(f"sim/one_{number}.cpp", "")
        self.assertIn("sim/: 41 files", "".join(house_rules.complaints(self.house)))

    def test_leave_build_folders_out(self):
        self.assertEqual(self.complaints_of("build-x/planted.cpp", "\n" * 601), [])


if __name__ == "__main__":
    unittest.main()
