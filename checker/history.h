// What clients saw: operations with their invocation and completion, in Jepsen's terms.
//
// A history does not say what really happened inside the service; observations.h does. Times
// are true (virtual) nanoseconds; ties are decided by `order`, the position in the run's one
// sequence of events. The checker imports nothing of the simulator, so histories may come from
// elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/hold_mode.h"

namespace lockstep::checker {

/// Nanoseconds since the start of the run.
using TimeNs = std::int64_t;
inline constexpr TimeNs never_ns = INT64_MAX;

/// A moment of the run. `order` grows with every event, also among those of one instant.
struct Moment {
  TimeNs at_ns = 0;
  std::uint64_t order = 0;

  friend bool operator==(const Moment&, const Moment&) = default;
  friend bool operator<(const Moment& a, const Moment& b) { return a.order < b.order; }
};

[[nodiscard]] inline const Moment& later_of(const Moment& a, const Moment& b) {
  return a < b ? b : a;
}
[[nodiscard]] inline const Moment& earlier_of(const Moment& a, const Moment& b) {
  return b < a ? b : a;
}

/// An interned name of an owner, a process or a lock: an index into Names.
enum class NameId : std::uint32_t {};
inline constexpr NameId no_name{UINT32_MAX};

/// Interns names. Most runs have a dozen, which are searched one by one; where calls get no answer
/// for minutes, each goes on under a name of its own, and there are tens of thousands.
class Names {
 public:
  NameId intern(std::string_view name);
  [[nodiscard]] const std::string& text(NameId id) const;
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  void clear() { forget_after(0); }
  /// Forgets all but the first `count`. REQUIRES: count ≤ size().
  void forget_after(std::size_t count);

 private:
  [[nodiscard]] std::size_t slot_of(std::string_view name) const;
  void make_slots(std::size_t count);

  std::vector<std::string> names_;
  /// Where many names are: each one's index + 1, from the place of its hash on; 0 is free. Their
  /// number is a power of two, and at least half of them are free. Empty where names are few.
  std::vector<std::uint32_t> slots_;
};

enum class OperationKind : std::uint8_t {
  acquire,        ///< one attempt to take (or re-enter) the lock, or to be refused
  renew,          ///< replaces the deadline of the owner's hold
  release,        ///< gives up one hold
  force_release,  ///< frees the lock, no matter who holds it
};

enum class Outcome : std::uint8_t {
  ok,    ///< it took effect: granted, renewed, released
  fail,  ///< it certainly took no effect: refused
  info,  ///< unknown: it may take effect at any time after the invocation, or never
};

/// One operation on the lock service, as the client model recorded it.
struct Operation {
  OperationKind kind;
  NameId process;  ///< who called; a thread goes on under a new process after `info`
  NameId owner;    ///< for whom: the lock's owner
  NameId lock;
  Moment invoked;
  std::optional<Moment> completed;  ///< none: still under way when the run ended (as info)
  Outcome outcome = Outcome::info;
  /// The lease asked for, ns; 0 where the operation replaces no deadline (a release of the last
  /// hold).
  TimeNs lease_ns = 0;
  HoldMode mode = HoldMode::exclusive;

  /// Whether it certainly took effect, or certainly didn't, by its completion.
  [[nodiscard]] bool outcome_is_known() const {
    return completed.has_value() && outcome != Outcome::info;
  }
};

struct History {
  std::vector<Operation> operations;  ///< in order of invocation

  void clear() { operations.clear(); }
};

}  // namespace lockstep::checker
