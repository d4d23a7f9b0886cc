// What a kind of fault is: its words in a scenario file, what it strikes, and how it is searched.
//
// One row for each kind, in fault_table.h. How a kind strikes is in model/faults/strikes.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "scenario/milestones.h"

namespace lockstep::scenario {

struct FaultSpec;
enum class ClockChoice : std::uint8_t;
enum class FaultKind : std::uint8_t;

/// Whether a fault without `at` and `when` is there from the start, or has to say when it strikes.
enum class DefaultOnset : std::uint8_t { from_the_start, must_be_given };

/// Families of kinds. The kinds of a family strike by the same handler.
enum class Theme : std::uint8_t {
  process,
  network,
  message,  ///< strikes single messages
  replication,
  clock,
  by_operator,
  client,  ///< within one client's process
};

/// What a fault names with its word, and what may be struck.
enum class TargetKind : std::uint8_t {
  process,   ///< a client, a node or a sentinel
  server,    ///< a node or a sentinel
  node,      ///< a Redis node
  master,    ///< a node that takes writes; a replica only where something promotes it
  host,      ///< a process or the resource
  listener,  ///< a host that others connect to
  replica,
  thread,         ///< of a client
  callback,       ///< a task or reply of a client
  lock_key,       ///< the word names a lock, `on` the node
  pair,           ///< two hosts that communicate
  directed_pair,  ///< the same, and which is first matters
  groups,         ///< lists of hosts
  ring,           ///< hosts that all communicate, three or more
  sequence,       ///< hosts, two or more
  message,        ///< the word is a message's label
};

/// What a target has to be when the fault strikes; otherwise nothing happens.
enum class TargetState : std::uint8_t {
  any,
  running,  ///< or paused
  down,
  replicating,  ///< running, as a replica
};

/// Whether a kind has the key `for`.
enum class Lasting : std::uint8_t {
  no,
  optionally,  ///< for ever without it
  always,
  unseen,  ///< has no `for`, and only [heal] ends what it began
};

/// What a fault is besides its target and its time.
enum class Amount : std::uint8_t {
  none,
  duration,        ///< by_ns
  short_duration,  ///< by_ns, added to each thing that a host handles
  step,            ///< by_ns, forward or back
  strobe,          ///< by_ns and strobe_ns
  leap_second,     ///< by_ns is always the same
  rate,            ///< drift_ppm
  connections,     ///< limit
};

/// Whether an exhaustive search tries the kind.
enum class Explored : std::uint8_t { no, yes };

/// Whether a search for a lock's faults, for which nobody wrote a scenario, draws the kind. No lock
/// survives that its key is taken away: such a search would end with that and tell nothing.
enum class SearchDefault : std::uint8_t { allowed, spared };

/// A value that has no default: a row that leaves it out does not compile.
template <typename Value>
class Stated {
 public:
  constexpr Stated(Value value) : value_(value) {}
  constexpr operator Value() const { return value_; }

 private:
  Value value_;
};

/// The keys of a kind besides its word and those of every fault, in the order of a file.
class FaultKeys {
 public:
  constexpr FaultKeys(std::initializer_list<std::string_view> keys) : count_(keys.size()) {
    assert(keys.size() <= keys_.size());
    std::copy(keys.begin(), keys.end(), keys_.begin());
  }
  [[nodiscard]] constexpr const std::string_view* begin() const { return keys_.data(); }
  [[nodiscard]] constexpr const std::string_view* end() const { return keys_.data() + count_; }
  [[nodiscard]] constexpr bool contain(std::string_view key) const {
    return std::find(begin(), end(), key) != end();
  }

 private:
  std::array<std::string_view, 6> keys_{};
  std::size_t count_;
};

struct FaultForm {
  struct Target {
    Stated<TargetKind> kind;
    Stated<TargetState> state;
    std::string_view ends = {};  ///< pairs: what the two hosts are to each other
  };
  struct Timing {
    Stated<DefaultOnset> onset;
    Stated<Lasting> lasting;
  };
  struct Search {
    Stated<std::size_t> weight;  ///< how often it is drawn: what strikes in practice, more often
    Stated<Explored> explored;
    Stated<SearchDefault> by_default;
  };

  FaultKind kind;
  Stated<Theme> theme;
  std::string_view word;  ///< the key that makes it this kind
  Target target;
  Timing timing;
  Stated<Amount> amount;
  ClockChoice clock{};                                ///< which, where the file does not say it
  std::optional<Milestone> milestone = std::nullopt;  ///< of the target, when it strikes
  FaultKeys keys = {};
  std::string_view phrase;   ///< describes it, without how long and when (describe_fault.cpp)
  std::string_view summary;  ///< one line for a reader who looks for a fault
  std::string_view example;
  std::string_view mattered;  ///< when a strike made a difference, as one clause
  Search search;
};

/// When a strike makes a difference to a semaphore or a latch that is a number: it has no leases.
[[nodiscard]] std::string_view mattered_to_a_number(const FaultForm& form);

/// In the order of FaultKind.
[[nodiscard]] std::span<const FaultForm> fault_forms();
[[nodiscard]] const FaultForm& form_of(FaultKind kind);
/// The form with that word; null if there is none.
[[nodiscard]] const FaultForm* find_form(std::string_view word);
/// All words, in the order of the forms.
[[nodiscard]] std::vector<std::string_view> fault_words();
/// Whether its effect lasts for some time, or for ever where the file does not say how long.
[[nodiscard]] constexpr bool lasts(const FaultForm& form) {
  return form.timing.lasting == Lasting::optionally || form.timing.lasting == Lasting::always;
}
/// Whether it strikes processes, and those it strikes are down afterwards.
[[nodiscard]] constexpr bool ends_process(const FaultForm& form) {
  return form.milestone == Milestone::crashed || form.milestone == Milestone::stopped;
}
/// The keys of every fault: at, when, after, before, stays.
[[nodiscard]] std::span<const std::string_view> trigger_keys();
/// The keys of what can strike again: every, times. Faults of messages count those themselves.
[[nodiscard]] std::span<const std::string_view> repetition_keys(const FaultForm& form);
/// A fault of the kind with the values that the kind implies; nothing is named yet.
[[nodiscard]] FaultSpec fault_of(FaultKind kind);

}  // namespace lockstep::scenario
