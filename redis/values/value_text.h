// What a key holds, on one line for people: `hash {a: 1, b: 2}`.
#pragma once

#include <string>

#include "redis/values/keyspace.h"

namespace lockstep::redis {

/// The first few members, and how many more there are; bytes as they are, long ones cut off.
[[nodiscard]] std::string value_text(const Value& value);

/// The text, or its first bytes and "…" where it is long.
[[nodiscard]] std::string cut_text(std::string_view text);

}  // namespace lockstep::redis
