#include "checker/verdict.h"

#include <array>
#include <utility>

#include "checker/evidence.h"
#include "checker/property.h"
#include "checker/verdict_kind.h"

namespace lockstep::checker {
namespace {

constexpr std::array<std::pair<Property, std::string_view>, 14> property_names{{
    {Property::mutual_exclusion, "mutual-exclusion"},
    {Property::valid_grant, "valid-grant"},
    {Property::lease_linearizability, "lease-linearizability"},
    {Property::harm, "harm"},
    {Property::hold_count, "hold-count"},
    {Property::no_leak, "no-leak"},
    {Property::fencing, "fencing"},
    {Property::fifo, "fifo"},
    {Property::permits, "permits"},
    {Property::latch, "latch"},
    {Property::no_deadlock, "no-deadlock"},
    {Property::no_lost_wakeup, "no-lost-wakeup"},
    {Property::no_starvation, "no-starvation"},
    {Property::truthful_answers, "truthful-answers"},
}};

constexpr std::array<Property, property_names.size()> properties = [] {
  std::array<Property, property_names.size()> result{};
  for (std::size_t index = 0; index < result.size(); ++index) {
    result[index] = property_names[index].first;
  }
  return result;
}();

}  // namespace

Verdict::Verdict() = default;
Verdict::Verdict(const Verdict&) = default;
Verdict::Verdict(Verdict&&) noexcept = default;
Verdict& Verdict::operator=(const Verdict&) = default;
Verdict& Verdict::operator=(Verdict&&) noexcept = default;
Verdict::~Verdict() = default;

std::span<const Property> all_properties() { return properties; }

std::string_view to_string(Property property) {
  for (const auto& [candidate, name] : property_names) {
    if (candidate == property) return name;
  }
  return "?";
}

std::optional<Property> property_from(std::string_view name) {
  for (const auto& [property, candidate] : property_names) {
    if (candidate == name) return property;
  }
  return std::nullopt;
}

std::string_view to_string(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::holds:
      return "holds";
    case VerdictKind::violated:
      return "violated";
    case VerdictKind::unknown:
      return "unknown";
  }
  return "?";
}

}  // namespace lockstep::checker
