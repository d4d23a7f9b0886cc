#include "checker/recorded/mutex/mutex_core.h"

#include <algorithm>

namespace lockstep::checker::recorded {
namespace {

/// Of one owner, while its items are read.
struct Story {
  bool is_in = false;
  std::uint32_t number = no_item;  ///< in the core
  std::int32_t balance = 0;
  bool is_sure = true;                 ///< no unknown operation so far
  std::vector<std::uint32_t> starts;   ///< the last items that the story may start with
  std::uint32_t start = 0;             ///< the one chosen
  std::uint32_t unknown_acquires = 0;  ///< taken into the core
  std::uint32_t unknown_releases = 0;
};

class Cutter {
 public:
  Cutter(const MutexTimeline& timeline, MutexKind kind, std::uint32_t stuck)
      : timeline_(timeline), kind_(kind), stuck_(stuck), cut_(timeline.items[stuck].completed) {
    const SweepItem& item = timeline.items[stuck];
    starts_until_ = item.step == SweepStep::refused_acquire ? item.invoked : cut_;
    stories_.resize(timeline.owner_count());
  }

  MutexCore cut(std::span<const std::uint32_t> owners, std::uint32_t acquires_each) {
    for (const std::uint32_t owner : owners) stories_[owner].is_in = true;
    if (owners.empty()) {
      for (Story& story : stories_) story.is_in = true;
    }
    if (acquires_each != 0) choose_starts(acquires_each);
    known_count_ = 0;
    each_item([this](std::uint32_t index, const SweepItem& item) {
      if (!item.is_unknown() && is_kept(index, item)) ++known_count_;
    });
    each_item([this](std::uint32_t index, const SweepItem& item) {
      if (is_kept(index, item)) take(item);
    });
    return std::move(core_);
  }

 private:
  template <typename Visit>
  void each_item(Visit visit) const {
    for (std::uint32_t index = 0; index < timeline_.items.size(); ++index) {
      const SweepItem& item = timeline_.items[index];
      if (item.invoked > cut_) break;
      if (stories_[item.owner].is_in) visit(index, item);
    }
  }

  void choose_starts(std::uint32_t acquires_each) {
    each_item([&](std::uint32_t index, const SweepItem& item) {
      Story& story = stories_[item.owner];
      if (item.step == SweepStep::acquire && item.completed <= starts_until_ &&
          (kind_ == MutexKind::owned || (story.is_sure && story.balance == 0))) {
        if (story.starts.size() == acquires_each) story.starts.erase(story.starts.begin());
        story.starts.push_back(index);
      }
      if (item.step == SweepStep::acquire) ++story.balance;
      if (item.step == SweepStep::release) --story.balance;
      if (item.is_unknown()) story.is_sure = false;
    });
    for (Story& story : stories_) {
      if (story.starts.size() == acquires_each) story.start = story.starts.front();
    }
  }

  [[nodiscard]] bool is_kept(std::uint32_t index, const SweepItem& item) const {
    if (item.is_unknown()) return true;
    if (index < stories_[item.owner].start) return false;
    if (item.step == SweepStep::refused_acquire) return index == stuck_;
    return item.step != SweepStep::refused_release || item.completed <= cut_;
  }

  void take(const SweepItem& item) {
    Story& story = stories_[item.owner];
    SweepItem taken = item;
    if (!item.is_unknown() && item.completed > cut_) {
      taken.completed = never_completed;
      taken.step =
          item.step == SweepStep::acquire ? SweepStep::unknown_acquire : SweepStep::unknown_release;
    }
    if (taken.is_unknown()) {
      std::uint32_t& count = taken.step == SweepStep::unknown_acquire ? story.unknown_acquires
                                                                      : story.unknown_releases;
      if (count++ > 2 * known_count_) return;
    }
    if (story.number == no_item) story.number = core_.owner_count++;
    taken.owner = story.number;
    core_.items.push_back(taken);
  }

  const MutexTimeline& timeline_;
  MutexKind kind_;
  std::uint32_t stuck_;
  std::uint32_t cut_;
  std::uint32_t starts_until_ = 0;
  std::uint32_t known_count_ = 0;
  std::vector<Story> stories_;
  MutexCore core_;
};

}  // namespace

MutexCore core_around(const MutexTimeline& timeline, MutexKind kind, std::uint32_t stuck,
                      std::span<const std::uint32_t> owners, std::uint32_t acquires_each) {
  return Cutter(timeline, kind, stuck).cut(owners, acquires_each);
}

}  // namespace lockstep::checker::recorded
