// A lock's options: as lock.toml declares them, and as a scenario sets them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>

namespace lockstep::scenario {

struct SourceLocation;

/// A lock's option: a whole number, a word, or a switch. Durations are milliseconds, under a name
/// that ends in `_ms`.
using OptionValue = std::variant<std::int64_t, std::string, bool>;
/// By name. A class of its own, so that it can be declared without this header.
struct Options : std::map<std::string, OptionValue, std::less<>> {
  using map::map;
};
/// Where each is written, for errors found with the lock's help.
using OptionPlaces = std::map<std::string, SourceLocation, std::less<>>;

}  // namespace lockstep::scenario
