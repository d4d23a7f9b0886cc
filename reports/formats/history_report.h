// The report of `lockstep check` on a recorded history: in words for people, as JSON for programs.
//
// The same history and decision give the same bytes; times are no part of it. docs/check.md has the
// JSON's schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "checker/recorded/decide.h"
#include "checker/recorded/formats/read_history.h"
#include "reports/trace/json_values.h"

namespace lockstep::reports {

/// Whether the report shows the order that explains a linearizable object.
enum class Witness : std::uint8_t { left_out, told };

/// Does not own what it is about.
struct CheckedHistory {
  std::string path;
  checker::recorded::Model model;
  const checker::recorded::ReadResult& read;
  const checker::recorded::Decision& decision;
  Witness witness = Witness::left_out;
};

/// The first part that isn't linearizable, else the first that is unknown; none if all are
/// linearizable.
[[nodiscard]] const checker::recorded::KeyDecision* worst_key_decision(
    const checker::recorded::Decision& decision);

/// What a person reads at once.
inline constexpr std::size_t report_lines_max = 40;

/// "a.jsonl: not linearizable as a mutex", and why, in sanitized lines: at most report_lines_max,
/// but for the orders that were asked for.
[[nodiscard]] std::string in_words(const CheckedHistory& checked);

/// Why, of every object that isn't linearizable or unknown, with all lines.
[[nodiscard]] std::string explanation_in_words(const CheckedHistory& checked);

[[nodiscard]] Json json_of(const CheckedHistory& checked);

}  // namespace lockstep::reports
