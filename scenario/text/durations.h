// Durations and clock rates in text: "250ms", "1.5s", "-3s", "200us..400us", "50ppm".
//
// A unit is required. Arithmetic is exact: "1.5s" is 1,500,000,000 ns; what is not a whole number
// of nanoseconds, or exceeds 64 bits, is refused.
//
//   duration := [sign] digits ['.' digits] unit      unit := ns | us | ms | s | m | h
//   rate     := [sign] digits "ppm"                  range := duration [".." duration]
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/time.h"

namespace lockstep::scenario {

/// A number read from text, or the `problem` with it ("a unit is missing: …").
struct ParsedNumber {
  std::int64_t value = 0;
  std::string problem;

  [[nodiscard]] bool ok() const { return problem.empty(); }
};

/// In nanoseconds.
[[nodiscard]] ParsedNumber parse_duration(std::string_view text);
/// In millionths.
[[nodiscard]] ParsedNumber parse_ppm(std::string_view text);

/// The shortest usual form: "1.5s", "10m". parse_duration reads it back as the same.
[[nodiscard]] std::string format_duration(sim::DurationNs duration_ns);

/// "1st", "2nd", "11th".
[[nodiscard]] std::string format_ordinal(std::uint64_t number);
/// The number of "1st", "2nd", "11th"; 0 for other words.
[[nodiscard]] std::uint32_t parse_ordinal(std::string_view word);

}  // namespace lockstep::scenario
