#include "checker/recorded/counting/counting_sweep.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>

#include "checker/recorded/event_order.h"

namespace lockstep::checker::recorded {
namespace {

constexpr std::uint32_t nothing = UINT32_MAX;

/// How many units had their effect.
struct Units {
  std::int64_t acquired = 0;
  std::int64_t released = 0;

  [[nodiscard]] std::int64_t of(bool acquires) const { return acquires ? acquired : released; }
  [[nodiscard]] std::int64_t out() const { return acquired - released; }
};

/// Acquires, or releases.
class Kind {
 public:
  void invoke(std::uint32_t index, const CountingOperation& operation) {
    invoked_ += operation.units;
    if (operation.completed == never_completed) {
      unknown_.push_back(index);
      return;
    }
    while (!under_way_.empty() && under_way_.top().first < operation.invoked) under_way_.pop();
    under_way_.emplace(operation.completed, index);
  }

  /// What goes first: of those under way the one that completes soonest, an unknown one last.
  [[nodiscard]] std::uint32_t soonest(const std::vector<std::uint32_t>& left) {
    while (!under_way_.empty() && left[under_way_.top().second] == 0) under_way_.pop();
    if (!under_way_.empty()) return under_way_.top().second;
    while (unknown_used_ < unknown_.size() && left[unknown_[unknown_used_]] == 0) ++unknown_used_;
    return unknown_used_ < unknown_.size() ? unknown_[unknown_used_] : nothing;
  }

  [[nodiscard]] std::int64_t invoked() const { return invoked_; }

 private:
  using Completion = std::pair<std::uint32_t, std::uint32_t>;
  std::priority_queue<Completion, std::vector<Completion>, std::greater<>> under_way_;
  std::vector<std::uint32_t> unknown_;
  std::size_t unknown_used_ = 0;
  std::int64_t invoked_ = 0;
};

/// What the sweep leaves behind when it is stuck.
struct Trail {
  std::vector<ItemEvent> events;  ///< up to the stuck one
  std::vector<Units> after;       ///< by operation: after its completion
  /// By operation: when the last of the other kind completes that went at its completion; 0: none.
  std::vector<std::uint32_t> latest_other;
};

class Sweep {
 public:
  explicit Sweep(const CountingLock& lock)
      : lock_(lock),
        left_(lock.operations.size()),
        after_(lock.operations.size()),
        latest_other_(lock.operations.size()) {
    for (std::size_t index = 0; index < left_.size(); ++index) {
      left_[index] = lock.operations[index].units;
    }
    if (lock.is_exact) order_.reserve(lock.operations.size());
  }

  /// The operation that is stuck at its completion, or nothing.
  std::uint32_t run() {
    order_events(lock_.operations, events_);
    for (std::size_t at = 0; at < events_.size(); ++at) {
      const std::uint32_t index = events_[at] / 2;
      const CountingOperation& operation = lock_.operations[index];
      if (events_[at] % 2 == 0) {
        (operation.acquires ? acquires_ : releases_).invoke(index, operation);
      } else if (!complete(index)) {
        events_.resize(at + 1);
        return index;
      }
    }
    return nothing;
  }

  [[nodiscard]] std::int64_t invoked(bool acquires) const {
    return (acquires ? acquires_ : releases_).invoked();
  }
  /// What had its effect when it got stuck, with what had to.
  [[nodiscard]] std::int64_t demanded(std::uint32_t stuck) const {
    return now_.of(lock_.operations[stuck].acquires) + left_[stuck];
  }
  [[nodiscard]] Trail take_trail() {
    return {std::move(events_), std::move(after_), std::move(latest_other_)};
  }
  [[nodiscard]] std::vector<std::uint32_t> take_order() { return std::move(order_); }

 private:
  [[nodiscard]] bool complete(std::uint32_t index) {
    const bool acquires = lock_.operations[index].acquires;
    const std::int64_t units = left_[index];
    const std::int64_t needed = acquires ? now_.out() + units - lock_.capacity : units - now_.out();
    if (needed > 0 && !place_others(!acquires, needed, index)) return false;
    if (units > 0) place(index, units);
    after_[index] = now_;
    return true;
  }

  [[nodiscard]] bool place_others(bool acquires, std::int64_t needed, std::uint32_t completing) {
    Kind& kind = acquires ? acquires_ : releases_;
    if (kind.invoked() - now_.of(acquires) < needed) return false;
    while (needed > 0) {
      const std::uint32_t index = kind.soonest(left_);
      const std::int64_t units = std::min<std::int64_t>(needed, left_[index]);
      place(index, units);
      needed -= units;
      latest_other_[completing] = lock_.operations[index].completed;
    }
    return true;
  }

  void place(std::uint32_t index, std::int64_t units) {
    left_[index] -= static_cast<std::uint32_t>(units);
    const CountingOperation& operation = lock_.operations[index];
    (operation.acquires ? now_.acquired : now_.released) += units;
    if (lock_.is_exact) order_.push_back(operation.operation);
  }

  const CountingLock& lock_;
  std::vector<ItemEvent> events_;
  std::vector<std::uint32_t> left_;  ///< units without an effect
  std::vector<Units> after_;
  std::vector<std::uint32_t> latest_other_;
  Kind acquires_;
  Kind releases_;
  Units now_;
  std::vector<std::uint32_t> order_;
};

/// Walks back along the bounds that are met exactly.
class Chain {
 public:
  Chain(const CountingLock& lock, const Trail& trail) : lock_(lock), trail_(trail) {}

  /// Few steps; of chains with few, one whose last step is short.
  std::vector<CountingStep> find(bool acquires, std::int64_t demanded) {
    std::vector<CountingStep> steps = walk(acquires, demanded, Link::furthest);
    std::vector<CountingStep> local = walk(acquires, demanded, Link::nearest);
    const bool is_short =
        local.size() <= 2 || (steps.size() > 1 && local.size() <= steps.size() + 1);
    return is_short ? local : steps;
  }

 private:
  enum class Link : std::uint8_t { nearest, furthest };
  static constexpr std::size_t beginning = SIZE_MAX;
  struct Found {
    std::size_t event = beginning;
    std::int64_t within = 0;
  };

  std::vector<CountingStep> walk(bool acquires, std::int64_t at_least, Link first) const {
    std::vector<CountingStep> steps;
    std::size_t event = trail_.events.size() - 1;
    Link link = first;
    for (;;) {
      const Found found = find_link(event, acquires, at_least, link);
      const CountingOperation& completes = lock_.operations[trail_.events[event] / 2];
      steps.push_back({acquires, completes.operation, completes.completed, found.within, at_least});
      if (found.event == beginning) break;
      event = found.event;
      acquires = !acquires;
      at_least = trail_.after[trail_.events[event] / 2].of(acquires);
      link = Link::furthest;
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  /// A completion from which the bound at `event` is met exactly, by what is invoked since and has
  /// completed. The furthest is the last at which one went that completes later: from there it is
  /// met (counting_sweep.h), and from before not, as that one isn't counted.
  Found find_link(std::size_t event, bool acquires, std::int64_t at_least, Link link) const {
    const std::uint32_t until = position_of(lock_.operations, trail_.events[event]);
    const std::int64_t out_then = acquires ? 0 : lock_.capacity;
    std::int64_t within = 0;
    for (std::size_t at = event; at-- > 0;) {
      const std::uint32_t index = trail_.events[at] / 2;
      const CountingOperation& operation = lock_.operations[index];
      if (trail_.events[at] % 2 == 0) {
        const bool counts = operation.acquires == acquires && operation.completed <= until;
        if (counts) within += operation.units;
        continue;
      }
      const Units& after = trail_.after[index];
      const bool is_furthest = operation.acquires != acquires && trail_.latest_other[index] > until;
      const bool is_met = after.out() == out_then && after.of(acquires) + within == at_least;
      if (is_furthest || (link == Link::nearest && is_met)) return {at, within};
    }
    return {beginning, within};
  }

  const CountingLock& lock_;
  const Trail& trail_;
};

/// The last operations that the last step counts, and those beside them.
void name_operations(const CountingLock& lock, const Trail& trail, CountingProof& proof) {
  const CountingStep& last = proof.steps.back();
  const bool is_only = proof.steps.size() == 1;
  const std::int64_t since = is_only ? -1 : std::int64_t{proof.steps[proof.steps.size() - 2].until};
  for (std::size_t at = trail.events.size(); at-- > 0;) {
    const CountingOperation& operation = lock.operations[trail.events[at] / 2];
    const bool is_completion = trail.events[at] % 2 == 1;
    const bool began_since = std::int64_t{operation.invoked} > since;
    if (operation.acquires == last.acquires) {
      if (is_completion && began_since && proof.counted.size() < counted_told_max) {
        proof.counted.push_back(operation.operation);
      }
    } else if (!is_completion && proof.others.size() < counted_told_max) {
      const bool was_under_way =
          operation.completed != never_completed && std::int64_t{operation.completed} > since;
      if (began_since || was_under_way) proof.others.push_back(operation.operation);
    }
    if (proof.counted.size() == counted_told_max && proof.others.size() == counted_told_max) break;
  }
  std::sort(proof.counted.begin(), proof.counted.end());
  std::sort(proof.others.begin(), proof.others.end());
}

}  // namespace

CountingResult sweep_counting(const CountingLock& lock) {
  CountingResult result;
  Sweep sweep(lock);
  const std::uint32_t stuck = sweep.run();
  if (stuck == nothing) {
    result.order = sweep.take_order();
    return result;
  }
  const CountingOperation& last = lock.operations[stuck];
  const std::int64_t demanded = sweep.demanded(stuck);
  const Trail trail = sweep.take_trail();
  CountingProof& proof = result.proof.emplace();
  proof.capacity = lock.capacity;
  proof.others_invoked = sweep.invoked(!last.acquires);
  proof.counts_permits = lock.counts_permits;
  proof.steps = Chain(lock, trail).find(last.acquires, demanded);
  name_operations(lock, trail, proof);
  return result;
}

}  // namespace lockstep::checker::recorded
