// Durations and clock rates as people write them: "250ms", "1.5s", "-3s", "200us..400us", "50ppm".
//
// A unit is required and there are no floating-point numbers: "1.5s" is 1,500,000,000 ns exactly,
// and what can't be said exactly in nanoseconds, or not in 64 bits, is refused.
//
//   duration := [sign] digits ['.' digits] unit      unit := ns | us | ms | s | m | h
//   rate     := [sign] digits "ppm"                  range := duration [".." duration]
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/time.h"

namespace lockstep::scenario {

/// A number read from text, or in `problem` why there is none ("a unit is missing: …").
struct ParsedNumber {
  std::int64_t value = 0;
  std::string problem;

  [[nodiscard]] bool ok() const { return problem.empty(); }
};

/// In nanoseconds.
[[nodiscard]] ParsedNumber parse_duration(std::string_view text);
/// In millionths.
[[nodiscard]] ParsedNumber parse_ppm(std::string_view text);

/// The shortest usual way to write it, which parse_duration reads back as the same: "1.5s", "10m".
[[nodiscard]] std::string format_duration(sim::DurationNs duration_ns);

/// "1st", "2nd", "11th".
[[nodiscard]] std::string format_ordinal(std::uint64_t number);
/// The number of "1st", "2nd", "11th"; 0 where it is not one.
[[nodiscard]] std::uint32_t parse_ordinal(std::string_view word);

}  // namespace lockstep::scenario
