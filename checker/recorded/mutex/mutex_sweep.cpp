#include "checker/recorded/mutex/mutex_sweep.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "checker/recorded/mutex/mutex_core.h"
#include "checker/recorded/mutex/mutex_frontier.h"
#include "checker/recorded/mutex/mutex_timeline.h"

namespace lockstep::checker::recorded {
namespace {

/// Writes a trail as indices of operations. Which unknown operation of an owner was used doesn't
/// matter: the first use is the first invoked.
class OrderWriter {
 public:
  OrderWriter(const MutexTimeline& timeline, const SweepTrail& trail)
      : timeline_(timeline), trail_(trail), next_unknown_(timeline.owner_count()) {
    for (std::uint32_t owner = 0; owner < timeline.owner_count(); ++owner) {
      next_unknown_[owner] = {0, 0};
    }
    find_unknown();
  }

  std::vector<std::uint32_t> write() {
    std::vector<std::uint32_t> places(trail_.in_past.size());
    std::iota(places.begin(), places.end(), 0U);
    std::stable_sort(places.begin(), places.end(), [this](std::uint32_t one, std::uint32_t other) {
      return trail_.in_past[one].anchor < trail_.in_past[other].anchor;
    });
    inside_ = std::lower_bound(places.begin(), places.end(), inside_past,
                               [this](std::uint32_t place, SweepAnchor anchor) {
                                 return trail_.in_past[place].anchor < anchor;
                               });
    inside_end_ = places.end();
    auto past = places.cbegin();
    for (SweepAnchor anchor = 0; anchor <= trail_.effects.size(); ++anchor) {
      for (; past != inside_ && trail_.in_past[*past].anchor == anchor; ++past) write_past(*past);
      if (anchor < trail_.effects.size()) write(trail_.effects[anchor]);
    }
    return std::move(order_);
  }

 private:
  using Places = std::vector<std::uint32_t>::const_iterator;

  void find_unknown() {
    starts_.assign(std::size_t{timeline_.owner_count()} * 2 + 1, 0);
    for (const SweepItem& item : timeline_.items) {
      if (item.is_unknown()) ++starts_[list_of(item.owner, item.step) + 1];
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    unknown_.resize(starts_.back());
    std::vector<std::uint32_t> at(starts_);
    for (const SweepItem& item : timeline_.items) {
      if (item.is_unknown()) unknown_[at[list_of(item.owner, item.step)]++] = item.origin;
    }
  }

  [[nodiscard]] static std::size_t list_of(std::uint32_t owner, SweepStep step) {
    return std::size_t{owner} * 2 + (step == SweepStep::unknown_acquire ? 0 : 1);
  }

  void write(const SweepTrail::Effect& effect) {
    if (effect.item != no_item) {
      order_.push_back(timeline_.items[effect.item].origin);
      return;
    }
    if (effect.owner == nobody) return;
    const std::size_t list = list_of(effect.owner, effect.step);
    order_.push_back(unknown_[starts_[list] + next_unknown_[effect.owner][list % 2]++]);
  }

  void write_past(std::uint32_t place) {
    const SweepTrail::InPast& past = trail_.in_past[place];
    write(past.first);
    for (auto at = inside_; at != inside_end_; ++at) {
      if (trail_.in_past[*at].anchor == (inside_past | place)) write(trail_.in_past[*at].first);
    }
    write(past.second);
  }

  const MutexTimeline& timeline_;
  const SweepTrail& trail_;
  std::vector<std::uint32_t> starts_;   ///< where each list begins in unknown_
  std::vector<std::uint32_t> unknown_;  ///< by owner, acquires and releases, in order of invocation
  std::vector<std::array<std::uint32_t, 2>> next_unknown_;
  Places inside_;
  Places inside_end_;
  std::vector<std::uint32_t> order_;
};

/// Looks for few operations that have no order alone.
class Blame {
 public:
  Blame(const MutexTimeline& timeline, MutexKind kind, const Limits& limits)
      : timeline_(timeline), kind_(kind), limits_(limits) {}

  enum class Effort : std::uint8_t {
    little,  ///< small cores, as long as it takes to look at every event once
    much,    ///< all that are known
  };

  /// False if none was found: then nothing is proven.
  bool find(const FrontierResult& death, Effort effort, SweepResult& result) {
    const bool is_little = effort == Effort::little;
    steps_left_ = is_little ? std::max<std::uint64_t>(4'000, timeline_.items.size() / 50)
                            : std::numeric_limits<std::uint64_t>::max();
    if (timeline_.items[death.stuck].step == SweepStep::refused_acquire) {
      return is_illegal(death.stuck, {}, is_little ? 1 : 3, result);
    }
    const std::uint32_t caller = timeline_.items[death.stuck].owner;
    constexpr std::array sizes{1U, 2U, 4U, 16U, 0U};
    const auto each = std::span<const std::uint32_t>(sizes).first(is_little ? 3 : sizes.size());
    for (const std::uint32_t acquires : each) {
      if (is_illegal(death.stuck, {caller}, acquires, result)) return true;
      std::vector<std::uint32_t> all{caller};
      for (const std::uint32_t holder : death.holders) {
        if (holder == nobody || std::find(all.begin(), all.end(), holder) != all.end()) continue;
        if (is_illegal(death.stuck, {caller, holder}, acquires, result)) return true;
        all.push_back(holder);
      }
      if (all.size() > 2 && is_illegal(death.stuck, all, acquires, result)) return true;
    }
    return false;
  }

 private:
  bool is_illegal(std::uint32_t stuck, const std::vector<std::uint32_t>& owners,
                  std::uint32_t acquires_each, SweepResult& result) {
    if (steps_left_ == 0) return false;
    MutexCore core = core_around(timeline_, kind_, stuck, owners, acquires_each);
    MutexTimeline alone;
    if (!lay_out(std::move(core.items), core.owner_count, alone)) return false;
    constexpr std::uint64_t steps_each = 200'000;
    Limits limits = limits_;
    limits.steps_max = std::min({limits.steps_max, steps_left_, steps_each});
    MutexFrontier frontier(alone, kind_);
    const FrontierResult death = frontier.run(0, limits);
    result.steps += death.steps;
    steps_left_ -= std::min(steps_left_, frontier.work_of(death));
    if (death.end != FrontierEnd::died) return false;
    const SweepItem& last = alone.items[death.stuck];
    result.stuck = last.origin;
    result.blamed.clear();
    for (const SweepItem& item : alone.items) {
      if (item.invoked < last.completed) result.blamed.push_back(item.origin);
    }
    return true;
  }

  const MutexTimeline& timeline_;
  MutexKind kind_;
  Limits limits_;
  std::uint64_t steps_left_ = 0;
};

/// Everything up to the stuck operation.
void blame_all(const MutexTimeline& timeline, std::uint32_t stuck, SweepResult& result) {
  const SweepItem& last = timeline.items[stuck];
  result.stuck = last.origin;
  for (const SweepItem& item : timeline.items) {
    if (item.invoked < last.completed) result.blamed.push_back(item.origin);
  }
}

SweepObstacle obstacle_of(FrontierEnd end) {
  if (end == FrontierEnd::steps) return SweepObstacle::steps;
  return end == FrontierEnd::memory ? SweepObstacle::memory : SweepObstacle::time;
}

SweepResult answer_owned(const MutexTimeline& timeline, MutexKind kind, const Limits& limits,
                         const RefutedElsewhere& is_refuted) {
  SweepResult result;
  MutexFrontier frontier(timeline, kind);
  bool is_blamed = false;
  std::optional<bool> is_refuted_elsewhere;
  const auto blame = [&](const FrontierResult& death) {
    Blame search(timeline, kind, limits);
    is_blamed = search.find(death, Blame::Effort::little, result);
    if (is_blamed) return true;
    if (!is_refuted_elsewhere) is_refuted_elsewhere = is_refuted && is_refuted(timeline);
    if (*is_refuted_elsewhere) return true;
    is_blamed = search.find(death, Blame::Effort::much, result);
    return is_blamed;
  };
  // One way with repairs is nearly always enough for a "yes", and a core for a "no".
  constexpr std::uint32_t repaired = 1;
  constexpr std::uint32_t all_final_paths = 0;
  for (const std::uint32_t width : {repaired, 64U, 1024U, all_final_paths}) {
    const FrontierResult run =
        width == repaired ? frontier.run_with_repairs(limits, blame) : frontier.run(width, limits);
    result.steps += run.steps;
    if (run.end == FrontierEnd::survived) {
      result.answer = SweepAnswer::linearizable;
      const SweepTrail trail = frontier.replay(run.choices);
      result.order = OrderWriter(timeline, trail).write();
      return result;
    }
    if (run.end != FrontierEnd::died) {
      result.obstacle = obstacle_of(run.end);
      return result;
    }
    if (!is_blamed && !blame(run) && run.pruned) continue;
    if (!is_blamed && is_refuted_elsewhere == true) {
      result.obstacle = SweepObstacle::elsewhere;
      return result;
    }
    result.answer = SweepAnswer::not_linearizable;
    if (!is_blamed) blame_all(timeline, run.stuck, result);
    return result;
  }
  return result;
}

}  // namespace

SweepResult sweep_mutex(std::span<const Operation> operations, MutexKind kind, Refusals refusals,
                        const Limits& limits, const RefutedElsewhere& is_refuted) {
  SweepResult cannot;
  std::vector<SweepItem> items;
  if (const auto obstacle = take_items(operations, refusals, items)) {
    cannot.obstacle = *obstacle;
    return cannot;
  }
  MutexTimeline timeline;
  const std::uint32_t owner_count = owner_count_of(items);
  if (!lay_out(std::move(items), owner_count, timeline)) {
    cannot.obstacle = SweepObstacle::overlap;
    return cannot;
  }
  return answer_owned(timeline, kind, limits, is_refuted);
}

}  // namespace lockstep::checker::recorded
