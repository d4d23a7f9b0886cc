// For how long faults kept a client or a server from working.
#pragma once

#include <cstdint>
#include <span>

namespace lockstep::model {
struct StrikeSpan;
}  // namespace lockstep::model

namespace lockstep::search {

struct Outages {
  std::int64_t in_all_ns = 0;  ///< overlapping faults count once
  int count = 0;               ///< of those that do not overlap
};

/// What struck the client with that bit (model/faults/strike_effects.h), or a server, between two
/// instants. A message that is lost costs the time until it is sent again.
[[nodiscard]] Outages outages_between(std::int64_t from_ns, std::int64_t until_ns,
                                      std::span<const model::StrikeSpan> strikes,
                                      std::uint64_t client, std::int64_t resend_ns);

}  // namespace lockstep::search
