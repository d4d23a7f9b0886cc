#include "checker/recorded/mutex/unowned_mutex.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace lockstep::checker::recorded {
namespace {

/// Acquires, or releases.
struct Kind {
  /// Known ones under way, soonest completion first; also some that took effect or completed.
  std::priority_queue<std::pair<std::uint32_t, std::uint32_t>,
                      std::vector<std::pair<std::uint32_t, std::uint32_t>>, std::greater<>>
      under_way;
  std::vector<std::uint32_t> unknown;
  std::size_t unknown_used = 0;
};

bool acquires(const SweepItem& item) {
  return item.step == SweepStep::acquire || item.step == SweepStep::unknown_acquire;
}

class Sweep {
 public:
  explicit Sweep(const std::vector<SweepItem>& items)
      : items_(items), took_effect_(items.size(), 0) {}

  /// All but what is blamed.
  UnownedMutexResult run() {
    std::vector<SweepEvent> events;
    order_events(items_, events);
    for (const SweepEvent event : events) {
      const std::uint32_t index = event / 2;
      if (event % 2 == 0) {
        invoke(index);
      } else if (!complete(index)) {
        result_.stuck = index;
        return std::move(result_);
      }
    }
    return std::move(result_);
  }

  /// The position of the last invocation before which all was quiet.
  [[nodiscard]] std::uint32_t quiet_before() const { return quiet_before_; }

 private:
  void invoke(std::uint32_t index) {
    const SweepItem& item = items_[index];
    Kind& kind = acquires(item) ? acquires_ : releases_;
    if (item.is_unknown()) {
      kind.unknown.push_back(index);
      return;
    }
    // Everything before could be left out: nothing is under way, and as often acquired as released.
    if (under_way_count_++ == 0 && balance_ == 0 && !is_held_) quiet_before_ = item.invoked;
    kind.under_way.emplace(item.completed, index);
  }

  [[nodiscard]] bool complete(std::uint32_t index) {
    --under_way_count_;
    const bool acquire = acquires(items_[index]);
    balance_ += acquire ? 1 : -1;
    if (took_effect_[index] != 0) return true;
    if (is_held_ == acquire && !place_another(acquire ? releases_ : acquires_)) return false;
    place(index, acquire);
    return true;
  }

  bool place_another(Kind& kind) {
    const bool acquire = &kind == &acquires_;
    while (!kind.under_way.empty()) {
      const std::uint32_t index = kind.under_way.top().second;
      kind.under_way.pop();
      if (took_effect_[index] != 0) continue;
      place(index, acquire);
      return true;
    }
    if (kind.unknown_used == kind.unknown.size()) return false;
    place(kind.unknown[kind.unknown_used++], acquire);
    return true;
  }

  void place(std::uint32_t index, bool acquire) {
    took_effect_[index] = 1;
    is_held_ = acquire;
    result_.order.push_back(index);
  }

  const std::vector<SweepItem>& items_;
  std::vector<std::uint8_t> took_effect_;
  Kind acquires_;
  Kind releases_;
  bool is_held_ = false;
  std::int64_t balance_ = 0;  ///< of completed known ones
  std::uint32_t under_way_count_ = 0;
  std::uint32_t quiet_before_ = 0;
  UnownedMutexResult result_;
};

/// What was invoked from this position to the end of `stuck`, and of the unknown ones before as
/// many as may help: one for each known one, to go before it.
std::vector<std::uint32_t> core_from(const std::vector<SweepItem>& items, std::uint32_t position,
                                     std::uint32_t stuck) {
  const std::uint32_t cut = items[stuck].completed;
  std::size_t known = 0;
  for (const SweepItem& item : items) {
    known += !item.is_unknown() && item.invoked >= position && item.invoked < cut ? 1U : 0U;
  }
  std::size_t unknown_acquires = 0;
  std::size_t unknown_releases = 0;
  std::vector<std::uint32_t> core;
  for (std::uint32_t index = 0; index < items.size(); ++index) {
    const SweepItem& item = items[index];
    if (item.invoked > cut) break;
    bool is_blamed = item.invoked >= position;
    if (item.is_unknown()) {
      is_blamed = (acquires(item) ? unknown_acquires : unknown_releases)++ <= known;
    }
    if (is_blamed) core.push_back(index);
  }
  return core;
}

/// Without what came before, more unknown ones may be left, and be enough.
bool has_order_alone(const std::vector<SweepItem>& items, const std::vector<std::uint32_t>& core,
                     std::uint32_t cut) {
  std::vector<SweepItem> alone;
  for (const std::uint32_t index : core) {
    SweepItem item = items[index];
    if (!item.is_unknown() && item.completed > cut) {
      item.completed = never_completed;
      item.step = acquires(item) ? SweepStep::unknown_acquire : SweepStep::unknown_release;
    }
    alone.push_back(item);
  }
  return Sweep(alone).run().stuck == no_item;
}

}  // namespace

UnownedMutexResult sweep_unowned(const std::vector<SweepItem>& items) {
  Sweep sweep(items);
  UnownedMutexResult result = sweep.run();
  if (result.stuck == no_item) return result;
  result.blamed = core_from(items, sweep.quiet_before(), result.stuck);
  if (has_order_alone(items, result.blamed, items[result.stuck].completed)) {
    result.blamed = core_from(items, 0, result.stuck);
  }
  return result;
}

}  // namespace lockstep::checker::recorded
