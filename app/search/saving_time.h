// Shares the time that is left among the findings that are still to be made small and saved, so
// that the first does not use up what the others need, and all are saved in time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace lockstep::app {

class SavingTime {
 public:
  /// Told which one is being made small, and of how many; "1 of 3".
  using IsToEnd = std::function<bool(std::size_t number, std::size_t of)>;

  /// No end, but for what `is_to_end` says.
  explicit SavingTime(IsToEnd is_to_end) : is_to_end_(std::move(is_to_end)) {}
  /// Ends as the clock says so; `now_ns` is a clock. `after_end_ns`: how long one is expected to
  /// take once it was told to end; what one has taken counts, where that was more.
  SavingTime(IsToEnd is_to_end, std::function<std::int64_t()> now_ns, std::int64_t end_ns,
             std::int64_t after_end_ns = 0)
      : is_to_end_(std::move(is_to_end)),
        now_ns_(std::move(now_ns)),
        end_ns_(end_ns),
        after_end_ns_(after_end_ns) {}

  /// The next is begun, the first of so many: it may have its part of what is left, but for the
  /// time that those before it took once they were to end.
  void begin_one_of(std::size_t left) {
    of_ = std::max(of_, left);
    number_ = std::min(number_ + 1, of_);
    if (!now_ns_) return;
    const std::int64_t now = now_ns_();
    if (over_since_ns_ > 0) after_end_ns_ = std::max(after_end_ns_, now - over_since_ns_);
    over_since_ns_ = 0;
    const std::int64_t share_ns =
        (end_ns_ - now) / static_cast<std::int64_t>(std::max<std::size_t>(left, 1));
    ends_ns_ = now + std::max<std::int64_t>(share_ns - after_end_ns_, 0);
  }

  /// Whether what was begun is to end.
  [[nodiscard]] bool is_over() {
    if (is_to_end_ && is_to_end_(number_, of_)) return true;
    if (!now_ns_) return false;
    const std::int64_t now = now_ns_();
    if (now < ends_ns_) return false;
    if (over_since_ns_ == 0) over_since_ns_ = now;
    return true;
  }

  /// Whether there is no time for more than what has to be saved.
  [[nodiscard]] bool is_all_over() const { return now_ns_ && now_ns_() >= end_ns_ - after_end_ns_; }

 private:
  IsToEnd is_to_end_;
  std::size_t number_ = 0;
  std::size_t of_ = 0;
  std::function<std::int64_t()> now_ns_;
  std::int64_t end_ns_ = 0;
  std::int64_t ends_ns_ = INT64_MAX;  // of what was begun
  std::int64_t over_since_ns_ = 0;    // when that was told to end; 0: not yet
  std::int64_t after_end_ns_ = 0;     // the longest that one took from then on
};

}  // namespace lockstep::app
