#include "checker/recorded/mutex/hold_sweep.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep::checker::recorded {
namespace {

/// A step of a chain, and the one before it.
struct Link {
  std::uint32_t before = no_item;
  bool acquires = false;
  std::uint32_t item = no_item;
  std::int64_t at_least = 0;
};

/// A bound, and from which link on it is counted.
struct Bound {
  std::int64_t at_least = 0;
  std::uint32_t link = no_item;
};

/// From this position on so many acquires of the owner have had their effect.
struct Rise {
  std::uint32_t position = 0;
  Bound acquires;
};

/// A granted call that has returned: at some moment of it nobody else held the lock.
struct Moment {
  std::uint32_t owner = no_item;
  std::uint32_t item = no_item;
  std::uint32_t begun = 0;
};

struct Owner {
  Bound acquires;
  Bound releases;
  Bound releases_at_call;  ///< as its release under way was invoked
  std::int64_t acquires_invoked = 0;
  std::int64_t releases_invoked = 0;
  std::uint32_t last_release = no_item;  ///< of those that `releases` counts since its link
  /// What isn't yet known to be given back: another's call must begin after it.
  std::vector<Rise> rises;
  std::size_t next_rise = 0;

  [[nodiscard]] bool surely_holds() const { return acquires.at_least > releases_invoked; }
};

class HoldSweep {
 public:
  explicit HoldSweep(const MutexTimeline& timeline)
      : timeline_(timeline), owners_(timeline.owner_count()) {}

  /// Whether a contradiction was found.
  bool run() {
    for (const ItemEvent event : timeline_.events) {
      if (event % 2 == 0) {
        invoke(event / 2);
      } else if (timeline_.items[event / 2].has_effect() && complete(event / 2)) {
        return true;
      }
    }
    return false;
  }

  /// REQUIRES: it was. In the timeline's terms.
  [[nodiscard]] std::uint32_t stuck() const { return stuck_; }
  [[nodiscard]] const std::vector<std::uint32_t>& culprits() const { return culprits_; }

  [[nodiscard]] std::vector<HoldStep> steps_of(std::uint32_t owner) const {
    std::vector<HoldStep> steps;
    std::uint32_t link = owners_[owner].acquires.link;
    if (culprits_.size() == 2) {
      steps.push_back({true, stuck_, 0, owners_[owner].acquires.at_least});
    } else if (timeline_.items[stuck_].owner != owner) {
      link = owners_[owner].releases.link;
    }
    for (; link != no_item; link = links_[link].before) {
      steps.push_back({links_[link].acquires, links_[link].item, 0, links_[link].at_least});
    }
    std::reverse(steps.begin(), steps.end());
    std::int64_t before = 0;
    for (HoldStep& step : steps) step.within = step.at_least - std::exchange(before, step.at_least);
    return steps;
  }

  [[nodiscard]] std::int64_t others_invoked(std::uint32_t owner, bool acquires) const {
    return acquires ? owners_[owner].acquires_invoked : owners_[owner].releases_invoked;
  }

 private:
  void invoke(std::uint32_t index) {
    const SweepItem& item = timeline_.items[index];
    Owner& owner = owners_[item.owner];
    switch (item.step) {
      case SweepStep::acquire:
        ++owner.acquires_invoked;
        give_back(item.owner);
        // All that it acquired is released: from here on it is counted anew.
        if (owner.releases.at_least == owner.acquires.at_least) owner.acquires = released(owner);
        return;
      case SweepStep::release:
        ++owner.releases_invoked;
        give_back(item.owner);
        owner.releases_at_call = owner.releases;
        return;
      case SweepStep::unknown_acquire:
        ++owner.acquires_invoked;
        return;
      case SweepStep::unknown_release:
        ++owner.releases_invoked;
        return;
      case SweepStep::refused_acquire:
      case SweepStep::refused_release:
        return;
    }
  }

  /// Whether that can't be.
  bool complete(std::uint32_t index) {
    const SweepItem& item = timeline_.items[index];
    Owner& owner = owners_[item.owner];
    if (item.step == SweepStep::acquire) {
      ++owner.acquires.at_least;
      owner.rises.push_back({item.completed, owner.acquires});
      const bool is_listed =
          std::find(holders_.begin(), holders_.end(), item.owner) != holders_.end();
      if (owner.surely_holds() && !is_listed) holders_.push_back(item.owner);
    } else if (count_release(owner, index)) {
      culprits_ = {item.owner};
      stuck_ = index;
      return true;
    }
    add_moment({item.owner, index, item.invoked});
    return is_held_by_others(index);
  }

  /// Whether more is released than was acquired.
  bool count_release(Owner& owner, std::uint32_t index) {
    const SweepItem& item = timeline_.items[index];
    give_back(item.owner);
    if (owner.releases_at_call.at_least + 1 > owner.releases.at_least) {
      owner.releases = owner.releases_at_call;
      ++owner.releases.at_least;
      owner.last_release = index;
    }
    if (owner.releases.at_least <= owner.acquires.at_least) return false;
    owner.acquires = released(owner);
    owner.rises.push_back({item.completed, owner.acquires});
    return owner.acquires.at_least > owner.acquires_invoked;
  }

  /// A link that the owner's releases up to now end.
  Bound released(const Owner& owner) {
    const Bound& bound = owner.releases;
    const bool is_link = bound.link != no_item && links_[bound.link].at_least == bound.at_least;
    if (is_link || bound.at_least == 0) return bound;
    return {bound.at_least, add({bound.link, false, owner.last_release, bound.at_least})};
  }

  std::uint32_t add(const Link& link) {
    links_.push_back(link);
    return static_cast<std::uint32_t>(links_.size() - 1);
  }

  /// Of each of two owners the call that began last; any owner finds one of another's among them.
  void add_moment(const Moment& moment) {
    Moment& last = moments_[0];
    if (last.owner == moment.owner || last.item == no_item) {
      if (last.item == no_item || moment.begun > last.begun) last = moment;
    } else if (moment.begun > last.begun) {
      moments_[1] = std::exchange(last, moment);
    } else if (moments_[1].item == no_item || moment.begun > moments_[1].begun) {
      moments_[1] = moment;
    }
  }

  /// What the owner had acquired when another's call began, is released when that has returned.
  void give_back(std::uint32_t number) {
    const Moment& moment = moments_[moments_[0].owner == number ? 1 : 0];
    if (moment.item == no_item) return;
    Owner& owner = owners_[number];
    const std::size_t first = owner.next_rise;
    while (owner.next_rise < owner.rises.size() &&
           owner.rises[owner.next_rise].position < moment.begun) {
      ++owner.next_rise;
    }
    if (owner.next_rise == first) return;
    const Bound& acquired = owner.rises[owner.next_rise - 1].acquires;
    if (acquired.at_least > owner.releases.at_least) {
      owner.releases = {acquired.at_least,
                        add({acquired.link, true, moment.item, acquired.at_least})};
    }
    if (owner.next_rise < owner.rises.size()) return;
    owner.rises.clear();
    owner.next_rise = 0;
  }

  /// Whether an owner surely held the lock while this call of another was under way, or two hold it
  /// now.
  bool is_held_by_others(std::uint32_t index) {
    std::erase_if(holders_, [this](std::uint32_t each) { return !owners_[each].surely_holds(); });
    stuck_ = index;
    for (const std::uint32_t holder : holders_) {
      if (holder == timeline_.items[index].owner) continue;
      give_back(holder);
      if (owners_[holder].releases.at_least <= owners_[holder].releases_invoked) continue;
      culprits_ = {holder};
      return true;
    }
    if (holders_.size() < 2) return false;
    culprits_ = holders_;
    return true;
  }

  const MutexTimeline& timeline_;
  std::vector<Owner> owners_;
  std::vector<Link> links_;
  Moment moments_[2];
  std::vector<std::uint32_t> holders_;  ///< who may surely hold the lock
  std::vector<std::uint32_t> culprits_;
  std::uint32_t stuck_ = no_item;
};

}  // namespace

std::optional<HoldProof> sweep_holds(const History& history,
                                     std::span<const std::uint32_t> operations,
                                     const MutexTimeline& timeline) {
  HoldSweep sweep(timeline);
  if (!sweep.run()) return std::nullopt;
  const auto in_history = [&](std::uint32_t item) {
    return operations[timeline.items[item].origin];
  };
  HoldProof proof;
  proof.stuck = in_history(sweep.stuck());
  for (const std::uint32_t culprit : sweep.culprits()) {
    HoldChain& chain = proof.chains.emplace_back();
    chain.steps = sweep.steps_of(culprit);
    chain.others_invoked = sweep.others_invoked(culprit, !chain.steps.back().acquires);
    for (HoldStep& step : chain.steps) step.operation = in_history(step.operation);
    const auto is_own = [&](const SweepItem& item) { return item.owner == culprit; };
    const auto own = std::find_if(timeline.items.begin(), timeline.items.end(), is_own);
    chain.owner = history.operations[operations[own->origin]].owner;
  }
  name_operations(history, operations, proof);
  return proof;
}

}  // namespace lockstep::checker::recorded
