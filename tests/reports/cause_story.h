// A story, and what must be said of its cause.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::reports {

struct CauseStory {
  std::string_view name;
  /// A file, or what follows the title; paths as scenarios/known-bugs sees them.
  std::string_view story;
  std::vector<std::string_view> says;
  std::vector<std::string_view> says_not = {};

  friend std::ostream& operator<<(std::ostream& out, const CauseStory& each) {
    return out << each.name;
  }
};

/// Runs it with the first seed.
void expect_told(const CauseStory& story);

/// The same run: which defect that its lock names as known explains what broke; empty: none does.
[[nodiscard]] std::string known_flaw_in(std::string_view story, checker::Property broken);

}  // namespace lockstep::reports
