// Replies in which two real Redis servers may differ, and so may the simulated one.
#pragma once

#include <span>
#include <string>

#include "redis/protocol/reply.h"

namespace lockstep::confirm {

/// False for commands whose replies show the process, its clients or addresses, or are random.
[[nodiscard]] bool is_comparable(std::span<const std::string> words);

/// Whether both replies to this command say the same. Those that Redis gives in the order of a hash
/// table (KEYS, SMEMBERS, …) may differ in order.
[[nodiscard]] bool are_equivalent_replies(std::span<const std::string> words,
                                          const redis::Reply& one, const redis::Reply& other);

}  // namespace lockstep::confirm
