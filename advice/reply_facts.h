// What the reply of a Redis command tells of its key when a script compares it.
#pragma once

#include <string_view>

#include "advice/values.h"

namespace lockstep::advice {

/// What follows from a comparison's being true, and from its being false.
struct ComparisonFacts {
  Facts when_true;
  Facts when_false;
};

/// `reply` compared with a number by `==`, `~=`, `<`, `<=`, `>` or `>=`, the reply on the left.
[[nodiscard]] ComparisonFacts compare_with_number(const ReplyOf& reply,
                                                  std::string_view operator_text, double number);

/// The reply taken as true or false by itself: nil replies are false.
[[nodiscard]] ComparisonFacts take_as_condition(const ReplyOf& reply);

}  // namespace lockstep::advice
