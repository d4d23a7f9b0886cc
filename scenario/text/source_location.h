// Places in the files that a user writes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace lockstep::scenario {

/// A place in a user's file. Lines and columns count from 1; 0: unknown.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Where a part of a scenario is written. It is no part of what the scenario says: all are equal.
struct Origin : SourceLocation {
  Origin() = default;
  Origin(SourceLocation place)  // NOLINT(google-explicit-constructor)
      : SourceLocation(std::move(place)) {}

  friend bool operator==(const Origin&, const Origin&) { return true; }
};

}  // namespace lockstep::scenario
