// Part of mutex_frontier.h: going back a little where the one configuration kept has died.
//
// A wrong choice mostly shows soon after. So the way there is remembered, densely for what is near
// and thinly for what is long ago; a death is answered by going back, further and with more
// configurations each time, until it is passed.
#include <algorithm>
#include <array>
#include <utility>

#include "checker/recorded/mutex/mutex_frontier.h"

namespace lockstep::checker::recorded {
namespace {

/// How far to go back before a death, and how many configurations to keep from there to beyond it.
struct Repair {
  std::uint32_t events = 0;
  std::uint32_t width = 0;
};
constexpr std::array<Repair, 4> repairs{{{512, 8}, {2048, 32}, {16384, 64}, {131072, 128}}};
constexpr std::size_t little_repairs = 2;

/// From snapshot to snapshot; more where there are so many owners that one is large.
constexpr std::uint32_t events_between = 1024;
/// So many of the same distance are kept.
constexpr std::size_t kept_of_a_distance = 8;

}  // namespace

void MutexFrontier::keep_snapshot(std::uint32_t event) {
  snapshots_.push_back({event, owners_, acquiring_, uncertain_owners_, configurations_});
  thin_out_snapshots();
}

/// Of those older than a power of two of distances, every second one goes.
void MutexFrontier::thin_out_snapshots() {
  std::size_t of_this_distance = 0;
  std::uint32_t distance = 0;
  for (std::size_t place = snapshots_.size() - 1; place-- > 1;) {
    const std::uint32_t gap = snapshots_[place + 1].event - snapshots_[place].event;
    if (gap > distance) {
      distance = gap;
      of_this_distance = 0;
    }
    if (++of_this_distance < kept_of_a_distance) continue;
    const std::uint32_t gap_before = snapshots_[place].event - snapshots_[place - 1].event;
    if (gap_before != gap) return;
    snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(place));
    return;
  }
}

std::uint32_t MutexFrontier::go_back_before(std::uint32_t event) {
  while (snapshots_.size() > 1 && snapshots_.back().event > event) snapshots_.pop_back();
  const Snapshot& snapshot = snapshots_.back();
  owners_ = snapshot.owners;
  acquiring_ = snapshot.acquiring;
  uncertain_owners_ = snapshot.uncertain_owners;
  configurations_ = snapshot.configurations;
  return snapshot.event;
}

FrontierResult MutexFrontier::run_with_repairs(
    const Limits& limits, const std::function<bool(const FrontierResult&)>& is_proven) {
  start();
  snapshots_.clear();
  FrontierResult result;
  const auto event_count = static_cast<std::uint32_t>(timeline_.events.size());
  const std::uint32_t distance = std::max(events_between, timeline_.owner_count());
  std::uint32_t width = 1;
  std::uint32_t wide_until = 0;
  std::uint32_t died_at = 0;
  std::size_t repairs_tried = 0;
  std::uint32_t next_snapshot = 0;
  for (std::uint32_t event = 0; event < event_count; ++event) {
    if (event >= wide_until) width = 1;
    if (event >= next_snapshot) {
      keep_snapshot(event);
      next_snapshot = event + distance;
    }
    if (take_event(timeline_.events[event], width, limits, result)) continue;
    if (result.end != FrontierEnd::died) return result;
    repairs_tried = event > died_at ? 0 : repairs_tried;
    died_at = std::max(died_at, event);
    if (repairs_tried == repairs.size() || !result.pruned) return result;
    if (repairs_tried == little_repairs && is_proven(result)) return result;
    const Repair& repair = repairs[repairs_tried++];
    result.end = FrontierEnd::survived;
    result.holders.clear();
    width = repair.width;
    wide_until = died_at + repair.events;
    event = go_back_before(event - std::min(event, repair.events)) - 1;
    next_snapshot = event + 1 + distance;
  }
  result.choices = choices_of(configurations_.front());
  return result;
}

}  // namespace lockstep::checker::recorded
