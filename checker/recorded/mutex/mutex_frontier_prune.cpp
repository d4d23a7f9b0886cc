// Part of mutex_frontier.h: leaving out configurations that others cover, and the dearest.
#include <algorithm>
#include <tuple>
#include <utility>

#include "checker/recorded/mutex/mutex_frontier.h"

namespace lockstep::checker::recorded {
namespace {

/// What must be equal for one to cover the other: negative, 0 or positive.
int compare_kinds(const MutexConfiguration& one, const MutexConfiguration& other) {
  if (one.holder != other.holder) return one.holder < other.holder ? -1 : 1;
  if (one.level != other.level) return one.level < other.level ? -1 : 1;
  auto left = one.deviations.begin();
  auto right = other.deviations.begin();
  const auto skip = [](auto& at, auto end) {
    while (at != end && !at->took_effect) ++at;
    return at == end ? nobody : at->owner;
  };
  while (true) {
    const std::uint32_t left_owner = skip(left, one.deviations.end());
    const std::uint32_t right_owner = skip(right, other.deviations.end());
    if (left_owner != right_owner) return left_owner < right_owner ? -1 : 1;
    if (left_owner == nobody) return 0;
    ++left;
    ++right;
  }
}

/// Whether no owner has a larger excess in the first.
bool costs_no_more(const std::vector<OwnerDeviation>& one,
                   const std::vector<OwnerDeviation>& other) {
  auto right = other.begin();
  for (const OwnerDeviation& left : one) {
    if (left.excess == 0) continue;
    while (right != other.end() && right->owner < left.owner) ++right;
    if (right == other.end() || right->owner != left.owner || right->excess < left.excess) {
      return false;
    }
  }
  return true;
}

/// Whether the first was held no earlier than the second, whoever asks.
bool was_held_no_earlier(const MutexConfiguration& one, const MutexConfiguration& other) {
  if (one.held.owner == other.held.owner) {
    return one.held.at >= other.held.at && one.held_other.at >= other.held_other.at;
  }
  return std::min(one.held.at, one.held_other.at) >= other.held.at;
}

}  // namespace

/// REQUIRES: they compare equal in kind.
bool MutexFrontier::covers(const MutexConfiguration& one, const MutexConfiguration& other) const {
  if (one.cost > other.cost) return false;
  if (!one.is_free() && one.free_at < other.free_at) return false;
  if (timeline_.has_refused_acquires && !was_held_no_earlier(one, other)) return false;
  return costs_no_more(one.deviations, other.deviations);
}

void MutexFrontier::reduce(std::uint32_t width, FrontierResult& result) {
  const auto before = [](const MutexConfiguration& one, const MutexConfiguration& other) {
    const int kinds = compare_kinds(one, other);
    if (kinds != 0) return kinds < 0;
    if (one.cost != other.cost) return one.cost < other.cost;
    return one.free_at > other.free_at;
  };
  std::stable_sort(configurations_.begin(), configurations_.end(), before);
  std::size_t kept = 0;
  std::size_t same_kind_from = 0;
  for (std::size_t place = 0; place < configurations_.size(); ++place) {
    MutexConfiguration& configuration = configurations_[place];
    if (kept > same_kind_from && compare_kinds(configurations_[kept - 1], configuration) != 0) {
      same_kind_from = kept;
    }
    bool covered = false;
    for (std::size_t other = same_kind_from; !covered && other < kept; ++other) {
      ++comparisons_;
      covered = covers(configurations_[other], configuration);
    }
    if (covered) continue;
    if (width != 0 && kept - same_kind_from >= kept_of_a_kind_max) {
      result.pruned = true;
      continue;
    }
    if (kept != place) std::swap(configurations_[kept], configuration);
    ++kept;
  }
  configurations_.resize(kept);
  if (width == 0 || kept <= width) return;
  std::stable_sort(configurations_.begin(), configurations_.end(),
                   [](const MutexConfiguration& one, const MutexConfiguration& other) {
                     return one.cost < other.cost;
                   });
  configurations_.resize(width);
  result.pruned = true;
}

}  // namespace lockstep::checker::recorded
