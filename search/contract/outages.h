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
  int count = 0;               ///< those that do not overlap, and may cost a call its answer
};

/// How long a client waits.
struct Patience {
  std::int64_t answer_ns = 0;  ///< for an answer
  std::int64_t resend_ns = 0;  ///< until what had none is sent again
};

/// What struck the client with that bit (model/faults/strike_effects.h), or a server, between two
/// instants. A message that is lost costs the time until it is sent again; what only holds it up
/// costs a call its answer where it is held up for longer than that is waited for.
[[nodiscard]] Outages outages_between(std::int64_t from_ns, std::int64_t until_ns,
                                      std::span<const model::StrikeSpan> strikes,
                                      std::uint64_t client, Patience patience);

}  // namespace lockstep::search
