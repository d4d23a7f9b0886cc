// A lock's own times and habits, as far as its folder tells them.
#pragma once

#include <cstdint>

namespace lockstep::model {
struct LockPackage;
}  // namespace lockstep::model

namespace lockstep::search {

struct LockTimes {
  std::int64_t lease_ms = 30'000;  ///< of a hold for which no lease is asked
  bool renews = true;              ///< such a hold lasts for as long as its process
  bool polls = false;              ///< who waits asks again and again: waiting is dear to simulate
  bool is_vote = false;            ///< every node is asked
  bool counts_holds = true;        ///< who has it may take it once more
  bool resends = true;             ///< a request without an answer is sent again
  std::int64_t patience_ms = 0;    ///< how long a waiter in a queue is waited for; 0: there is none
  bool tells_validity = false;     ///< it tells its caller until when it is valid
  std::int64_t drift_ppm = 0;      ///< by which clocks may run fast or slow
};

[[nodiscard]] LockTimes times_of(const model::LockPackage& lock);

}  // namespace lockstep::search
