// Scenario files on disk.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "scenario/text/text_file.h"

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
  if (std::getenv("RC_PARAMS") == nullptr) GTEST_SKIP() << "not started by ctest";
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
