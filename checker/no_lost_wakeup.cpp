#include "checker/no_lost_wakeup.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "checker/text.h"

namespace lockstep::checker {
namespace {

/// Waits for which the same is enough.
bool ask_for_the_same(const Wait& a, const Wait& b) {
  return a.lock == b.lock && a.mode == b.mode && a.permits == b.permits;
}

}  // namespace

void NoLostWakeup::judge(const Run& run, Verdict& verdict) {
  load(run.observations);
  const Wait* before = nullptr;
  for (const Wait* wait : waits_) {
    if (before == nullptr || !ask_for_the_same(*before, *wait)) {
      load_spans(*wait, run.liveness.wakeup_ns);
    }
    judge_wait(*wait, run.observations.came_to_rest);
    before = wait;
  }
  findings_.report([&](const WaitFinding& finding) { return describe(run, finding); }, verdict);
}

void NoLostWakeup::load(const Observations& observations) {
  stretches_.load(observations);
  findings_.clear();
  waits_.clear();
  for (const Wait& wait : observations.waits) waits_.push_back(&wait);
  std::sort(waits_.begin(), waits_.end(), [](const Wait* a, const Wait* b) {
    return std::tuple(a->lock, a->mode, a->permits, a->from.order, a) <
           std::tuple(b->lock, b->mode, b->permits, b->from.order, b);
  });
  availability_.clear();
  for (const Availability& each : observations.availability) availability_.push_back(&each);
  std::sort(availability_.begin(), availability_.end(),
            [](const Availability* a, const Availability* b) {
              return std::tuple(a->lock, a->at.order, a) < std::tuple(b->lock, b->at.order, b);
            });
}

/// The spans in which as much was available as the wait asks for.
void NoLostWakeup::load_spans(const Wait& wait, TimeNs bound_ns) {
  spans_.clear(bound_ns);
  auto each = std::partition_point(
      availability_.begin(), availability_.end(),
      [&](const Availability* availability) { return availability->lock < wait.lock; });
  for (; each != availability_.end() && (*each)->lock == wait.lock; ++each) {
    const bool shares = wait.mode == HoldMode::shared;
    const std::int64_t available = shares ? (*each)->shared : (*each)->exclusive;
    if (available >= wait.permits) {
      spans_.open((*each)->at);
    } else {
      spans_.close((*each)->at);
    }
  }
  spans_.seal();
}

void NoLostWakeup::judge_wait(const Wait& wait, bool came_to_rest) {
  std::optional<Span> found;
  stretches_.for_each(wait, [&](const Span& stretch) {
    found = spans_.first_too_long(stretch);
    return found.has_value();
  });
  const std::optional<Moment> since = spans_.open_since();
  if (found) {
    findings_.add({&wait, WaitFault::bound_broken, *found});
  } else if (stretches_.is_left(wait) && since) {
    const WaitFault fault = came_to_rest ? WaitFault::left_at_rest : WaitFault::unfinished;
    findings_.add({&wait, fault, {later_of(*since, wait.from), wait.until}});
  }
}

std::string NoLostWakeup::describe(const Run& run, const WaitFinding& finding) {
  const Wait& wait = *finding.wait;
  const std::string waiter = holder_name(run.names, wait.owner, wait.mode);
  const std::string_view lock = name_of(run.names, wait.lock);
  const std::string available =
      wait.permits == 1
          ? fmt::format("lock \"{}\" was available", lock)
          : fmt::format("{} of \"{}\" were available", counted(wait.permits, "permit"), lock);
  const std::string length = milliseconds(finding.span.length_ns());
  switch (finding.fault) {
    case WaitFault::bound_broken:
      return fmt::format("{} slept on for {} (from {} to {}) though {}; {} is the bound", waiter,
                         length, milliseconds(finding.span.from.at_ns),
                         milliseconds(finding.span.until.at_ns), available,
                         milliseconds(run.liveness.wakeup_ns));
    case WaitFault::left_at_rest:
      return fmt::format("{} was left asleep when the run came to rest at {}, though {} since {}",
                         waiter, milliseconds(finding.span.until.at_ns), available,
                         milliseconds(finding.span.from.at_ns));
    case WaitFault::unfinished:
      return fmt::format(
          "the run was cut off when {} had slept on for {} though {}: too early to "
          "tell",
          waiter, length, available);
  }
  return {};
}

}  // namespace lockstep::checker
