#include "checker/text.h"

#include <fmt/format.h>

#include <cstdint>

#include "checker/history.h"

namespace lockstep::checker {
namespace {

constexpr std::uint64_t ns_per_ms = 1'000'000;
constexpr std::uint64_t ns_per_us = 1'000;
constexpr std::uint64_t ns_per_tenth_ms = 100'000;

std::string with_thousands(std::uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

/// Less than a millisecond: "0.25", "0.801", "0". What is shorter than a microsecond keeps all its
/// digits, since it is not nothing: "0.000001".
std::string fraction_of_ms(std::uint64_t ns) {
  if (ns >= ns_per_us) ns = (ns + ns_per_us / 2) / ns_per_us * ns_per_us;
  if (ns == ns_per_ms) return "1";
  std::string digits = fmt::format("0.{:06}", ns);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

std::string rounded_ms(std::uint64_t ns) {
  const std::uint64_t tenths = (ns + ns_per_tenth_ms / 2) / ns_per_tenth_ms;
  const std::string whole = with_thousands(tenths / 10);
  return tenths % 10 == 0 ? whole : fmt::format("{}.{}", whole, tenths % 10);
}

}  // namespace

std::string milliseconds(TimeNs time_ns) {
  if (time_ns == never_ns) return "never";
  const bool negative = time_ns < 0;
  const auto bits = static_cast<std::uint64_t>(time_ns);
  const std::uint64_t size_ns = negative ? 0 - bits : bits;
  return fmt::format("{}{} ms", negative ? "-" : "",
                     size_ns < ns_per_ms ? fraction_of_ms(size_ns) : rounded_ms(size_ns));
}

std::string_view name_of(const Names& names, NameId id) {
  return id == no_name ? std::string_view("nobody") : std::string_view(names.text(id));
}

std::string holder_name(const Names& names, NameId owner, HoldMode mode) {
  return fmt::format("{}{}", mode == HoldMode::shared ? "reader " : "", name_of(names, owner));
}

std::string counted(std::int64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string in_all(std::size_t count, std::string_view what) {
  return count <= 1 ? std::string() : fmt::format("; {} {} in all", count, what);
}

}  // namespace lockstep::checker
