#include "fifo_oracle.h"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "checker/history.h"
#include "checker/observations.h"

namespace lockstep::checker::testing {
namespace {

constexpr std::array queue_owners{"a/1", "b/1", "c/1"};
constexpr std::array locks{"orders", "stock"};

std::int64_t below(std::int64_t bound) { return *rc::gen::inRange<std::int64_t>(0, bound); }

const char* any_owner() {
  return queue_owners[static_cast<std::size_t>(below(queue_owners.size()))];
}
const char* any_lock() { return locks[static_cast<std::size_t>(below(7) / 6)]; }

bool is_grant(const HoldChange& change) {
  return change.cause == ChangeCause::acquire && change.count_before == 0 && change.count_after > 0;
}

/// What became of one owner's place at one lock.
class Story {
 public:
  Story(const RunBuilder& run, NameId owner, NameId lock) : run_(run), owner_(owner), lock_(lock) {}

  /// Reads all that happened before that moment.
  void read_until(const Moment& moment) {
    std::vector<std::uint64_t> orders;
    const Observations& seen = run_.observations;
    for (const QueueEvent& event : seen.queue_events) orders.push_back(event.at.order);
    for (const Wait& wait : seen.waits) orders.push_back(wait.until.order);
    for (const HoldChange& change : seen.hold_changes) orders.push_back(change.at.order);
    std::sort(orders.begin(), orders.end());
    for (const std::uint64_t order : orders) {
      if (order < moment.order) read(order);
    }
  }

  /// Since when it has its place; none: it has none.
  [[nodiscard]] std::optional<std::uint64_t> since() const { return since_; }

  /// The same for its own grant: the script that grants may have taken off a place that was
  /// forfeited, none before it.
  [[nodiscard]] std::optional<std::uint64_t> since_for_grant_at(const Moment& moment) const {
    return left_forfeited_ns_ && *left_forfeited_ns_ != moment.at_ns ? std::nullopt : since_;
  }

  /// Whether nobody may be granted the lock before it.
  [[nodiscard]] bool counts_at(const Moment& moment) const {
    return since_ && waited_on(moment) && !came_late_ && !took_itself_off_ && !left_forfeited_ns_ &&
           !is_silent(moment);
  }

 private:
  void forget() {
    since_.reset();
    left_forfeited_ns_.reset();
  }

  void read(std::uint64_t order) {
    for (const QueueEvent& event : run_.observations.queue_events) {
      if (is_ours(event) && event.at.order == order) read_event(event);
    }
    for (const Wait& wait : run_.observations.waits) {
      if (is_ours(wait) && wait.until.order == order && !is_there_) forget();
    }
    for (const HoldChange& change : run_.observations.hold_changes) {
      if (is_ours(change) && change.at.order == order && is_grant(change)) forget();
    }
  }

  void read_event(const QueueEvent& event) {
    const bool is_lost = event.kind == QueueEventKind::lost_with_failover;
    if (is_lost || event.kind == QueueEventKind::left) {
      is_there_ = false;
      const bool is_legitimate = came_late_ || is_silent(event.at) || !waited_on(event.at);
      if (is_lost || (is_legitimate && event.by != owner_)) {
        forget();
      } else if (is_legitimate && since_) {
        left_forfeited_ns_ = event.at.at_ns;
      } else if (event.by == owner_) {
        took_itself_off_ = true;
      }
      return;
    }
    if (left_forfeited_ns_) forget();
    if (is_silent(event.at)) came_late_ = true;
    const bool is_over = came_late_ || !waited_on(event.at);
    if (!since_ || (event.kind == QueueEventKind::entered && is_over)) {
      since_ = event.at.order;
      came_late_ = false;
    }
    contact_ = event.at.order;
    deadline_ns_ = event.deadline_ns;
    is_there_ = true;
    took_itself_off_ = false;
  }

  template <typename Observation>
  [[nodiscard]] bool is_ours(const Observation& observation) const {
    return observation.owner == owner_ && observation.lock == lock_;
  }

  /// Whether one wait has gone on since the last contact.
  [[nodiscard]] bool waited_on(const Moment& moment) const {
    for (const Wait& wait : run_.observations.waits) {
      if (is_ours(wait) && wait.from.order <= contact_ && moment.order < wait.until.order) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool is_silent(const Moment& moment) const {
    if (!since_ || deadline_ns_ == never_ns) return false;
    const TimeNs off_ns = moment.at_ns * run_.declared_drift_ppm / 1'000'000;
    return moment.at_ns + 2 * off_ns >= deadline_ns_;
  }

  const RunBuilder& run_;
  NameId owner_;
  NameId lock_;
  std::optional<std::uint64_t> since_;
  std::uint64_t contact_ = 0;
  TimeNs deadline_ns_ = never_ns;
  std::optional<TimeNs> left_forfeited_ns_;
  bool is_there_ = false;
  bool came_late_ = false;
  bool took_itself_off_ = false;
};

/// Whether the grant came before somebody whose place was earlier.
bool overtakes(const RunBuilder& run, const HoldChange& grant) {
  Story own(run, grant.owner, grant.lock);
  own.read_until(grant.at);
  const std::optional<std::uint64_t> own_since = own.since_for_grant_at(grant.at);
  for (std::uint32_t name = 0; name < run.names.size(); ++name) {
    if (NameId{name} == grant.owner) continue;
    Story other(run, NameId{name}, grant.lock);
    other.read_until(grant.at);
    const bool is_ahead = other.since() && (!own_since || *other.since() < *own_since);
    if (is_ahead && other.counts_at(grant.at)) return true;
  }
  return false;
}

void add_something(RunBuilder& run, std::int64_t ms) {
  const char* owner = any_owner();
  const char* lock = any_lock();
  const std::int64_t deadline_ms = below(2) == 0 ? -1 : ms + 1 + below(25);
  switch (below(9)) {
    case 0:
    case 1:
    case 2:
      return run.queue(QueueEventKind::entered, owner, ms, owner, deadline_ms, lock);
    case 3:
      return run.queue(QueueEventKind::seen, owner, ms, owner, deadline_ms, lock);
    case 4:
    case 5:
      return run.queue(QueueEventKind::left, owner, ms, any_owner(), -1, lock);
    case 6:
      if (below(3) > 0) return;
      return run.queue(QueueEventKind::lost_with_failover, owner, ms, "", -1, lock);
    default: {
      if (below(3) == 0) {  // the script that grants takes its owner off the queue
        run.queue(QueueEventKind::left, owner, ms, owner, -1, lock);
        --run.observations.queue_events.back().at.order;
      }
      const auto cause = below(8) == 0 ? ChangeCause::release : ChangeCause::acquire;
      return run.change(owner, owner, ms, below(8) == 0 ? 1 : 0, 1, cause, lock);
    }
  }
}

}  // namespace

RunBuilder random_queue() {
  RunBuilder run;
  for (std::size_t index = 0; index < queue_owners.size(); ++index) {
    for (const char* lock : locks) {
      const auto tie = static_cast<std::uint64_t>(1 + index);
      for (std::int64_t ms = below(10); ms < 70; ms += 1 + below(8)) {
        const std::int64_t until = ms + 5 + below(40);
        run.wait(queue_owners[index], ms, until,
                 below(2) == 0 ? WaitEnd::granted : WaitEnd::refused, lock);
        run.observations.waits.back().from.order += tie;
        run.observations.waits.back().until.order += tie;
        ms = until;
      }
    }
  }
  for (std::int64_t ms = 2; ms < 70; ms += 1 + below(3)) add_something(run, ms);
  if (below(3) == 0) run.declared_drift_ppm = below(100'000);
  return run;
}

std::size_t overtakings_by_brute_force(const RunBuilder& run) {
  std::size_t count = 0;
  for (const HoldChange& change : run.observations.hold_changes) {
    if (is_grant(change) && overtakes(run, change)) ++count;
  }
  return count;
}

}  // namespace lockstep::checker::testing
