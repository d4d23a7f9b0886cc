// A lock's contract: the assumptions under which it keeps each promise, as its lock.toml states
// or as is standard for its family of locks.
//
// A promise that breaks while its assumptions hold is a bug of the lock; one that breaks where some
// of them did not is a limit, which the contract states. docs/locks.md describes [contract] and
// [[known]].
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/lock/assumption.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::model {

enum class StateShape : std::uint8_t;
enum class Usage : std::uint8_t;
enum class StateNodes : std::uint8_t;
struct LockPackage;

/// A family of locks, with its own standard contract.
enum class LockFamily : std::uint8_t {
  lease,       ///< a key with a lease on one master
  quorum,      ///< keys on independent masters, which vote
  fenced,      ///< a lease lock whose resource checks tokens
  fair,        ///< a lease lock with a queue
  read_write,  ///< readers share, a writer excludes
  semaphore,
  latch,
};
/// "lease", …
[[nodiscard]] std::string_view to_string(LockFamily family);

/// A known defect that shows while the assumptions hold; one entry per property that it breaks.
struct KnownFlaw {
  checker::Property property{};
  std::string what;                ///< a clause: "a release wakes a waiter that has given up"
  std::vector<std::string> cause;  ///< words, all of which one cause of a finding has
  std::string issue;               ///< of its upstream project; may be empty
  std::string scenario;            ///< a file that shows it, from the lock's folder; may be empty
  /// The client model has it: a lock that is based on this one with another model does not.
  bool is_of_client = false;
};

struct Contract {
  LockFamily family = LockFamily::lease;
  bool is_standard = true;  ///< lock.toml has no [contract]
  /// By promise; other properties are not in it.
  std::map<checker::Property, AssumptionSet> assumes;
  /// The lock does not recognize repeated requests: any one may be answered as if it were
  /// another's.
  bool forgets_answers = false;
  /// The labels of requests that are assumed to be executed once (Assumption::executed_once); "*":
  /// of all.
  std::vector<std::string> executed_once;
  /// The option with the time for which the lock remembers a request, so that one that is
  /// sent again within that time has no effect; empty: the lock has no such option.
  std::string remembers;
  /// The option with the lease of a hold that is taken without one; empty: there is none.
  std::string own_lease;
  std::int64_t drift_ppm = 0;  ///< by which clocks may run fast or slow
  /// What callers are asked for so that it keeps a promise, where lock.toml says so.
  std::map<checker::Property, std::vector<Usage>> usage;
  bool renews = false;  ///< the lock renews such a hold for as long as it is held
  std::map<Assumption, std::string> reasons;
  std::vector<KnownFlaw> known;

  /// None if the property is not promised.
  [[nodiscard]] std::optional<AssumptionSet> assumed_for(checker::Property property) const;
  /// Whether it asks its callers for that so that it keeps the promise. What lock.toml says nothing
  /// of may be asked as of any lock (is_needed_for).
  [[nodiscard]] bool asks_for(Usage asked, checker::Property property) const;
  /// The union of what all promises assume.
  [[nodiscard]] AssumptionSet all_assumed() const;
};

}  // namespace lockstep::model
