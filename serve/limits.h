// Limits per client, against hostile or broken ones.
//
// Redis's own numbers where it has modest ones; docs/serve.md lists those that are smaller.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep::serve {

constexpr std::size_t mebibyte = std::size_t{1024} * 1024;

struct Limits {
  std::size_t clients_max = 10'000;  ///< of one node, as Redis's maxclients
  std::size_t bulk_bytes_max = 64 * mebibyte;
  /// Size of an incomplete request; a larger one closes the connection.
  std::size_t unread_bytes_max = 128 * mebibyte;
  /// Size of unread replies.
  std::size_t unsent_bytes_max = 256 * mebibyte;
  /// The same for pub/sub clients: the hard limit, and the soft limit with its time
  /// (client-output-buffer-limit pubsub 32mb 8mb 60).
  std::size_t pubsub_hard_limit_bytes = 32 * mebibyte;
  std::size_t pubsub_soft_limit_bytes = 8 * mebibyte;
  std::int64_t pubsub_soft_limit_ms = 60'000;
};

}  // namespace lockstep::serve
