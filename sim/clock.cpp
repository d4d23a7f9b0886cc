#include "sim/clock.h"

#include <algorithm>
#include <cassert>

namespace lockstep::sim {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t million = 1'000'000;
/// How far from 0 steps may take a reading.
constexpr std::int64_t reading_ns_max = std::int64_t{250} * 365 * 24 * 3'600 * second_ns;

}  // namespace

Clock::Clock(std::int64_t reading_ns, std::int64_t drift_ppm)
    : anchor_reading_ns_(reading_ns), rate_ppm_(million + drift_ppm), thawed_rate_ppm_(rate_ppm_) {
  assert(drift_ppm > -million && drift_ppm < million);
}

std::int64_t Clock::reading_at(TimeNs true_time) const {
  assert(true_time >= anchor_true_ns_);
  const std::int64_t elapsed_ns = true_time - anchor_true_ns_;
  if (rate_ppm_ == million) return anchor_reading_ns_ + elapsed_ns;  // the fraction never adds up
  const Wide millionths = Wide{elapsed_ns} * rate_ppm_ + anchor_fraction_;
  return anchor_reading_ns_ + static_cast<std::int64_t>(millionths / million);
}

// With f the anchor's fraction and d = reading − anchor reading > 0, the clock reads at least
// `reading` after t iff floor((t · rate + f) / 10^6) ≥ d, iff t · rate ≥ d · 10^6 − f, iff
// t ≥ ceil((d · 10^6 − f) / rate). The numerator is positive, since f < 10^6.
TimeNs Clock::true_time_of(std::int64_t reading_ns) const {
  if (reading_ns <= anchor_reading_ns_) return anchor_true_ns_;
  if (is_frozen()) return never_ns;
  const Wide missing_ns = Wide{reading_ns} - anchor_reading_ns_;
  const Wide elapsed_ns =
      rate_ppm_ == million ? missing_ns
                           : (missing_ns * million - anchor_fraction_ + rate_ppm_ - 1) / rate_ppm_;
  const Wide instant = anchor_true_ns_ + elapsed_ns;
  return instant >= never_ns ? never_ns : static_cast<TimeNs>(instant);
}

void Clock::step(TimeNs true_time, std::int64_t by_ns) {
  move_anchor(true_time);
  const Wide stepped_ns = Wide{anchor_reading_ns_} + by_ns;
  anchor_reading_ns_ = static_cast<std::int64_t>(
      std::clamp<Wide>(stepped_ns, std::min(-reading_ns_max, anchor_reading_ns_),
                       std::max(reading_ns_max, anchor_reading_ns_)));
}

void Clock::set_drift(TimeNs true_time, std::int64_t drift_ppm) {
  assert(drift_ppm > -million && drift_ppm < million);
  move_anchor(true_time);
  thawed_rate_ppm_ = million + drift_ppm;
  if (!is_frozen()) rate_ppm_ = thawed_rate_ppm_;
}

void Clock::freeze(TimeNs true_time) {
  move_anchor(true_time);
  rate_ppm_ = 0;
}

void Clock::thaw(TimeNs true_time) {
  move_anchor(true_time);
  rate_ppm_ = thawed_rate_ppm_;
}

std::int64_t Clock::drift_ppm() const { return thawed_rate_ppm_ - million; }

void Clock::move_anchor(TimeNs true_time) {
  assert(true_time >= anchor_true_ns_);
  const Wide millionths = Wide{true_time - anchor_true_ns_} * rate_ppm_ + anchor_fraction_;
  anchor_reading_ns_ += static_cast<std::int64_t>(millionths / million);
  anchor_fraction_ = static_cast<std::int64_t>(millionths % million);
  anchor_true_ns_ = true_time;
}

}  // namespace lockstep::sim
