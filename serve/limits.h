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
  /// Size of unread replies beyond which a client's further requests wait until it has read some.
  /// Who is disconnected for them is client-output-buffer-limit's matter.
  std::size_t unsent_bytes_max = 256 * mebibyte;
};

}  // namespace lockstep::serve
