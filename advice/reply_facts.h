// The facts about a key that follow from a script's comparison of a command's reply.
#pragma once

#include <string_view>

#include "advice/values.h"

namespace lockstep::advice {

/// The facts that follow if a comparison is true, and if it is false.
struct ComparisonFacts {
  Facts when_true;
  Facts when_false;
};

/// `reply` compared with a number by `==`, `~=`, `<`, `<=`, `>` or `>=`, the reply on the left.
[[nodiscard]] ComparisonFacts compare_with_number(const ReplyOf& reply,
                                                  std::string_view operator_text, double number);

/// The same with what a caller passed, which is taken to be a lease: above 0.
[[nodiscard]] ComparisonFacts compare_with_lease(const ReplyOf& reply,
                                                 std::string_view operator_text);

/// The reply itself as a condition; nil replies are false.
[[nodiscard]] ComparisonFacts take_as_condition(const ReplyOf& reply);

}  // namespace lockstep::advice
