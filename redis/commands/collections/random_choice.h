// Picking some of many at random, with the numbers that a server draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "redis/server/server.h"

namespace lockstep::redis {

/// The count of SRANDMEMBER and its like, a word's: negative where the same may come again. Where
/// it is none, replies so and returns nothing.
[[nodiscard]] std::optional<std::int64_t> read_random_count(Call& call, std::size_t index);

/// How often the same may come again in one reply; Redis has no such limit, and would run out of
/// memory. Whether a count stays within it; replies where not.
inline constexpr std::int64_t repetitions_max = 10'000'000;
[[nodiscard]] bool check_repetition_limit(Call& call, std::int64_t count);

/// So many different numbers below `bound`, in an order of no meaning. REQUIRES: count ≤ bound.
[[nodiscard]] std::vector<std::size_t> choose_distinct(Server& server, std::size_t count,
                                                       std::size_t bound);

}  // namespace lockstep::redis
