#include "checker/properties/no_deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "checker/check.h"
#include "checker/liveness_bounds.h"
#include "checker/text.h"

namespace lockstep::checker {

void NoDeadlock::judge(const Run& run, Verdict& verdict) {
  load(run);
  load_spans(run);
  const bool came_to_rest = run.observations.came_to_rest;
  wait_spans_.for_each_request([&](Request request) { judge_request(request, came_to_rest); });
  find_excuses();
  if (came_to_rest) {
    judge_rest();
  } else {
    judge_rings(run);
  }
  anomalies_.report([&](const WaitAnomaly& finding) { return describe(run, finding); }, verdict);
}

void NoDeadlock::load(const Run& run) {
  const Observations& observations = run.observations;
  wait_spans_.load(observations);
  anomalies_.clear();
  stranded_.clear();
  kept_.clear();
  steps_.clear();
  for (const Belief& belief : observations.beliefs) {
    steps_.push_back({belief.lock, belief.from, StepKind::belief_begins});
    if (belief.end == BeliefEnd::run_over) {
      kept_.push_back(&belief);
    } else {
      steps_.push_back({belief.lock, belief.until, StepKind::belief_ends});
    }
  }
  dead_leases_.clear();
  dead_finder_.find(run, dead_leases_);
  for (const DeadLease& lease : dead_leases_) {
    steps_.push_back({lease.lock, lease.from, StepKind::belief_begins});
    if (lease.until) steps_.push_back({lease.lock, *lease.until, StepKind::belief_ends});
  }
  for (const Wait& wait : observations.waits) {
    if (wait.end == WaitEnd::granted) steps_.push_back({wait.lock, wait.until, StepKind::grant});
  }
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
    return std::tuple(a.lock, a.at.order, a.kind) < std::tuple(b.lock, b.at.order, b.kind);
  });
}

/// One list for each name, with its number; those of owners are never asked for.
void NoDeadlock::load_spans(const Run& run) {
  grantable_spans_.clear(run.liveness.progress_ns);
  auto step = steps_.begin();
  for (std::size_t name = 0; name < run.names.size(); ++name) {
    grantable_spans_.begin_list();
    grantable_spans_.open(Moment{});
    std::int64_t believers = 0;
    for (; step != steps_.end() && step->lock == static_cast<NameId>(name); ++step) {
      if (step->kind == StepKind::belief_begins) ++believers;
      if (step->kind == StepKind::belief_ends) --believers;
      if (believers > 0 || step->kind == StepKind::grant) grantable_spans_.close(step->at);
      if (believers == 0) grantable_spans_.open(step->at);
    }
  }
}

void NoDeadlock::judge_request(Request request, bool came_to_rest) {
  lists_.clear();
  for (const Wait* wait : request) lists_.push_back(static_cast<std::uint32_t>(wait->lock));
  std::optional<Span> found;
  const Wait& wait = *request.front();
  wait_spans_.for_each_span(wait, [&](const Span& wait_span) {
    found = grantable_spans_.first_overlap_beyond_bound(lists_, wait_span);
    return found.has_value();
  });
  const bool is_stranded = wait_spans_.is_stranded(wait);
  const bool waits_for_ever = came_to_rest || !wait.limit_ns;
  if (is_stranded && waits_for_ever) {
    stranded_.push_back({.request = request, .since = wait_spans_.healed_or(wait.from)});
  }
  if (found) {
    anomalies_.add({request, WaitAnomalyKind::bound_broken, *found});
  } else if (is_stranded && !came_to_rest) {
    const std::optional<Moment> since = grantable_spans_.open_since(lists_);
    if (!since) return;
    anomalies_.add(
        {request, WaitAnomalyKind::unfinished, {later_of(*since, wait.from), wait.until}});
  }
}

/// Who waits for somebody that can go on is excused.
void NoDeadlock::find_excuses() {
  for (bool changed = !stranded_.empty(); changed;) {
    changed = false;
    for (StrandedRequest& left : stranded_) {
      if (left.excused) continue;
      left.excused = std::any_of(kept_.begin(), kept_.end(), [&](const Belief* belief) {
        return asks_for(left.request, belief->lock) && can_go_on(thread_of(*belief));
      });
      changed = changed || left.excused;
    }
  }
}

/// Of those left, the ones that nothing excuses and that aren't told of already.
void NoDeadlock::judge_rest() {
  for (const StrandedRequest& left : stranded_) {
    if (left.excused || anomalies_.contains(left.request)) continue;
    const Wait& wait = *left.request.front();
    anomalies_.add({left.request, WaitAnomalyKind::stranded_at_rest, {wait.from, wait.until}});
  }
}

/// Of those that waited when the run was cut off, the ones whose holders would never have gone on.
void NoDeadlock::judge_rings(const Run& run) {
  find_beginnings();
  for (const StrandedRequest& left : stranded_) {
    if (left.excused || anomalies_.contains(left.request)) continue;
    // A ring comes apart where a lease ends.
    const bool is_for_good = is_held_for_good(run.observations, left);
    if (!is_for_good && !is_held_still(run.observations, left)) continue;
    const Span span{left.since, left.request.front()->until};
    const bool is_long = is_for_good && span.length_ns() > run.liveness.progress_ns;
    anomalies_.add({left.request,
                    is_long ? WaitAnomalyKind::stranded_in_ring : WaitAnomalyKind::unfinished,
                    span});
  }
}

/// A wait is for good from the moment on at which all whom it waits for hold, and wait for good
/// themselves. As many rounds as threads wait, at most.
void NoDeadlock::find_beginnings() {
  for (bool changed = true; changed;) {
    changed = false;
    for (StrandedRequest& left : stranded_) {
      if (left.excused) continue;
      for (const Belief* belief : kept_) {
        if (!asks_for(left.request, belief->lock)) continue;
        Moment since = later_of(left.since, belief->from);
        for (const StrandedRequest& other : stranded_) {
          if (thread_of(*other.request.front()) == thread_of(*belief))
            since = later_of(since, other.since);
        }
        changed = changed || left.since < since;
        left.since = since;
      }
    }
  }
}

/// Whether somebody believes to hold what is waited for, and what its lease did last is as asked;
/// nothing, where it has none.
template <typename Condition>
bool NoDeadlock::is_held(const Observations& observations, const StrandedRequest& left,
                         Condition is_so) const {
  return std::any_of(kept_.begin(), kept_.end(), [&](const Belief* belief) {
    if (!asks_for(left.request, belief->lock)) return false;
    const auto& leases = observations.lease_changes;
    const auto last = std::find_if(leases.rbegin(), leases.rend(), [&](const LeaseChange& change) {
      return change.lock == belief->lock &&
             (change.owner == no_name || change.owner == belief->owner);
    });
    return last == leases.rend() || last->ends_ns == never_ns || is_so(*last);
  });
}

/// … and no lease of it ends that nobody has renewed meanwhile.
bool NoDeadlock::is_held_for_good(const Observations& observations,
                                  const StrandedRequest& left) const {
  return is_held(observations, left, [&left](const LeaseChange& last) {
    return last.ends_ns != 0 && left.since < last.at;
  });
}

/// … and the lease had not ended when the run did.
bool NoDeadlock::is_held_still(const Observations& observations,
                               const StrandedRequest& left) const {
  return is_held(observations, left, [&observations](const LeaseChange& last) {
    return last.ends_ns > observations.ended.at_ns;
  });
}

bool NoDeadlock::can_go_on(NameId thread) const {
  return std::none_of(stranded_.begin(), stranded_.end(), [&](const StrandedRequest& left) {
    return thread_of(*left.request.front()) == thread && !left.excused;
  });
}

bool NoDeadlock::asks_for(Request request, NameId lock) {
  return std::any_of(request.begin(), request.end(),
                     [&](const Wait* wait) { return wait->lock == lock; });
}

std::string NoDeadlock::describe(const Run& run, const WaitAnomaly& finding) const {
  const Wait& wait = finding.wait();
  const std::string waiter = holder_name(run.names, thread_of(wait), wait.mode);
  const std::string locks = locks_of(run.names, finding.request);
  const std::string_view it = finding.request.size() == 1 ? "it" : "them";
  const std::string length = milliseconds(finding.span.length_ns());
  switch (finding.fault) {
    case WaitAnomalyKind::bound_broken:
      return fmt::format(
          "{} waited for {} for {} (from {} to {}) while nobody believed to hold {} and nobody was "
          "granted {}; {} is the bound",
          waiter, locks, length, milliseconds(finding.span.from.at_ns),
          milliseconds(finding.span.until.at_ns), it, it, milliseconds(run.liveness.progress_ns));
    case WaitAnomalyKind::stranded_at_rest:
      return fmt::format("{} still waited for {} when the run came to rest at {}, and {}", waiter,
                         locks, milliseconds(wait.until.at_ns),
                         why_stranded(run.names, finding.request));
    case WaitAnomalyKind::stranded_in_ring:
      return fmt::format(
          "{} had waited for {} for {} when the run was cut off at {}, and {}; {} is the bound",
          waiter, locks, length, milliseconds(wait.until.at_ns),
          why_stranded(run.names, finding.request), milliseconds(run.liveness.progress_ns));
    case WaitAnomalyKind::unfinished:
      return fmt::format(
          "the run was cut off when {} had waited for {} for {}, and {}: too early "
          "to tell",
          waiter, locks, length, why_stranded(run.names, finding.request));
    case WaitAnomalyKind::overdue:  // not judged here
    case WaitAnomalyKind::asked_in_vain:
      break;
  }
  return {};
}

std::string NoDeadlock::why_stranded(const Names& names, Request request) const {
  const auto holder = std::find_if(kept_.begin(), kept_.end(), [&](const Belief* belief) {
    return asks_for(request, belief->lock);
  });
  if (holder == kept_.end()) {
    return request.size() == 1 ? "nobody believed to hold it" : "nobody believed to hold any";
  }
  const NameId thread = thread_of(**holder);
  const std::string_view lock = name_of(names, (*holder)->lock);
  if (thread == thread_of(*request.front())) return fmt::format("held \"{}\" itself", lock);
  return fmt::format("{}, which held \"{}\", was left waiting too", name_of(names, thread), lock);
}

}  // namespace lockstep::checker
