// A lock's own times and behaviour, as far as its folder states them.
#pragma once

#include <cstdint>

namespace lockstep::model {
struct LockPackage;
}  // namespace lockstep::model

namespace lockstep::search {

struct LockTimes {
  std::int64_t lease_ms = 30'000;  ///< of a hold taken without a lease
  bool renews = true;              ///< such a hold lasts for as long as its process
  bool polls = false;              ///< waiters poll, which makes waiting expensive to simulate
  bool is_vote = false;            ///< every node is asked
  bool counts_holds = true;        ///< the holder may take it again
  bool resends = true;             ///< a request without an answer is sent again
  std::int64_t patience_ms = 0;    ///< how long a queue waits for a silent waiter; 0: no queue
  bool tells_validity = false;     ///< it tells its caller how long the hold is valid
  bool draws_tokens = false;       ///< a fencing token, by a request beside the one for the lock
  std::int64_t drift_ppm = 0;      ///< by which clocks may run fast or slow
};

[[nodiscard]] LockTimes times_of(const model::LockPackage& lock);

}  // namespace lockstep::search
