// What of a violation an assumption may excuse: who has a part in it, and when.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "checker/history.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
struct Evidence;
}  // namespace lockstep::checker

namespace lockstep::search {

/// Who has a part in a violation, and by when it had come about.
struct Violation {
  std::vector<checker::NameId> parties;  ///< none: everybody
  checker::TimeNs from_ns = 0;           ///< only what was held then, or later, has a part in it
  checker::TimeNs by_ns = checker::never_ns;
  bool is_of_answers = false;   ///< it is what a caller was told that is wrong
  bool is_of_a_server = false;  ///< of a vote, too: what is left on one server is left
};

/// As evidence tells it.
[[nodiscard]] Violation told_violation(std::span<const checker::Evidence> evidence);

/// Whether it is judged at the end, of the run as a whole.
[[nodiscard]] bool is_of_whole_run(checker::Property property);

}  // namespace lockstep::search
