// Figures of a run, for scenarios that set bounds to them.
//
// They judge nothing: the scenario says how long is too long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "checker/history.h"

namespace lockstep::checker {

class MutualExclusion;
struct Run;

struct Measures {
  /// The longest time for which two owners that exclude each other both believed to have a lock.
  std::int64_t overlap_ns = 0;
  /// The longest wait for a lock, until it was had or refused; never_ns: one that could never end,
  /// for the run came to rest. What a crash or an error ended does not count.
  std::int64_t wait_ns = 0;
  /// The most requests that one client sent in any second (half-open), with all its threads.
  std::int64_t requests_per_second = 0;
};

class Measurer {
 public:
  Measurer();
  Measurer(const Measurer&) = delete;
  Measurer& operator=(const Measurer&) = delete;
  ~Measurer();

  [[nodiscard]] Measures measure(const Run& run);

 private:
  [[nodiscard]] std::int64_t most_requests(const Run& run);

  std::unique_ptr<MutualExclusion> mutual_exclusion_;
  std::vector<std::vector<TimeNs>> sent_;  ///< by client: when it sent its requests
};

}  // namespace lockstep::checker
