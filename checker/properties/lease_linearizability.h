// lease-linearizability: each lock service's history is linearizable against the mutex with leases.
//
// It tells whose fault a violation is: after a pause beyond the lease mutual-exclusion breaks and
// this holds (the client overslept); after a failover that loses the lock both break. It looks at
// nothing but the history: neither beliefs nor what was true inside. Locks are judged one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "checker/history.h"
#include "checker/linearizability/leased_mutex.h"
#include "checker/linearizability/limits.h"
#include "checker/linearizability/linearizability.h"
#include "checker/properties/acquisitions.h"

namespace lockstep::checker {

struct Run;
struct Verdict;

class LeaseLinearizability {
 public:
  explicit LeaseLinearizability(const Limits& limits) : limits_(limits) {}

  /// Violated: the verdict shows the first operation, in order of completion, up to whose
  /// completion no linearization exists, and what each surviving configuration said of the lock
  /// just before. Unknown: a limit was hit, and no other lock's history is a violation. REQUIRES:
  /// `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

  /// Steps of the searches of the last judgement, all locks together.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  using Search = LinearizabilitySearch<LeasedMutex>;

  void sort_by_lock(const Run& run);
  void load(const Run& run, std::size_t begin, std::size_t end);
  /// Counts what its owner has, as its client does. REQUIRES: called in order of invocation.
  bool is_inner_release(const Operation& operation);
  void report_violation(const Run& run, std::size_t stuck, Verdict& verdict);
  void report_unknown(const Run& run, const SearchResult& result, Verdict& verdict) const;
  void collect_survivors();
  void add_survivor_evidence(const Run& run, const Operation& stuck, Verdict& verdict) const;
  /// Who holds the lock in a state of the search: no_name where it is free.
  [[nodiscard]] NameId holder_in(const LeasedMutex::State& state, const Operation& stuck) const;
  [[nodiscard]] const Operation* setter_of(const LeasedMutex::State& state,
                                           const Operation& stuck) const;
  void add_refusal_evidence(const Run& run, const Operation& stuck, Verdict& verdict) const;
  /// Whether anybody but the owner may have had the lock while the refusal was under way.
  [[nodiscard]] bool may_others_refuse(NameId owner, const Operation& refusal) const;

  Limits limits_;
  Search search_;
  std::uint64_t steps_ = 0;
  std::vector<const Operation*> by_lock_;  ///< by lock, then invocation
  std::size_t first_ = 0;                  ///< the searched lock's first place in by_lock_
  std::vector<Search::Operation> loaded_;  ///< the searched lock's operations
  Acquisitions acquisitions_;              ///< of these, where the lock refuses re-entry
  std::vector<std::pair<NameId, std::int64_t>> counts_;  ///< of each owner, where its client counts
  std::vector<LeasedMutex::State> survivors_;
};

}  // namespace lockstep::checker
