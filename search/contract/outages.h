// For how long faults kept a client or a server from working.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::checker {
struct Observations;
struct Operation;
}  // namespace lockstep::checker

namespace lockstep::model {
struct StrikeSpan;
}  // namespace lockstep::model

namespace lockstep::scenario {
struct RedisSpec;
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

/// What struck the client with that bit (model/faults/strike_effects.h), or a server, between two
/// instants. A message that is lost costs the time until it is sent again; what only holds it up
/// costs a call its answer where it is held up for longer than that is waited for.
[[nodiscard]] Outages outages_between(std::int64_t from_ns, std::int64_t until_ns,
                                      std::span<const model::StrikeSpan> strikes,
                                      std::uint64_t client, Patience patience);

/// Whether they held up for longer than `wakeup_ns` what refuses a lock: who reads it sleeps by
/// what was true that long ago. A client model may wait within one request of its own accord.
[[nodiscard]] bool was_refused_late(const checker::Operation& operation,
                                    std::span<const model::StrikeSpan> strikes,
                                    std::uint64_t client, Patience patience,
                                    std::int64_t wakeup_ns);

/// As they are for whoever needs the servers: one that ended is away until it is started again, or
/// all is healed. Not where a replica may take its place, nor, of a vote, where those that are left
/// are enough as it ends.
[[nodiscard]] std::vector<model::StrikeSpan> with_servers_away(
    std::span<const model::StrikeSpan> strikes, std::int64_t healed_ns,
    const scenario::RedisSpec& redis, bool is_vote);

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

/// Whether some fault still had its effect when the last was said to be over: what was sent long
/// before arrives. Of a vote, at more servers than may fail.
[[nodiscard]] bool outlasts_healing(std::span<const model::StrikeSpan> strikes,
                                    std::int64_t healed_ns, const scenario::RedisSpec& redis,
                                    bool is_vote);

}  // namespace lockstep::search
