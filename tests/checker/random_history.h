// Random histories of one lock with leases, for tests: linearizable by construction, or mutated.
//
// A small lock server is simulated, with clients that call it one operation at a time, time out
// (and go on under a new process), and a server that lets leases lapse late or, within the drift,
// early. It shares no code with the checker.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/check.h"
#include "checker/history.h"

namespace lockstep::checker::testing {

/// A generator of its own (splitmix64), so that a seed means the same everywhere.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform enough below `bound` > 0.
  std::int64_t below(std::int64_t bound);
  bool one_in(std::int64_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

struct HistoryShape {
  std::size_t operation_count = 8;
  std::int64_t owner_count = 3;
  std::int64_t threads_per_owner = 1;  ///< calls that one owner can have under way at once
  std::int64_t unknown_one_in = 6;     ///< one in so many operations has no known outcome; 0: none
  std::int64_t lease_ns_max = 20;
  std::int64_t step_ns_max = 4;  ///< between two events
  std::int64_t drift_ppm = 0;
  Reentry reentry = Reentry::counted;
};

/// Linearizable by construction.
[[nodiscard]] std::vector<Operation> random_history(const HistoryShape& shape, Draw& draw);

/// Changes one thing: an outcome, an owner, a kind, a lease; or leaves an operation out.
void mutate(std::vector<Operation>& operations, const HistoryShape& shape, Draw& draw);

/// "a acquire [3#1, 9#4] ok lease 10 ns" a line.
[[nodiscard]] std::string to_text(const std::vector<Operation>& operations);

}  // namespace lockstep::checker::testing
