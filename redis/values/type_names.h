// What TYPE calls the types of values.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "redis/values/keyspace.h"

namespace lockstep::redis {

[[nodiscard]] inline std::string_view type_name(const Value& value) {
  constexpr std::array<std::string_view, std::variant_size_v<Value>> names{"string", "hash", "list",
                                                                           "set", "zset"};
  return names[value.index()];
}

}  // namespace lockstep::redis
