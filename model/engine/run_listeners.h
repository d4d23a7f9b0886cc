// What may look at a run and steer it: listeners to its steps and to its abstract states, and the
// digest of its state between two events.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/time.h"

namespace lockstep::model {

// -- steps: between two events the whole state of a run is in data and none on a stack --

class StepListener {
 public:
  enum class Next : std::uint8_t {
    go_on,
    end_run,  ///< the run is judged as far as it got
  };

  /// Called before each event, including the first. May ask the simulation for its digest and its
  /// next step, and make faults strike.
  virtual Next before_step() = 0;

 protected:
  ~StepListener() = default;
};

/// The event that comes next.
struct NextStep {
  sim::TimeNs at = 0;  ///< never_ns: there is none; a fault has removed it
  /// Nothing has happened yet at that instant.
  bool is_first_of_instant = false;
  /// The host that handles it: a message or a timer is for it. Empty: none (the end of a lease in a
  /// node's keys, the end of a fault).
  std::string_view host;
};

// -- the state between two events, as a number for everything that the rest of the run depends on
// --

/// Two equal digests mean the same state: everything that can happen after the one can happen after
/// the other, with times counted from then on. The source of a run's choices is not part of it.
/// docs/explore.md says what goes into it, and what it keeps of a run's past.
struct StateDigest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend bool operator==(const StateDigest&, const StateDigest&) = default;
};

/// A part of a digest, by its subject: "network", "a", "n1", "events", …
struct DigestPart {
  std::string_view name;
  std::uint64_t value = 0;

  friend bool operator==(const DigestPart&, const DigestPart&) = default;
};

// -- the state from afar --

/// Told of the abstract state after each milestone (model/engine/abstract_state_tracker.h); the
/// same state may come again and again.
class AbstractStateListener {
 public:
  virtual void on_state(std::uint64_t state) = 0;

 protected:
  ~AbstractStateListener() = default;
};

}  // namespace lockstep::model
