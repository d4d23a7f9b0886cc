// checker/ stands beside the simulator and imports nothing of it: only itself, the standard library
// and {fmt}.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/source_folder.h"

namespace {

/// The standard library's headers have neither a folder nor an ending.
bool is_allowed(const std::string& header) {
  static const std::regex allowed("\"checker/[a-z_/]+\\.h\"|<fmt/[a-z]+\\.h>|<[a-z_0-9]+>");
  return std::regex_match(header, allowed);
}

std::vector<std::string> includes_of(const std::filesystem::path& file) {
  static const std::regex include("^\\s*#\\s*include\\s*([<\"][^>\"]*[>\"]).*");
  std::vector<std::string> headers;
  std::ifstream input(file);
  std::smatch match;
  for (std::string line; std::getline(input, line);) {
    if (std::regex_match(line, match, include)) headers.push_back(match[1]);
  }
  return headers;
}

TEST(CheckerIncludes, NameOnlyTheCheckerTheStandardLibraryAndFmt) {
  int files = 0;
  int headers = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(lockstep::source_folder()) / "checker")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cpp") continue;
    ++files;
    for (const std::string& header : includes_of(entry.path())) {
      ++headers;
      EXPECT_TRUE(is_allowed(header)) << entry.path() << " includes " << header;
    }
  }
  EXPECT_GT(files, 20);
  EXPECT_GT(headers, 60);
}

TEST(CheckerIncludes, OfOtherRoomsWouldBeNoticed) {
  EXPECT_FALSE(is_allowed("\"sim/time.h\""));
  EXPECT_FALSE(is_allowed("<xxhash.h>"));
  EXPECT_FALSE(is_allowed("\"run_builder.h\""));
  EXPECT_TRUE(is_allowed("<vector>"));
  EXPECT_TRUE(is_allowed("\"checker/history.h\""));
  EXPECT_TRUE(is_allowed("\"checker/recorded/history.h\""));
}

}  // namespace
