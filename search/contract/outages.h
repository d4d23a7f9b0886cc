// For how long faults kept a client or a server from working.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lockstep::checker {
struct Observations;
}  // namespace lockstep::checker

namespace lockstep::model {
struct StrikeSpan;
}  // namespace lockstep::model

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

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

/// Whoever hears nothing for longer than it waits for an answer may close its connection, and loses
/// with it what is under way on it.
[[nodiscard]] bool may_have_lost_messages(const model::StrikeSpan& strike, Patience patience);

/// Until when a server that has crashed keeps its vote from a lock, if no fault starts it again. 0:
/// that is no vote, or a replica may take its place.
[[nodiscard]] std::int64_t crashed_until_ns(const scenario::Scenario& scenario, bool is_vote);

/// What struck the client with that bit (model/faults/strike_effects.h), or a server, between two
/// instants. A message that is lost costs the time until it is sent again; what only holds it up
/// costs a call its answer where it is held up for longer than that is waited for. A server that
/// has crashed counts until a fault starts it again, or else until `crashed_until_ns`.
[[nodiscard]] Outages outages_between(std::int64_t from_ns, std::int64_t until_ns,
                                      std::span<const model::StrikeSpan> strikes,
                                      std::uint64_t client, Patience patience,
                                      std::int64_t crashed_until_ns = 0);

/// Whose places in a queue may stand though they ask no more.
enum class Gone : std::uint8_t {
  the_dead,  ///< and who was not told what became of its wait
  anybody    ///< a message that was lost may have been anybody's
};

struct GoneWaiters {
  std::size_t count = 0;
  std::int64_t last_ns = 0;  ///< when the last of the dead died, a holder or one who waited
};

[[nodiscard]] GoneWaiters gone_waiters(const checker::Observations& seen, Gone who);

}  // namespace lockstep::search
