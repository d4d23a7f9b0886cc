// Whether a strike of a fault mattered: whether it came between a lock and whoever has or wants it.
//
// A fault may strike and change nothing: a pause that is over before the lease, a failover to a
// replica that has everything. A lock that holds then has shown nothing. Each kind of fault has its
// condition here (effects/strike_conditions.cpp), which is asked at the end of a run: what it looks
// at are the checker's observations, and what became of held locks when another node's data began
// to count (model/observers/takeovers.h). The words are in fault_table.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checker/history.h"
#include "model/observers/takeovers.h"
#include "sim/time.h"

namespace lockstep::checker {
struct Observations;
struct Run;
}  // namespace lockstep::checker

namespace lockstep::scenario {
enum class FaultKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::model {

class Client;

enum class Mattered : std::uint8_t {
  no,
  to_waiters,  ///< somebody who slept was concerned, but no hold: a test of liveness only
  to_owners,   ///< a hold, and nobody but its owner came to see it: a test of what owners are told
  to_callers,  ///< a call that takes a hold or gives it up: a test of what its caller was told
  to_rivals,   ///< a hold or such a call, and a rival for the lock: a test of what a server keeps
  to_holders,  ///< … who might have had it at the same time: a test of all but harm
  to_writers,  ///< … and two wrote from then on, or one was refused: a test of every property
};

/// Until when a fault may strike and two owners still write to one resource, or a write is refused,
/// after it: one who has written all before can't come between another's read and write. None:
/// nobody does.
[[nodiscard]] std::optional<sim::TimeNs> last_time_of_two_writers(
    const checker::Observations& observations);

/// A time for which a fault was at work.
struct StrikeSpan {
  std::size_t fault;  ///< its place in the scenario
  scenario::FaultKind kind;
  sim::TimeNs from_ns;
  sim::TimeNs until_ns;         ///< never_ns: to the end of the run
  std::uint64_t clients = 0;    ///< of those it strikes or whose messages: StrikeEffects::bit_of
  bool is_of_call = false;      ///< messages: sent for a thread of a client
  bool is_of_question = false;  ///< … for a call that asks something and changes nothing
  std::uint64_t servers = 0;    ///< the same of nodes; all of them where a client loses its network
  sim::DurationNs by_ns = 0;    ///< what a slow host, link or message takes more; 0: it has no such
  bool has_refused = false;     ///< a connection was turned down while it refused some
  bool is_of_resource = false;
  bool is_of_sentinel = false;
  std::int64_t drift_ppm = 0;
  bool is_wall_only = false;   ///< a clock: the monotonic one goes on
  bool is_of_network = false;  ///< no fault: the network is so by itself
};

/// Whether it is of what two hosts have between them: a link, or a message.
[[nodiscard]] bool is_of_link(const StrikeSpan& span);

/// What is asked. Does not own.
struct StrikeFacts {
  const checker::Run& run;
  std::span<const Takeover> takeovers;
  std::span<Client* const> clients;
  bool has_holds;  ///< what is true of the lock is told as holds; else it is a number
  bool is_vote;    ///< each master has a vote in who holds the lock
  bool excludes;   ///< who has it keeps others out; false: a latch
  sim::DurationNs slowness_max_ns = 0;  ///< so much more keeps nobody from anything
  NodesInUse in_use = {};
  sim::DurationNs longest_lease_ns = 0;  ///< 0: no lock was given one
};

class StrikeEffects {
 public:
  /// Of a client or a node, by its place; the 64th and all behind it share one.
  [[nodiscard]] static std::uint64_t bit_of(std::size_t place);
  /// Whether some strike of each fault mattered, by its place; valid until the next call. A span is
  /// compared with no observation where its fault mattered already.
  const std::vector<Mattered>& judge(const StrikeFacts& facts, std::span<const StrikeSpan> spans,
                                     std::size_t fault_count);

 private:
  std::vector<Mattered> mattered_;
  std::vector<std::uint64_t> bits_of_owner_;  // by NameId; 0: no client's
  std::vector<checker::Moment> waited_until_;
};

/// By how much a clock that is wrong may move the ends of leases.
struct ClockShift {
  sim::DurationNs earlier_ns = 0;
  bool is_later = false;
  bool is_at_once = false;  ///< it jumped, and leases since then are counted as ever
  bool stands_still = false;
};

/// What a condition is asked about (effects/strike_conditions.cpp).
struct StrikeQuestion {
  const StrikeFacts& facts;
  const StrikeSpan& span;
  std::span<const StrikeSpan> all_spans;  ///< of the run's faults
  std::span<const std::uint64_t> bits_of_owner;
  std::vector<checker::Moment>& waited_until;  ///< memory for a condition

  /// Whether the owner is a thread of a client that it strikes; where it strikes none, all are.
  [[nodiscard]] bool concerns(checker::NameId owner) const;
  [[nodiscard]] bool concerns_clients() const { return span.clients != 0; }
  /// A pause of clients.
  [[nodiscard]] bool is_stop_of_clients() const;
  /// What is sent meanwhile is lost, or waits for the end.
  [[nodiscard]] bool holds_requests_back() const;
  /// Whether [from, until] and the span have a moment in common.
  [[nodiscard]] bool meets(const checker::Moment& from, const checker::Moment& until) const;
  /// Whether it makes a clock that somebody reads wrong by more than a hop of the network takes,
  /// and than a millisecond, before a lease is over.
  [[nodiscard]] bool is_clock_far_off() const;
  /// REQUIRES: it is a fault of a clock.
  [[nodiscard]] ClockShift clock_shift() const;
  /// The later of `from` and the instant at which it struck.
  [[nodiscard]] sim::TimeNs since(const checker::Moment& from) const;
};

/// REQUIRES: the kind has one (it has, or this does not compile).
[[nodiscard]] Mattered mattered(const StrikeQuestion& question);

}  // namespace lockstep::model
