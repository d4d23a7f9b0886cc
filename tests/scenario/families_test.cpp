// Bases and parameters: what several files and several rows become.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "scenario/explain.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/steps.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_file.h"
#include "scenario/text/text_file.h"

namespace lockstep::model::families {
namespace {

/// Files that are laid over each other, the first at the top; none of them is on a disk.
using Files = std::vector<scenario::SourceFile>;

constexpr std::string_view base_text = R"(
lock   = "plain"
expect = { holds = ["harm", "no-leak"] }
[redis]
masters  = 3
replicas = 1
[[client]]
name = "a"
run  = ["lock lease=1s", "unlock"]
[[client]]
name = "b"
run  = ["lock lease=2s", "unlock"]
[[fault]]
pause = "a"
at    = "1s"
)";

Files over_base(const std::string& text) {
  return {{"top.toml", text}, {"base.toml", std::string(base_text)}};
}

std::string complaint(const Files& files, const std::vector<scenario::ParameterSetting>& set = {}) {
  try {
    static_cast<void>(scenario::parse_scenarios(files, set));
  } catch (const scenario::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Bases, LendWhatTheFileDoesNotSay) {
  const scenario::Scenario scenario = scenario::parse_scenarios(over_base(R"(
base   = "base.toml"
title  = "t"
expect = { violates = "harm" }
[redis]
masters = 5
[[client]]
name = "b"
run  = ["lock lease=9s"]
[[client]]
name = "c"
run  = ["lock"]
[[fault]]
crash = "n1"
at    = "2s"
)"))
                                          .front();
  EXPECT_EQ(scenario.title, "t");
  EXPECT_EQ(scenario.lock, "plain");
  EXPECT_EQ(scenario.redis.masters, 5U);
  EXPECT_EQ(scenario.redis.replicas, 1U);
  EXPECT_TRUE(scenario.expect.holds.empty()) << "an expectation is taken whole";
  ASSERT_EQ(scenario.clients.size(), 3U);
  EXPECT_EQ(scenario.clients[0].name, "a");
  EXPECT_EQ(scenario::write_step(scenario.clients[1].threads[0].steps[0], "lock"), "lock lease=9s");
  EXPECT_EQ(scenario.clients[1].threads[0].steps.size(), 1U) << "a client is replaced whole";
  EXPECT_EQ(scenario.clients[2].name, "c");
  ASSERT_EQ(scenario.faults.size(), 2U);
  EXPECT_EQ(scenario.faults[0].target, "a");
  EXPECT_EQ(scenario.faults[1].target, "n1");
  ASSERT_EQ(scenario.bases.size(), 1U);
  EXPECT_EQ(scenario.bases[0].path, "base.toml");
}

TEST(Bases, AreComplainedAboutWhereTheyStand) {
  const std::string top = "base = \"base.toml\"\ntitle = \"t\"\n";
  EXPECT_EQ(complaint({{"top.toml", top}, {"base.toml", "lock = \"plain\"\nexpectt = 1\n"}}),
            "base.toml:2:1: error: unknown key 'expectt'; did you mean 'expect'? (a scenario has "
            "title, base, parameters, case, lock, lock_name, expect, redis, options, scripts, "
            "resource, clocks, limits, liveness, client, link, fault, faults, budget and heal)");
  EXPECT_EQ(complaint({{"top.toml", top}, {"base.toml", "lock = \"plain\"\n"}}),
            "top.toml:1:1: error: a scenario lacks the key 'expect', as in expect = { holds = "
            "[\"mutual-exclusion\"] }");
  EXPECT_EQ(
      complaint(over_base(top + "[[client]]\nname = \"c\"\nrun = [\"lokc\"]\n")).substr(0, 49),
      "top.toml:5:9: error: unknown step 'lokc'; did you");
  EXPECT_EQ(complaint({{"top.toml", top}, {"base.toml", "lock = \n"}}).substr(0, 41),
            "base.toml:1:8: error: this is not TOML: e");
  EXPECT_EQ(complaint({{"top.toml", top}}),
            "top.toml:1:9: error: a base is read where the scenario is a file; here it is none");
  EXPECT_EQ(complaint(over_base(top + "[[client]]\nname = \"b\"\nrun = [\"lock\"]\n"
                                      "[[client]]\nname = \"b\"\nrun = [\"lock\"]\n")),
            "top.toml:7:9: error: there is a client 'b' already, on line 4; expected another name");
}

TEST(Lock, MayBeTheFolderOfTheFileThatNamesIt) {
  const auto lock_of = [](const std::string& named) {
    std::string text = "title = \"t\"\nexpect = { holds = \"harm\" }\nlock = \"" + named + "\"\n";
    text += "[[client]]\nname = \"a\"\nrun = [\"lock\"]\n";
    return scenario::parse_scenario("mine/stories/s.toml", text).lock;
  };
  EXPECT_EQ(lock_of("."), "../stories");
  EXPECT_EQ(lock_of("./"), "../stories");
  EXPECT_EQ(lock_of("./."), "../stories");
  EXPECT_EQ(lock_of(".."), "../../mine");
  EXPECT_EQ(lock_of("./../"), "../../mine");
  EXPECT_EQ(lock_of("./variant"), "./variant");
  const Files files = {{"top.toml", "base = \"below/base.toml\"\ntitle = \"t\"\n"},
                       {"below/base.toml",
                        "lock = \".\"\nexpect = { holds = \"harm\" }\n[[client]]\nname = "
                        "\"a\"\nrun = [\"lock\"]\n"}};
  EXPECT_EQ(scenario::parse_scenarios(files).front().lock, "./below");
}

TEST(Bases, AreFoundBesideTheFileThatNamesThem) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "lockstep-bases";
  fs::remove_all(folder);
  fs::create_directories(folder / "families");
  const auto write = [&folder](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  const std::string peer_group = write("circle.toml", "base = \"families/one.toml\"\n");
  write("families/one.toml", "base = \"../families/../families/two.toml\"\nlock = \"./mine\"\n");
  write("families/two.toml", std::string(base_text) + "[scripts]\nacquire = \"a.lua\"\n");
  write("families/a.lua", "return 1");
  const std::string good = write("good.toml", "base = \"families/one.toml\"\ntitle = \"t\"\n");
  const scenario::Scenario scenario = scenario::load_scenario(good);
  EXPECT_EQ(scenario.lock, "./families/mine");
  EXPECT_EQ(fs::path(scenario.scripts.at("acquire")).lexically_normal(),
            folder / "families" / "a.lua");
  write("families/two.toml", "base = \"../circle.toml\"\n");
  try {
    static_cast<void>(scenario::load_scenario(peer_group));
    ADD_FAILURE() << "was accepted";
  } catch (const scenario::InputError& error) {
    EXPECT_EQ(error.message().substr(0, 39),
              "the bases go round in a circle: " + peer_group.substr(0, 7));
    EXPECT_NE(error.message().find("two.toml → " + peer_group.substr(0, 3)), std::string::npos);
    EXPECT_EQ(error.place().line, 1U);
    EXPECT_EQ(error.place().column, 9U);
  }
  write("families/two.toml", "base = \"none.toml\"\n");
  EXPECT_THROW(static_cast<void>(scenario::load_scenario(good)), scenario::InputError);
  fs::remove_all(folder);
}

const std::string head =
    "title = \"$pause\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n"
    "[redis]\nmasters = \"$masters\"\n[resource]\nfencing = \"${fencing}\"\n"
    "[[client]]\nname = \"a\"\nrun = [\"lock lease=${lease}\", \"unlock\"]\n"
    "[[fault]]\npause = \"a\"\nat = \"1s\"\nfor = \"$pause\"\n";

TEST(Parameters, MakeARowOfEachCombination) {
  const auto rows = scenario::parse_scenarios({{"s.toml", head + R"(
[parameters]
lease   = ["5s", "20s"]
masters = [1, 3]
fencing = true
pause   = "3s"
)"}});
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].row, "[lease=5s, masters=1]");
  EXPECT_EQ(rows[1].row, "[lease=5s, masters=3]");
  EXPECT_EQ(rows[3].row, "[lease=20s, masters=3]");
  EXPECT_EQ(rows[3].name(), "s.toml [lease=20s, masters=3]");
  EXPECT_EQ(rows[3].redis.masters, 3U);
  EXPECT_TRUE(rows[3].resource.fencing);
  EXPECT_EQ(rows[3].title, "3s");
  EXPECT_EQ(rows[3].clients[0].threads[0].steps[0].lease_ns, 20 * sim::second_ns);
  EXPECT_EQ(rows[3].parameters.size(), 4U);
  const auto again = scenario::parse_scenarios({{"s.toml", rows[3].text}}, rows[3].parameters);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(scenario::explain(again[0]), scenario::explain(rows[3]));
}

const std::string cases = head + R"(
[parameters]
lease   = "5s"
masters = [1, 2]
fencing = true
pause   = "3s"
[[case]]
[[case]]
masters = 3
pause   = ["6s", "9s"]
title   = "longer than $lease"
expect  = { violates = "harm" }
)";

TEST(Parameters, CasesAreRowsWithExpectationsOfTheirOwn) {
  const auto rows = scenario::parse_scenarios({{"s.toml", cases}});
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[1].row, "[masters=2, pause=3s]");
  EXPECT_TRUE(rows[1].expect.violates.empty());
  EXPECT_EQ(rows[3].row, "[masters=3, pause=9s]");
  EXPECT_EQ(rows[3].title, "longer than 5s");
  EXPECT_EQ(rows[3].expect.violates.size(), 1U);
}

TEST(Parameters, AreSetByTheUser) {
  const auto listed = scenario::parse_scenarios({{"s.toml", cases}}, {{"pause", "9s"}});
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].row, "[masters=3, pause=9s]");
  EXPECT_EQ(listed[0].expect.violates.size(), 1U);
  const auto other =
      scenario::parse_scenarios({{"s.toml", cases}}, {{"pause", "1s"}, {"masters", "7"}});
  ASSERT_EQ(other.size(), 1U);
  EXPECT_EQ(other[0].row, "[masters=7, pause=1s]");
  EXPECT_EQ(other[0].redis.masters, 7U);
  EXPECT_TRUE(other[0].expect.violates.empty());
  EXPECT_EQ(complaint({{"s.toml", cases}}, {{"masters", "x"}}).substr(0, 31),
            "--set: error: 'x' is no whole n");
  EXPECT_EQ(complaint({{"s.toml", cases}}, {{"paus", "1s"}}),
            "--set: error: s.toml has no parameter 'paus'; did you mean 'pause'? (it has lease, "
            "masters, fencing and pause)");
}

TEST(Parameters, ThatAreWrongAreRefused) {
  struct Case {
    std::string text;
    std::string complaint;
  };
  const std::string all =
      "[parameters]\nlease = \"5s\"\nmasters = 1\nfencing = true\npause = \"3s\"\n";
  const std::vector<Case> wrong = {
      {head, "s.toml:10:22: error: there is no parameter 'lease' ([parameters] has nothing)"},
      {head + all + "more = 1\n",
       "s.toml:20:1: error: the parameter 'more' is used nowhere; expected it in a string, as in "
       "\"$more\""},
      {head + "[parameters]\nlease = []\n",
       "s.toml:16:9: error: the parameter 'lease' has no value; expected one or more, as in "
       "[\"5s\", \"20s\"]"},
      {head + "[parameters]\nlease = [\"5s\", \"5s\"]\n",
       "s.toml:16:16: error: '5s' is listed twice"},
      {head + "[parameters]\nlease = 1.5\n",
       "s.toml:16:9: error: the parameter 'lease' is a number with a fraction; expected a string, "
       "a whole number, true or false, or a list of them"},
      {head + "[parameters]\nexpect = 1\n",
       "s.toml:16:1: error: 'expect' is taken: a [[case]] has it; expected another name"},
      {head + "[parameters]\n\"a b\" = 1\n",
       "s.toml:16:1: error: 'a b' is no parameter's name; expected a letter, then letters, digits "
       "and '_', 40 at most"},
      {head + all + "[[case]]\nleas = \"1s\"\n",
       "s.toml:21:1: error: there is no parameter 'leas'; did you mean 'lease'? (a [[case]] has "
       "'expect', 'title' and parameters of [parameters]: lease, masters, fencing and pause)"},
      {head + all + "[[case]]\n[[case]]\nlease = \"5s\"\n",
       "s.toml:21:1: error: an earlier [[case]] has the same values; expected others"},
      {"title = \"5 $ more\"\n",
       "s.toml:1:12: error: '$' begins a parameter, as in '$lease' or '${lease}'; a dollar sign is "
       "written '$$'"},
      {"title = \"${lease\"\n",
       "s.toml:1:10: error: '$' begins a parameter, as in '$lease' or '${lease}'; a dollar sign is "
       "written '$$'"},
  };
  for (const Case& each : wrong) {
    EXPECT_EQ(complaint({{"s.toml", each.text}}), each.complaint) << each.text;
  }
  std::string many = head + "[parameters]\n";
  for (const char* const name : {"lease", "masters", "pause"}) {
    many += std::string(name) + " = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\n";
  }
  EXPECT_EQ(complaint({{"s.toml", many}}),
            "s.toml:15:2: error: the parameters make more than 1000 rows");
}

TEST(Parameters, MayBeUsedInOneCaseOnly) {
  const std::string text =
      "title = \"t\"\nlock = \"plain\"\nexpect = { overlap_at_most = \"$most\" }\n"
      "[[client]]\nname = \"a\"\nrun = [\"lock lease=$lease\"]\n"
      "[parameters]\nlease = [\"1s\"]\nmost = \"2s\"\nlongest = \"3s\"\n"
      "[[case]]\n[[case]]\nlease = \"5s\"\nexpect = { wait_at_most = \"${longest}\" }\n";
  const auto rows = scenario::parse_scenarios({{"s.toml", text}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].expect.overlap_at_most_ns, 2 * sim::second_ns);
  EXPECT_EQ(rows[1].expect.wait_at_most_ns, 3 * sim::second_ns);
  std::string unused = text;
  unused.replace(unused.find("$most"), 5, "2s");
  EXPECT_EQ(complaint({{"s.toml", unused}}).substr(0, 49),
            "s.toml:9:1: error: the parameter 'most' is used n");
}

TEST(Parameters, ADollarSignIsWrittenTwice) {
  EXPECT_EQ(
      scenario::parse_scenario("s.toml",
                               "title = \"$$5\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n"
                               "[[client]]\nname = \"a\"\nrun = [\"lock\"]\n")
          .title,
      "$5");
}

TEST(Parameters, ComplaintsSayWhichRow) {
  EXPECT_EQ(complaint({{"s.toml", head + "[parameters]\nlease = [\"5s\", \"5\"]\nmasters = 1\n"
                                         "fencing = false\npause = \"1s\"\n"}}),
            "s.toml:10:8: error: '5' is no duration: the unit is missing: one of ns, us, ms, s, m "
            "or h [lease=5]");
}

}  // namespace

}  // namespace lockstep::model::families

// Scenario files on disk.

namespace lockstep::model {
namespace {

/// A folder that goes when the test ends.
class ScenarioFiles : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::path(testing::TempDir()) / ("lockstep-scenario-" + name);
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, std::string_view text) {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  /// What load_scenario complains of, without the folder.
  std::string complaint(const std::filesystem::path& path) {
    try {
      static_cast<void>(scenario::load_scenario(path));
    } catch (const scenario::InputError& error) {
      return std::string(error.what()).substr(folder_.string().size() + 1);
    }
    return "accepted";
  }

  std::filesystem::path folder_;
};

constexpr std::string_view good =
    "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n"
    "[[client]]\nname = \"a\"\nrun = [\"lock\"]\n";

TEST_F(ScenarioFiles, OfATestAreInAFolderOfItsBuildAndSuite) {
  // Started by hand, without ctest's TEST_TMPDIR, it fails: it is about what ctest sets.
  EXPECT_NE(testing::TempDir().find("tests/tmp/ScenarioFiles"), std::string::npos)
      << testing::TempDir();
}

TEST_F(ScenarioFiles, AreReadWhole) {
  const std::filesystem::path path = write("good.toml", good);
  const scenario::Scenario scenario = scenario::load_scenario(path);
  EXPECT_EQ(scenario.path, path.string());
  EXPECT_EQ(scenario.text, good);
}

TEST_F(ScenarioFiles, ThatAreMissingAreRefused) {
  EXPECT_EQ(complaint(folder_ / "none.toml"), "none.toml: error: there is no such file");
}

TEST_F(ScenarioFiles, ThatAreFoldersAreRefused) {
  std::filesystem::create_directory(folder_ / "folder.toml");
  EXPECT_EQ(complaint(folder_ / "folder.toml"),
            "folder.toml: error: this is a folder; a file was expected");
}

TEST_F(ScenarioFiles, ThatAreEmptyAreRefused) {
  EXPECT_EQ(complaint(write("empty.toml", "")),
            "empty.toml:1:1: error: this file is empty; expected a scenario: title, lock, expect "
            "and at least one [[client]]");
}

TEST_F(ScenarioFiles, ThatAreBinaryAreRefused) {
  using namespace std::string_view_literals;
  EXPECT_EQ(complaint(write("program.toml",
                            "\x7f"
                            "ELF\x02\x01\x00\x00"sv)),
            "program.toml:1:7: error: this is not a text file: the byte 0x00 was found where UTF-8 "
            "text was expected");
  EXPECT_EQ(complaint(write("latin1.toml", "title = \"\n\xe4\"")),
            "latin1.toml:2:1: error: this is not a text file: the byte 0xe4 was found where UTF-8 "
            "text was expected");
}

TEST_F(ScenarioFiles, ThatAreHugeAreRefused) {
  EXPECT_EQ(complaint(write("huge.toml", std::string(scenario::text_file_bytes_max + 1, '#'))),
            "huge.toml: error: it is larger than 4 MiB; a text file was expected");
}

TEST_F(ScenarioFiles, FindTheirScriptsBesideThemselves) {
  const std::string text = std::string(good) + "[scripts]\nacquire = \"mine.lua\"\n";
  const std::filesystem::path path = write("good.toml", text);
  EXPECT_EQ(complaint(path),
            "good.toml:8:12: error: there is no file '" + (folder_ / "mine.lua").string() + "'");
  write("mine.lua", "return 1");
  EXPECT_EQ(scenario::load_scenario(path).scripts.at("acquire"), (folder_ / "mine.lua").string());
}

TEST(Utf8, IsCheckedAsTheStandardSays) {
  using namespace std::string_view_literals;
  for (const std::string_view good_text :
       {"abc"sv, "\t\r\n"sv, "\xC2\x80"sv, "\xDF\xBF"sv, "\xE0\xA0\x80"sv, "\xED\x9F\xBF"sv,
        "\xEF\xBF\xBF"sv, "\xF0\x90\x80\x80"sv, "\xF4\x8F\xBF\xBF"sv}) {
    EXPECT_NO_THROW(scenario::require_utf8("f", good_text)) << good_text;
  }
  for (const std::string_view wrong :
       {"\0"sv, "\x80"sv, "\xBF"sv, "\xC0\x80"sv, "\xC1\xBF"sv, "\xC2"sv, "\xC2\x20"sv,
        "\xE0\x9F\xBF"sv, "\xED\xA0\x80"sv, "\xEF\xBF"sv, "\xF0\x8F\xBF\xBF"sv,
        "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\xFF"sv}) {
    EXPECT_THROW(scenario::require_utf8("f", wrong), scenario::InputError);
  }
}

}  // namespace
}  // namespace lockstep::model
