#include "checker/recorded/zones.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "checker/recorded/specifications/register.h"

namespace lockstep::checker::recorded {
namespace {

constexpr std::uint32_t nobody = UINT32_MAX;
constexpr std::int64_t never = INT64_MAX;

struct Cluster {
  std::uint32_t write = nobody;    ///< nobody: the initial value
  std::int64_t written_from = -1;  ///< the write's invocation
  std::int64_t first_return = -1;  ///< f
  std::int64_t last_invoked = -1;  ///< s
  std::uint32_t returns_first = nobody;
  std::uint32_t invoked_last = nobody;
  std::vector<std::uint32_t> reads;
  bool is_sure = false;  ///< the write returned, or somebody saw it

  [[nodiscard]] bool is_forward() const { return first_return < last_invoked; }
};

struct Place {
  std::int64_t at = 0;
  bool is_backward = false;
  std::uint32_t cluster = 0;
};

class Zones {
 public:
  Zones(const History& history, std::span<const std::uint32_t> operations, const Settings& settings)
      : history_(history),
        operations_(operations),
        values_(history.texts),
        initial_(values_.value_of(settings.initial_value)),
        failed_compare_and_sets_(settings.failed_compare_and_sets) {}

  [[nodiscard]] bool apply() {
    std::unordered_map<ValueId, std::uint32_t> written{{initial_, 0}};
    for (const std::uint32_t index : operations_) {
      const Operation& operation = history_.operations[index];
      const bool sees_absence = operation.function == Function::compare_and_set &&
                                failed_compare_and_sets_ == Failures::observed;
      if (operation.outcome == Outcome::fail && !sees_absence) continue;
      if (operation.function == Function::read) continue;
      if (operation.function != Function::write) return false;
      const auto next = static_cast<std::uint32_t>(written.size());
      if (!written.try_emplace(values_.value_of(operation.argument), next).second) return false;
    }
    return true;
  }

  /// Whether the history up to that event has a linearization; else `blamed()`.
  [[nodiscard]] bool hold_until(std::uint32_t until) {
    until_ = until;
    blamed_.clear();
    return gather() && forward_zones_are_disjoint() && backward_zones_are_outside();
  }

  [[nodiscard]] std::vector<std::uint32_t> blamed() {
    std::sort(blamed_.begin(), blamed_.end());
    blamed_.erase(std::unique(blamed_.begin(), blamed_.end()), blamed_.end());
    return blamed_;
  }

  /// After it held.
  [[nodiscard]] std::vector<std::uint32_t> order() const {
    std::vector<Place> places;
    for (std::uint32_t index = 0; index < clusters_.size(); ++index) {
      const Cluster& cluster = clusters_[index];
      if (!cluster.is_sure) continue;
      if (cluster.is_forward()) {
        places.push_back({cluster.last_invoked, false, index});
        continue;
      }
      const Cluster* around = forward_before(cluster.last_invoked);
      const bool is_inside = around != nullptr && cluster.last_invoked < around->last_invoked;
      places.push_back({is_inside ? around->last_invoked : cluster.last_invoked, true, index});
    }
    std::sort(places.begin(), places.end(), [](const Place& one, const Place& other) {
      if (one.at != other.at) return one.at < other.at;
      return one.is_backward < other.is_backward;
    });
    std::vector<std::uint32_t> order;
    for (const Place& place : places) {
      const Cluster& cluster = clusters_[place.cluster];
      if (cluster.write != nobody) order.push_back(cluster.write);
      order.insert(order.end(), cluster.reads.begin(), cluster.reads.end());
    }
    return order;
  }

 private:
  [[nodiscard]] std::int64_t return_of_prefix(const Operation& operation) const {
    const bool returned = operation.outcome == Outcome::ok && operation.completed <= until_;
    return returned ? std::int64_t{operation.completed} : never;
  }

  /// Makes the clusters; false if a read came before its write, or saw what nobody wrote.
  bool gather() {
    clusters_.assign(1, Cluster{});
    clusters_[0].is_sure = true;
    by_value_.clear();
    by_value_.emplace(initial_, 0);
    for (const std::uint32_t index : operations_) {
      const Operation& operation = history_.operations[index];
      if (operation.invoked > until_) break;
      if (operation.function != Function::write || operation.outcome == Outcome::fail) continue;
      const auto number = static_cast<std::uint32_t>(clusters_.size());
      by_value_.emplace(values_.value_of(operation.argument), number);
      Cluster& cluster = clusters_.emplace_back();
      cluster.write = cluster.returns_first = cluster.invoked_last = index;
      cluster.written_from = cluster.last_invoked = operation.invoked;
      cluster.first_return = return_of_prefix(operation);
      cluster.is_sure = cluster.first_return != never;
    }
    return std::all_of(operations_.begin(), operations_.end(),
                       [this](std::uint32_t index) { return add_read(index); });
  }

  bool add_read(std::uint32_t index) {
    const Operation& operation = history_.operations[index];
    const bool says_nothing = operation.function != Function::read || operation.result == no_text ||
                              return_of_prefix(operation) == never;
    if (says_nothing) return true;
    const auto found = by_value_.find(values_.value_of(operation.result));
    if (found == by_value_.end()) {
      blamed_ = {index};
      return false;
    }
    Cluster& cluster = clusters_[found->second];
    if (operation.completed < cluster.written_from) {
      blamed_ = {index, cluster.write};
      return false;
    }
    cluster.is_sure = true;
    cluster.reads.push_back(index);
    if (operation.completed < cluster.first_return) {
      cluster.first_return = operation.completed;
      cluster.returns_first = index;
    }
    if (operation.invoked > cluster.last_invoked) {
      cluster.last_invoked = operation.invoked;
      cluster.invoked_last = index;
    }
    return true;
  }

  bool forward_zones_are_disjoint() {
    forward_.clear();
    for (std::uint32_t index = 0; index < clusters_.size(); ++index) {
      if (clusters_[index].is_sure && clusters_[index].is_forward()) forward_.push_back(index);
    }
    std::sort(forward_.begin(), forward_.end(), [this](std::uint32_t one, std::uint32_t other) {
      return clusters_[one].first_return < clusters_[other].first_return;
    });
    for (std::size_t index = 1; index < forward_.size(); ++index) {
      const Cluster& before = clusters_[forward_[index - 1]];
      const Cluster& after = clusters_[forward_[index]];
      if (before.last_invoked < after.first_return) continue;
      blame(before, after);
      return false;
    }
    return true;
  }

  bool backward_zones_are_outside() {
    for (const Cluster& cluster : clusters_) {
      if (!cluster.is_sure || cluster.is_forward()) continue;
      const Cluster* around = forward_before(cluster.last_invoked);
      if (around == nullptr || around->last_invoked < cluster.first_return) continue;
      blame(*around, cluster);
      return false;
    }
    return true;
  }

  /// The forward zone that begins last before the position.
  [[nodiscard]] const Cluster* forward_before(std::int64_t position) const {
    const auto after = std::partition_point(
        forward_.begin(), forward_.end(),
        [this, position](std::uint32_t index) { return clusters_[index].first_return < position; });
    return after == forward_.begin() ? nullptr : &clusters_[*(after - 1)];
  }

  void blame(const Cluster& one, const Cluster& other) {
    for (const Cluster* cluster : {&one, &other}) {
      for (const std::uint32_t index :
           {cluster->write, cluster->returns_first, cluster->invoked_last}) {
        if (index != nobody) blamed_.push_back(index);
      }
    }
  }

  const History& history_;
  std::span<const std::uint32_t> operations_;
  Values values_;
  ValueId initial_;
  Failures failed_compare_and_sets_;
  std::uint32_t until_ = 0;
  std::unordered_map<ValueId, std::uint32_t> by_value_;
  std::vector<Cluster> clusters_;
  std::vector<std::uint32_t> forward_;  ///< clusters, in order of their zones
  std::vector<std::uint32_t> blamed_;
};

}  // namespace

FastResult decide_by_zones(const History& history, std::span<const std::uint32_t> operations,
                           const Settings& settings) {
  FastResult result;
  Zones zones(history, operations, settings);
  if (!zones.apply()) return result;
  result.method = Method::zones;
  if (zones.hold_until(never_completed)) {
    result.answer = FastAnswer::linearizable;
    result.order = zones.order();
    return result;
  }
  result.answer = FastAnswer::not_linearizable;
  std::vector<std::uint32_t> completions;
  for (const std::uint32_t index : operations) {
    const Operation& operation = history.operations[index];
    if (operation.outcome == Outcome::ok) completions.push_back(operation.completed);
  }
  std::sort(completions.begin(), completions.end());
  const auto first_bad = std::partition_point(
      completions.begin(), completions.end(),
      [&zones](std::uint32_t completion) { return zones.hold_until(completion); });
  result.until = *first_bad;
  static_cast<void>(zones.hold_until(result.until));
  result.blamed = zones.blamed();
  return result;
}

}  // namespace lockstep::checker::recorded
