// The two clocks of a host, derived from true time.
//
// A clock is a line through an anchor (true instant, reading) with a rate of 1 + drift. A step
// moves the reading; a change of drift moves the anchor first, so that the reading is continuous. A
// frozen clock has a rate of 0 until it is thawed, and keeps its drift for then. All of it is
// integer arithmetic (128 bits inside) that forgets nothing: the anchor keeps its fraction of a
// nanosecond, only the reading is rounded down, and the inverse is exact: `true_time_of(r)` is the
// first true instant at which the clock reads at least r.
//
// Steps move a clock at most 250 years from 0. The rest of the 64 bits lasts for another forty
// years, longer than any run.
// A strobing clock is stepped back and forth by its user.
#pragma once

#include <cstdint>

#include "sim/time.h"

namespace lockstep::sim {

class Digest;

class Clock {
 public:
  /// A clock that reads `reading_ns` at true time 0. REQUIRES: |drift_ppm| < 1,000,000.
  explicit Clock(std::int64_t reading_ns = 0, std::int64_t drift_ppm = 0);

  /// What the clock shows at a true instant not before the last change.
  [[nodiscard]] std::int64_t reading_at(TimeNs true_time) const;
  /// The first true instant, not before the last change, at which the clock reads ≥ reading_ns;
  /// never_ns where that is beyond every run.
  [[nodiscard]] TimeNs true_time_of(std::int64_t reading_ns) const;
  /// Moves the reading by by_ns, forward or back, at a true instant.
  void step(TimeNs true_time, std::int64_t by_ns);
  /// Changes the rate from a true instant on. REQUIRES: |drift_ppm| < 1,000,000.
  void set_drift(TimeNs true_time, std::int64_t drift_ppm);
  /// Stops the clock at a true instant. Steps still move it.
  void freeze(TimeNs true_time);
  /// Lets it run again, from where it stopped.
  void thaw(TimeNs true_time);
  [[nodiscard]] bool is_frozen() const { return rate_ppm_ == 0; }
  /// How much faster than true time it runs, or will run once thawed, in millionths.
  [[nodiscard]] std::int64_t drift_ppm() const;
  /// Its rate, and its reading at the digest's instant modulo `grain_ns`; 0: the reading itself.
  void digest_into(Digest& digest, DurationNs grain_ns) const;

 private:
  void move_anchor(TimeNs true_time);

  TimeNs anchor_true_ns_ = 0;
  std::int64_t anchor_reading_ns_;
  std::int64_t anchor_fraction_ = 0;  // millionths of a nanosecond beyond the reading, < 1,000,000
  std::int64_t rate_ppm_;             // 1,000,000 + drift; 0 while it is frozen
  std::int64_t thawed_rate_ppm_;      // 1,000,000 + drift
};

}  // namespace lockstep::sim
