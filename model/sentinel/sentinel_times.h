// The times of Redis 7.0's Sentinel that no setting changes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep::model {

inline constexpr std::int64_t ticks_per_s_min = 10;  ///< up to twice that, less one
inline constexpr std::int64_t tick_max_ms = 100;
inline constexpr std::int64_t ping_period_ms = 1000;
inline constexpr std::int64_t info_period_ms = 10'000;
inline constexpr std::int64_t hurried_info_period_ms = 1000;  ///< of replicas in a failover
inline constexpr std::int64_t hello_period_ms = 2000;
inline constexpr std::int64_t ask_period_ms = 1000;
inline constexpr std::int64_t link_age_min_ms = 15'000;  ///< before a stuck one is given up
inline constexpr std::int64_t tilt_trigger_ms = 2000;
inline constexpr std::int64_t tilt_period_ms = 30 * ping_period_ms;
inline constexpr std::int64_t desynchronisation_ms = 1000;  ///< of elections: up to that, less one
inline constexpr std::int64_t election_timeout_ms = 10'000;
inline constexpr std::int64_t reconfiguration_timeout_ms = 10'000;
inline constexpr std::size_t requests_under_way_max = 100;
inline constexpr std::size_t parallel_reconfigurations = 1;  ///< parallel-syncs

}  // namespace lockstep::model
