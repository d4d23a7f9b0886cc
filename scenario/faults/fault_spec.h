// What goes wrong in a scenario, and when: the parsed and checked form of [[fault]].
//
// fault_table.h says what each kind is called in a file. Durations are nanoseconds of true time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/faults/callback_kind.h"
#include "scenario/faults/fault_kind.h"
#include "sim/time.h"

namespace lockstep::scenario {

enum class Milestone : std::uint8_t;

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

/// A duration that a file leaves open, a rate or a number: drawn from min to max, anew for each
/// strike but for `strikes`.
struct OpenDuration {
  enum class What : std::uint8_t {
    after,    ///< trigger.after_ns
    lasting,  ///< for_ns
    by,       ///< by_ns
    strobe,   ///< strobe_ns
    rate,     ///< drift_ppm: the bounds are ppm
    nth,      ///< nth: the bounds of this and those below are numbers
    times,    ///< times
    limit,    ///< limit
    strikes,  ///< trigger.times; drawn as the run begins
  };
  What what;
  sim::DurationNs min_ns;
  sim::DurationNs max_ns;

  friend bool operator==(const OpenDuration&, const OpenDuration&) = default;
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

  // What is left open. The fields above have the least, or the first, of it.
  std::vector<OpenDuration> open;
  std::vector<std::string> targets;  ///< one of them is chosen; empty: there is no choice
  [[nodiscard]] bool is_open() const { return !open.empty() || !targets.empty(); }
  /// Null where the file says it.
  [[nodiscard]] const OpenDuration* find_open(OpenDuration::What what) const;
  /// How often it strikes at most, whatever is drawn.
  [[nodiscard]] std::uint32_t most_strikes() const;

  /// Everything that it strikes, by name: what a timeline points at.
  [[nodiscard]] std::vector<std::string_view> struck() const;
  /// "pause a for 15s when a acquired": how reports name it.
  [[nodiscard]] std::string describe() const;

  friend bool operator==(const FaultSpec&, const FaultSpec&) = default;
};

/// Says what was left open.
void set_open(FaultSpec& fault, OpenDuration::What what, std::int64_t value);

}  // namespace lockstep::scenario
