#include "checker/properties/no_lost_wakeup.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "checker/check.h"
#include "checker/liveness_bounds.h"
#include "checker/properties/due.h"
#include "checker/text.h"

namespace lockstep::checker {
namespace {

/// Of what was recorded in order: what the waiter did in the span.
template <typename Attempts>
std::int64_t count_in(const Attempts& attempts, const WaitAnomaly& finding) {
  const auto first = std::ranges::partition_point(
      attempts, [&](const auto& each) { return each.at < finding.span.from; });
  const auto last = std::partition_point(
      first, attempts.end(), [&](const auto& each) { return each.at < finding.span.until; });
  return std::count_if(first, last,
                       [&](const auto& each) { return each.owner == thread_of(finding.wait()); });
}

/// What was there to be had: "lock "orders" was available", "2 permits of "orders" were available",
/// "latch "orders" was open".
std::string describe_available(const Run& run, Request request) {
  const Names& names = run.names;
  const Wait& wait = *request.front();
  const std::vector<LatchEvent>& latches = run.observations.latch_events;
  if (std::any_of(latches.begin(), latches.end(),
                  [&wait](const LatchEvent& each) { return each.lock == wait.lock; })) {
    return fmt::format("latch \"{}\" was open", name_of(names, wait.lock));
  }
  if (request.size() > 1) return fmt::format("{} were available", locks_of(names, request));
  if (wait.permits == 1) return fmt::format("{} was available", locks_of(names, request));
  return fmt::format("{} of \"{}\" were available", counted(wait.permits, "permit"),
                     name_of(names, wait.lock));
}

}  // namespace

void NoLostWakeup::judge(const Run& run, Verdict& verdict) {
  load(run);
  load_spans(run);
  wait_spans_.for_each_request([&](Request request) {
    judge_request(run, request);
    if (run.service == Service::in_order) let_wait_behind(request);
  });
  anomalies_.report([&](const WaitAnomaly& finding) { return describe(run, finding); }, verdict);
}

NoLostWakeup::Asked NoLostWakeup::asked_by(const Wait& wait) {
  return {wait.lock, wait.mode, wait.permits};
}

void NoLostWakeup::load(const Run& run) {
  const Observations& observations = run.observations;
  wait_spans_.load(observations);
  anomalies_.clear();
  asked_.clear();
  for (const Wait& wait : observations.waits) asked_.push_back(asked_by(wait));
  std::sort(asked_.begin(), asked_.end());
  asked_.erase(std::unique(asked_.begin(), asked_.end()), asked_.end());
  changes_.clear();
  for (const Availability& each : observations.availability) {
    changes_.push_back({each.lock, each.at, &each, 0});
  }
  if (run.service == Service::writers_first) load_waiting_writers(observations);
  std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return std::tuple(a.lock, a.at.order, a.availability, a.writers) <
           std::tuple(b.lock, b.at.order, b.availability, b.writers);
  });
  waited_until_.assign(run.names.size(), Moment{});
}

/// Who is left waiting waits on.
void NoLostWakeup::load_waiting_writers(const Observations& observations) {
  for (const Wait& wait : observations.waits) {
    if (wait.mode == HoldMode::shared || wait.is_hopeless) continue;
    changes_.push_back({wait.lock, wait.from, nullptr, 1});
    if (wait.end != WaitEnd::run_over) changes_.push_back({wait.lock, wait.until, nullptr, -1});
  }
}

void NoLostWakeup::load_spans(const Run& run) {
  grantable_spans_.clear(run.liveness.wakeup_ns);
  for (const Asked& asked : asked_) {
    grantable_spans_.begin_list();
    load_spans_of(asked, run.service);
  }
}

void NoLostWakeup::load_spans_of(const Asked& asked, Service service) {
  const bool shares = asked.mode == HoldMode::shared;
  const bool yields_to_writers = shares && service == Service::writers_first;
  std::int64_t available = 0;
  std::int64_t writers = 0;
  auto each = std::partition_point(changes_.begin(), changes_.end(),
                                   [&](const Change& change) { return change.lock < asked.lock; });
  for (; each != changes_.end() && each->lock == asked.lock; ++each) {
    if (each->availability != nullptr) {
      available = shares ? each->availability->shared : each->availability->exclusive;
    } else if (yields_to_writers) {
      writers += each->writers;
    }
    if (available >= asked.permits && writers == 0) {
      grantable_spans_.open(each->at);
    } else {
      grantable_spans_.close(each->at);
    }
  }
}

/// When the last has waited who came before it; at once where the lock does not serve in order.
Moment NoLostWakeup::turn_of(Request request) const {
  Moment turn;
  for (const Wait* wait : request) {
    turn = later_of(turn, waited_until_[static_cast<std::size_t>(wait->lock)]);
  }
  return turn;
}

void NoLostWakeup::let_wait_behind(Request request) {
  for (const Wait* wait : request) {
    if (wait->is_hopeless) continue;
    Moment& until = waited_until_[static_cast<std::size_t>(wait->lock)];
    until = later_of(until, wait->until);
  }
}

void NoLostWakeup::judge_request(const Run& run, Request request) {
  lists_.clear();
  for (const Wait* wait : request) {
    const auto place = std::lower_bound(asked_.begin(), asked_.end(), asked_by(*wait));
    lists_.push_back(static_cast<std::uint32_t>(place - asked_.begin()));
  }
  std::optional<Span> found;
  const Wait& wait = *request.front();
  const Moment turn = turn_of(request);
  wait_spans_.for_each_span(wait, [&](const Span& wait_span) {
    const Span in_turn = {later_of(wait_span.from, turn), wait_span.until};
    found = grantable_spans_.first_overlap_beyond_bound(lists_, in_turn);
    return found.has_value();
  });
  if (found) {
    anomalies_.add({request, WaitAnomalyKind::bound_broken, *found});
  } else if (const std::optional<Span> late = overdue(run, wait)) {
    anomalies_.add({request, WaitAnomalyKind::overdue, *late});
  } else if (wait_spans_.is_stranded(wait) && turn < wait.until) {
    const std::optional<Moment> since = grantable_spans_.open_since(lists_);
    if (!since) return;
    WaitAnomaly stranded = {
        .request = request,
        .span = {later_of(*since, later_of(wait.from, turn)), wait.until},
    };
    stranded.fault = kind_of_stranded(run, stranded);
    anomalies_.add(stranded);
  }
}

std::int64_t NoLostWakeup::requests_in(const Run& run, const WaitAnomaly& finding) {
  return count_in(run.observations.requests, finding);
}

/// Somebody died with the lock, or as it waited: a queue may refuse all others until it forgets it.
bool NoLostWakeup::has_dead(const Observations& observations, NameId lock) {
  return std::ranges::any_of(observations.waits,
                             [lock](const Wait& each) {
                               return each.lock == lock && each.end == WaitEnd::crashed;
                             }) ||
         std::ranges::any_of(observations.beliefs, [lock](const Belief& each) {
           return each.lock == lock && each.end == BeliefEnd::crashed;
         });
}

/// A queue, or a vote, may refuse what is available for a while. Who asks one after the other is
/// soon past that; a hundred nodes may be asked at once, which takes no time.
WaitAnomalyKind NoLostWakeup::kind_of_stranded(const Run& run, const WaitAnomaly& finding) {
  constexpr std::int64_t requests = 400;
  constexpr std::int64_t hops = 200;
  if (run.observations.came_to_rest) return WaitAnomalyKind::stranded_at_rest;
  const bool may_be_refused = run.observations.has_fault_struck ||
                              has_dead(run.observations, finding.wait().lock) ||
                              finding.span.length_ns() < hops * run.slowest_hop_ns;
  return !may_be_refused && requests_in(run, finding) >= requests ? WaitAnomalyKind::asked_in_vain
                                                                  : WaitAnomalyKind::unfinished;
}

/// From its beginning to where it was late for too long without a stop; none: it ended in time.
std::optional<Span> NoLostWakeup::overdue(const Run& run, const Wait& wait) const {
  const TimeNs bound_ns = slack_of_tries_ns(run.liveness, run.slowest_hop_ns);
  if (!wait.limit_ns || run.observations.has_fault_struck) return std::nullopt;
  const TimeNs due_ns = wait.from.at_ns + due_after_ns(*wait.limit_ns);
  std::optional<Span> found;
  wait_spans_.for_each_span(wait, [&](const Span& span) {
    const TimeNs late_ns = span.until.at_ns - std::max(span.from.at_ns, due_ns);
    if (late_ns > bound_ns) found = Span{wait.from, span.until};
    return found.has_value();
  });
  return found;
}

/// How often the waiter asked meanwhile, or tried to: ", and sent 4 requests meanwhile". Who does
/// doesn't sleep; empty: it slept.
std::string NoLostWakeup::attempts_in(const Run& run, const WaitAnomaly& finding) {
  if (const std::int64_t sent = requests_in(run, finding); sent > 0) {
    return fmt::format(", and sent {} meanwhile", counted(sent, "request"));
  }
  const std::int64_t given_up = count_in(run.observations.calls_given_up, finding);
  if (given_up == 0) return {};
  return fmt::format(", and gave up {} meanwhile", counted(given_up, "call"));
}

std::string NoLostWakeup::describe(const Run& run, const WaitAnomaly& finding) {
  const std::string waiter = holder_name(run.names, thread_of(finding.wait()), finding.wait().mode);
  const std::string available = describe_available(run, finding.request);
  const std::string length = milliseconds(finding.span.length_ns());
  const std::string asked = attempts_in(run, finding);
  switch (finding.fault) {
    case WaitAnomalyKind::bound_broken:
      return fmt::format("{} {} on for {} (from {} to {}) though {}{}; {} is the bound", waiter,
                         asked.empty() ? "slept" : "waited", length,
                         milliseconds(finding.span.from.at_ns),
                         milliseconds(finding.span.until.at_ns), available, asked,
                         milliseconds(run.liveness.wakeup_ns));
    case WaitAnomalyKind::overdue:
      return fmt::format(
          "{} tried for {} for {} (from {} to {}){}, though it was to wait for {} at most", waiter,
          locks_of(run.names, finding.request), length, milliseconds(finding.span.from.at_ns),
          milliseconds(finding.span.until.at_ns), asked, milliseconds(*finding.wait().limit_ns));
    case WaitAnomalyKind::stranded_at_rest:
      return fmt::format("{} was left {} when the run came to rest at {}, though {} since {}{}",
                         waiter, asked.empty() ? "asleep" : "waiting",
                         milliseconds(finding.span.until.at_ns), available,
                         milliseconds(finding.span.from.at_ns), asked);
    case WaitAnomalyKind::asked_in_vain:
      return fmt::format("{} waited on for {} though {}{}, when the run was cut off at {}", waiter,
                         length, available, asked, milliseconds(finding.span.until.at_ns));
    case WaitAnomalyKind::unfinished:
      return fmt::format(
          "the run was cut off when {} had {} on for {} though {}{}: too early to tell", waiter,
          asked.empty() ? "slept" : "waited", length, available, asked);
    case WaitAnomalyKind::stranded_in_ring:  // not judged here
      break;
  }
  return {};
}

}  // namespace lockstep::checker
