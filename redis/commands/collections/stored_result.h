// Storing what a command worked out, a set or a sorted set, at a key: SUNIONSTORE, ZRANGESTORE.
#pragma once

#include <string_view>
#include <utility>

#include "redis/server/command_call.h"
#include "redis/server/server.h"

namespace lockstep::redis {

/// Stores a result over whatever the key held and replies with its size; an empty result deletes
/// the key. Like Redis it then takes an expired key for one that is there; 6.0 always does.
template <class Value>
void store_result(Call& call, std::string_view key, Value result) {
  const auto size = static_cast<std::int64_t>(result.size());
  if (size > 0) {
    const bool is_old = call.server().version().counts_empty_changes;
    if (!is_old) static_cast<void>(call.find(key));  // deletes it where it is expired
    call.keys().put(key, Entry{std::move(result), std::nullopt});
    call.appeared(key);
    call.changed(key);
  } else if (call.keys().erase(key)) {
    call.changed(key);
  }
  call.reply().integer(size);
}

}  // namespace lockstep::redis
