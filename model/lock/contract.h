// A lock's contract: under which assumptions it keeps each of its promises, as its lock.toml says
// or as is standard for locks of its family.
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

namespace lockstep::scenario {
class TableReader;
}  // namespace lockstep::scenario

namespace lockstep::model {

enum class StateShape : std::uint8_t;
enum class Usage : std::uint8_t;
enum class StateNodes : std::uint8_t;
struct LockPackage;

/// What has its own standard contract.
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

/// A defect that exists within the assumptions, and is known; one for each property that it breaks.
struct KnownFlaw {
  checker::Property property{};
  std::string what;                ///< a clause: "a release wakes a waiter that has given up"
  std::vector<std::string> cause;  ///< words, all of which one cause of a finding has
  std::string issue;               ///< of its upstream project; may be empty
  std::string scenario;            ///< a file that shows it, from the lock's folder; may be empty
};

struct Contract {
  LockFamily family = LockFamily::lease;
  bool is_standard = true;  ///< lock.toml says nothing
  /// By promise. What is no promise is not here.
  std::map<checker::Property, AssumptionSet> assumes;
  /// It does not know what it has done: any request that is sent again may be answered as
  /// another's.
  bool forgets_answers = false;
  /// The labels of requests that are assumed to be executed once (Assumption::executed_once); "*":
  /// of all.
  std::vector<std::string> executed_once;
  /// The option that says for how long the lock knows what it has done, so that a request that is
  /// sent again within that time does nothing; empty: there is none.
  std::string remembers;
  /// The option that has the lease of a hold that is taken without one; empty: there is none.
  std::string own_lease;
  std::int64_t drift_ppm = 0;  ///< by which clocks may run fast or slow
  /// What callers are asked for so that it keeps a promise, where lock.toml says so.
  std::map<checker::Property, std::vector<Usage>> usage;
  bool renews = false;  ///< such a hold is renewed by the lock for as long as it is held
  std::map<Assumption, std::string> reasons;
  std::vector<KnownFlaw> known;

  /// None where it is no promise.
  [[nodiscard]] std::optional<AssumptionSet> assumed_for(checker::Property property) const;
  /// Whether it asks its callers for that so that it keeps the promise. What lock.toml says nothing
  /// of may be asked as of any lock (is_needed_for).
  [[nodiscard]] bool asks_for(Usage asked, checker::Property property) const;
  /// What any promise assumes.
  [[nodiscard]] AssumptionSet all_assumed() const;
};

/// [contract] and [[known]] as a lock.toml has them.
struct ContractDeclaration {
  bool is_there = false;
  std::optional<LockFamily> family;
  std::map<checker::Property, AssumptionSet> assumes;
  std::optional<std::vector<std::string>> executed_once;
  std::optional<std::string> remembers;
  std::optional<std::string> own_lease;
  std::optional<std::string> renews;
  std::optional<std::int64_t> drift_ppm;
  std::map<checker::Property, std::vector<Usage>> usage;
  std::map<Assumption, std::string> reasons;
  std::vector<KnownFlaw> known;

  /// Lays another over this one.
  void lay_over(const ContractDeclaration& other);
};

/// Reads them. Throws InputError where a word is unknown, or an assumption lacks its reason that a
/// lock may not make without one.
[[nodiscard]] ContractDeclaration read_contract(const scenario::TableReader& lock_toml);

/// What a lock's lock.toml says, over what is standard for its family.
[[nodiscard]] Contract contract_of(const ContractDeclaration& declared, const LockPackage& package);

}  // namespace lockstep::model
