// What goes wrong in a scenario, and when: the parsed and checked form of [[fault]].
//
// fault_table.h says what each kind is called in a file. Durations are nanoseconds of true time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/milestones.h"
#include "scenario/text/input_error.h"
#include "sim/time.h"

namespace lockstep::scenario {

enum class FaultKind : std::uint8_t {
  pause,         ///< a process stops for `for_ns`
  crash,         ///< a process dies
  restart,       ///< a Redis node that ended starts anew, with what its disk has
  promote,       ///< an operator's failover: this replica becomes the master of its shard
  cut,           ///< two hosts can't reach each other, for `for_ns` or for ever
  drop,          ///< a message is lost
  delay,         ///< a message takes `by_ns` longer
  reset,         ///< a connection breaks when a message is sent on it; the message is lost
  clock_step,    ///< a host's wall clock moves by `by_ns`, forward or back
  clock_drift,   ///< a host's clocks run at another rate from then on
  delete_key,    ///< an operator deletes the key of `lock_name` on a node
  power_loss,    ///< a Redis node's machine fails: what it has not synced to its disk is gone too
  shutdown,      ///< a Redis node ends well (SIGTERM): it stores what it is configured to store
  clock_freeze,  ///< a host's clocks stand still
  clock_strobe,  ///< a host's wall clock jumps to and fro by `by_ns`, every `strobe_ns`
  clock_leap,    ///< a leap second: a host's wall clock shows its last second once more
  evict,         ///< a node evicts the key of `lock_name`, as because of maxmemory
  flush_all,     ///< an operator's FLUSHALL on a node
  script_flush,  ///< an operator's SCRIPT FLUSH on a node: it forgets all scripts
  busy,          ///< a script hangs on a node: it answers nobody, later with BUSY
  max_clients,   ///< a node takes no more connections than `limit`
  interrupt,     ///< what a client's thread waits for ends with an error; what was sent stays sent
  abandon,       ///< the caller of a lock goes on without it, while the call goes on by itself
  postpone,      ///< one callback of a client comes later than those that came after it
  slow,          ///< a process takes `by_ns` for each thing that it handles
  refuse,        ///< a host refuses new connections
  half_open,     ///< the connections of `target` to `other` are gone, and only `other` knows
  clog,          ///< every message between two hosts takes `by_ns` longer
  cut_one_way,   ///< nothing comes from `target` to `other`
  isolate,       ///< a host is cut off from everybody
  partition,     ///< the hosts of one group are cut off from those of the others
  ring,          ///< each host sees a majority, no two the same
  swizzle,       ///< hosts are isolated one after the other, and healed in another order
  reorder,       ///< a message waits until the next `behind_label` has overtaken it
  lag,           ///< a replica gets the stream `by_ns` later
  stall,         ///< a replica applies and acknowledges nothing; its link stays
  disconnect,    ///< a replica's link is closed, and not opened again before the end
};
inline constexpr std::size_t fault_kind_count = static_cast<std::size_t>(FaultKind::disconnect) + 1;
[[nodiscard]] std::string_view to_string(FaultKind kind);

/// When a fault strikes.
struct Trigger {
  /// At a milestone: "a acquired" (actor: a client, a thread `a/1`, a node), the nth time.
  struct When {
    enum class Kind : std::uint8_t {
      milestone,
      lease_end,  ///< the lease of the actor's hold in the servers' keys; detail: the lock
      message,    ///< a message from the actor to `to` is sent; detail: its label
      any,        ///< some milestone of the run, drawn
    };
    std::string actor;
    Milestone milestone;
    std::string detail;  ///< executed, sent: the label; acquired …: the lock; empty: any
    std::uint32_t nth = 1;
    Kind kind = Kind::milestone;
    std::string to = {};            ///< message; empty: anybody
    std::string requested_by = {};  ///< executed: the client or thread that sent it; empty: anybody

    friend bool operator==(const When&, const When&) = default;
  };
  static constexpr std::uint32_t always = UINT32_MAX;

  std::optional<When> when;      ///< none: at `after_ns` of true time
  sim::DurationNs after_ns = 0;  ///< `at`, or how long after `when`; negative: before a lease ends
  sim::DurationNs every_ns = 0;  ///< it strikes again each time so much later; 0: when it happens
  std::uint32_t times = 1;       ///< it strikes at most so often

  friend bool operator==(const Trigger&, const Trigger&) = default;
};

/// A duration that a file leaves open: drawn, anew for each strike, from min to max.
struct OpenDuration {
  enum class What : std::uint8_t {
    after,    ///< trigger.after_ns
    lasting,  ///< for_ns
    by,       ///< by_ns
  };
  What what;
  sim::DurationNs min_ns;
  sim::DurationNs max_ns;

  friend bool operator==(const OpenDuration&, const OpenDuration&) = default;
};

/// Which of a host's clocks.
enum class ClockChoice : std::uint8_t { wall, monotonic, both };

/// What a client runs when something has come (model/client/postponements.h).
enum class CallbackKind : std::uint8_t {
  task,   ///< the start of a spawned task, by its name
  reply,  ///< the resumption of a call, by its label
};

/// Of FaultSpec::message_label: whatever it is.
inline constexpr std::string_view any_message = "any";
/// Of FaultSpec::times: every time.
inline constexpr std::uint32_t unlimited_times = UINT32_MAX;

struct FaultSpec {
  FaultKind kind;
  std::string target;  ///< a client or node; cut: one end; drop, delay, reset: empty
  std::string other;   ///< cut, half_open, clog, cut_one_way: the other end
  std::vector<std::vector<std::string>> groups;  ///< partition; ring and swizzle have one
  std::string message_label;  ///< drop, …, reorder: "acquire", "reply to acquire", "any"
  std::string message_from;   ///< a host or a client's thread; empty: any
  std::string message_to;     ///< a host or a client's thread; empty: any
  std::uint32_t nth = 1;      ///< drop, …, postpone: the nth such message after the trigger
  std::uint32_t times = 1;    ///< drop, delay, reset, reorder: how many from the nth on
  std::string behind_label;   ///< reorder: the message that overtakes
  std::string lock_name;      ///< delete_key, evict: whose key; else empty
  std::string
      key_pattern;  ///< delete_key, evict: which; empty: the one that shows who has the lock
  std::optional<sim::DurationNs> for_ns;  ///< none: for ever
  sim::DurationNs by_ns = 0;
  std::int64_t drift_ppm = 0;
  ClockChoice clock = ClockChoice::wall;       ///< clock_step, clock_drift, clock_freeze
  sim::DurationNs strobe_ns = 0;               ///< clock_strobe
  std::optional<std::uint32_t> limit;          ///< max_clients; none: as many as there are
  CallbackKind callback = CallbackKind::task;  ///< postpone
  std::string callback_name;                   ///< postpone: the task, or the label of the call
  Trigger trigger;
  bool stays = false;  ///< [heal] does not end it
  Origin place;

  // What is left open. The fields above have the least, or the first, of it.
  std::vector<OpenDuration> open;
  std::vector<std::string> targets;  ///< one of them is chosen; empty: there is no choice
  [[nodiscard]] bool is_open() const { return !open.empty() || !targets.empty(); }
  /// Null where the file says it.
  [[nodiscard]] const OpenDuration* find_open(OpenDuration::What what) const;

  /// Everything that it strikes, by name: what a timeline points at.
  [[nodiscard]] std::vector<std::string_view> struck() const;
  /// "pause a for 15s when a acquired": how reports name it.
  [[nodiscard]] std::string describe() const;

  friend bool operator==(const FaultSpec&, const FaultSpec&) = default;
};

}  // namespace lockstep::scenario
