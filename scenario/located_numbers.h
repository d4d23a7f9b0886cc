// Durations, rates and latencies in a user's file: read, checked against what a scenario allows,
// and complained about where they stand.
#pragma once

#include <cstdint>

#include "scenario/text/located_text.h"
#include "scenario/workload_spec.h"
#include "sim/network.h"
#include "sim/time.h"

namespace lockstep::scenario {

/// Nothing in a scenario lasts longer: a year. Sums of such durations stay far within 64 bits.
inline constexpr sim::DurationNs duration_ns_max = 365 * 24 * 3600 * sim::second_ns;

enum class DurationSign : std::uint8_t { positive, not_negative, any };

/// Throws InputError where the text is no duration, or one not allowed.
[[nodiscard]] sim::DurationNs duration_of(const LocatedText& text, DurationSign sign);
/// Also throws where it is not a whole number of milliseconds, in which Redis and its locks count.
[[nodiscard]] sim::DurationNs milliseconds_of(const LocatedText& text, DurationSign sign);
/// What a duration must be a whole number of; Redis and its locks count in milliseconds.
enum class Granularity : std::uint8_t { nanoseconds, milliseconds };
/// "5s", or "5s..10s": both ends as duration_of has them. Throws InputError.
[[nodiscard]] DurationRange duration_range_of(const LocatedText& text, DurationSign sign,
                                              Granularity whole = Granularity::nanoseconds);
/// Digits only, min to max. Throws InputError.
[[nodiscard]] std::int64_t whole_number_of(const LocatedText& text, std::int64_t min,
                                           std::int64_t max);
/// A clock's rate: |result| < 1,000,000. Throws InputError.
[[nodiscard]] std::int64_t ppm_of(const LocatedText& text);
/// "1ms" or "200us..400us", at least 1 µs. Throws InputError.
[[nodiscard]] sim::Latency latency_of(const LocatedText& text);

}  // namespace lockstep::scenario
