// Values as text: TYPE's names, and one line for people: `hash {a: 1, b: 2}`.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "redis/values/keyspace.h"

namespace lockstep::redis {

/// What TYPE calls the type of a value.
[[nodiscard]] inline std::string_view type_name(const Value& value) {
  constexpr std::array<std::string_view, std::variant_size_v<Value>> names{"string", "hash", "list",
                                                                           "set", "zset"};
  return names[value.index()];
}

/// The first few members, and how many more there are; bytes as they are, long ones cut off.
[[nodiscard]] std::string value_text(const Value& value);

/// The text, or its first bytes and "…" if it is long.
[[nodiscard]] std::string cut_text(std::string_view text);

}  // namespace lockstep::redis
