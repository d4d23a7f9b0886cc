// Reads durations, rates and latencies of a user's file, with errors that name the place.
#pragma once

#include <cstdint>

#include "sim/time.h"

namespace lockstep::sim {
struct Latency;
}  // namespace lockstep::sim

namespace lockstep::scenario {

struct DurationRange;
struct LocatedText;

/// A year: the longest duration in a scenario. Sums stay far within 64 bits.
inline constexpr sim::DurationNs duration_ns_max = std::int64_t{365} * 24 * 3600 * sim::second_ns;

enum class DurationSign : std::uint8_t { positive, not_negative, any };

/// Throws InputError if the text is not a duration, or is out of range.
[[nodiscard]] sim::DurationNs duration_of(const LocatedText& text, DurationSign sign);
/// As duration_of; also throws if it is not a whole number of milliseconds, Redis's unit.
[[nodiscard]] sim::DurationNs milliseconds_of(const LocatedText& text, DurationSign sign);
/// The unit of which a duration must be a whole number.
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
