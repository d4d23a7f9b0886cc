// The time-out of a blocking command, in seconds with a fraction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "redis/server/command_call.h"

namespace lockstep::redis {

/// How long a call may stay blocked, in ms (see Server::block_timeout_ms; 0: for ever); where the
/// word is no time-out, replies so and returns nothing.
[[nodiscard]] std::optional<std::int64_t> read_timeout_ms(Call& call, std::size_t index);

}  // namespace lockstep::redis
