// A story, and what must be said of its cause.
#pragma once

#include <ostream>
#include <string_view>
#include <vector>

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

}  // namespace lockstep::reports
