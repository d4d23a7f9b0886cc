#include "scenario/located_numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "scenario/duration_range.h"
#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/located_text.h"
#include "sim/network.h"

namespace lockstep::scenario {

sim::DurationNs duration_of(const LocatedText& text, DurationSign sign) {
  const ParsedNumber number = parse_duration(text.text);
  if (!number.ok()) {
    text.complain(fmt::format("{} is no duration: {}", in_quotes(text.text), number.problem));
  }
  if (number.value > duration_ns_max || number.value < -duration_ns_max) {
    text.complain(
        fmt::format("{} is too long; expected at most a year (8760h)", in_quotes(text.text)));
  }
  if (sign == DurationSign::positive && number.value <= 0) {
    text.complain(
        fmt::format("{} is out of range; expected a duration above zero", in_quotes(text.text)));
  }
  if (sign == DurationSign::not_negative && number.value < 0) {
    text.complain(fmt::format("{} is out of range; expected zero or more", in_quotes(text.text)));
  }
  return number.value;
}

sim::DurationNs milliseconds_of(const LocatedText& text, DurationSign sign) {
  const sim::DurationNs duration_ns = duration_of(text, sign);
  if (duration_ns % sim::millisecond_ns != 0) {
    text.complain(fmt::format("{} is not a whole number of milliseconds, in which Redis counts",
                              in_quotes(text.text)));
  }
  return duration_ns;
}

DurationRange duration_range_of(const LocatedText& text, DurationSign sign, Granularity whole) {
  const auto read = [&](const LocatedText& end) {
    return whole == Granularity::milliseconds ? milliseconds_of(end, sign) : duration_of(end, sign);
  };
  const std::size_t dots = text.text.find("..");
  if (dots == std::string_view::npos) {
    const sim::DurationNs duration_ns = read(text);
    return {duration_ns, duration_ns};
  }
  const LocatedText most = text.part(dots + 2);
  const DurationRange range{read(text.part(0, dots)), read(most)};
  if (range.max_ns < range.min_ns) {
    most.complain(
        fmt::format("{} ends before it begins; expected least..most", in_quotes(text.text)));
  }
  return range;
}

std::int64_t whole_number_of(const LocatedText& text, std::int64_t min, std::int64_t max) {
  std::int64_t number = 0;
  const char* const end = text.text.data() + text.text.size();
  const auto [read, error] = std::from_chars(text.text.data(), end, number);
  if (text.text.empty() || error != std::errc() || read != end || number < min || number > max) {
    text.complain(
        fmt::format("{} is no whole number from {} to {}", in_quotes(text.text), min, max));
  }
  return number;
}

std::int64_t ppm_of(const LocatedText& text) {
  constexpr std::int64_t ppm_end = 1'000'000;
  const ParsedNumber number = parse_ppm(text.text);
  if (!number.ok()) {
    text.complain(fmt::format("{} is no rate: {}", in_quotes(text.text), number.problem));
  }
  if (number.value <= -ppm_end || number.value >= ppm_end) {
    text.complain(
        fmt::format("{} is out of range; expected less than 1000000ppm", in_quotes(text.text)));
  }
  return number.value;
}

sim::Latency latency_of(const LocatedText& text) {
  const std::size_t dots = text.text.find("..");
  const bool is_range = dots != std::string_view::npos;
  const LocatedText least = is_range ? text.part(0, dots) : text;
  const LocatedText most = is_range ? text.part(dots + 2) : text;
  const sim::Latency latency{duration_of(least, DurationSign::positive),
                             duration_of(most, DurationSign::positive)};
  if (latency.delay_ns_min < sim::microsecond_ns) {
    least.complain(
        fmt::format("{} is out of range; a hop takes at least 1us", in_quotes(least.text)));
  }
  if (latency.delay_ns_max < latency.delay_ns_min) {
    most.complain(
        fmt::format("{} ends before it begins; expected least..most", in_quotes(text.text)));
  }
  return latency;
}

}  // namespace lockstep::scenario
