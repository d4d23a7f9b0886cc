#include "checker/no_deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "checker/text.h"

namespace lockstep::checker {

void NoDeadlock::judge(const Run& run, Verdict& verdict) {
  const Observations& observations = run.observations;
  load(observations);
  std::size_t step = 0;
  NameId lock = no_name;
  for (const Wait* wait : waits_) {
    if (wait->lock != lock) {
      lock = wait->lock;
      step = load_spans(step, lock, run.liveness.progress_ns);
    }
    judge_wait(*wait, observations.came_to_rest);
  }
  if (observations.came_to_rest) judge_rest(observations);
  findings_.report([&](const WaitFinding& finding) { return describe(run, finding); }, verdict);
}

void NoDeadlock::load(const Observations& observations) {
  stretches_.load(observations);
  findings_.clear();
  steps_.clear();
  kept_.clear();
  for (const Belief& belief : observations.beliefs) {
    if (belief.end == BeliefEnd::run_over) kept_.push_back(&belief);
    steps_.push_back({belief.lock, belief.from, StepKind::belief_begins});
    if (belief.end != BeliefEnd::run_over) {
      steps_.push_back({belief.lock, belief.until, StepKind::belief_ends});
    }
  }
  waits_.clear();
  for (const Wait& wait : observations.waits) {
    waits_.push_back(&wait);
    if (wait.end == WaitEnd::granted) steps_.push_back({wait.lock, wait.until, StepKind::grant});
  }
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
    return std::tuple(a.lock, a.at.order, a.kind) < std::tuple(b.lock, b.at.order, b.kind);
  });
  std::sort(waits_.begin(), waits_.end(), [](const Wait* a, const Wait* b) {
    return std::tuple(a->lock, a->from.order, a) < std::tuple(b->lock, b->from.order, b);
  });
}

/// Those of the lock, whose steps begin at `step` or later; where the next lock's begin.
std::size_t NoDeadlock::load_spans(std::size_t step, NameId lock, TimeNs bound_ns) {
  while (step < steps_.size() && steps_[step].lock < lock) ++step;
  spans_.clear(bound_ns);
  spans_.open(Moment{});
  std::int64_t believers = 0;
  for (; step < steps_.size() && steps_[step].lock == lock; ++step) {
    const Step& each = steps_[step];
    if (each.kind == StepKind::belief_begins) ++believers;
    if (each.kind == StepKind::belief_ends) --believers;
    if (believers > 0 || each.kind == StepKind::grant) spans_.close(each.at);
    if (believers == 0) spans_.open(each.at);
  }
  spans_.seal();
  return step;
}

void NoDeadlock::judge_wait(const Wait& wait, bool came_to_rest) {
  std::optional<Span> found;
  stretches_.for_each(wait, [&](const Span& stretch) {
    found = spans_.first_too_long(stretch);
    return found.has_value();
  });
  const std::optional<Moment> since = spans_.open_since();
  if (found) {
    findings_.add({&wait, WaitFault::bound_broken, *found});
  } else if (stretches_.is_left(wait) && since && !came_to_rest) {
    findings_.add({&wait, WaitFault::unfinished, {later_of(*since, wait.from), wait.until}});
  }
}

/// Adds those left waiting that aren't told of already.
void NoDeadlock::judge_rest(const Observations& observations) {
  left_.clear();
  for (const Wait& wait : observations.waits) {
    if (stretches_.is_left(wait)) left_.push_back({&wait});
  }
  for (bool changed = !left_.empty(); changed;) {
    changed = false;
    for (Left& left : left_) {
      if (left.excused) continue;
      left.excused = std::any_of(kept_.begin(), kept_.end(), [&](const Belief* belief) {
        return belief->lock == left.wait->lock && can_go_on(belief->owner);
      });
      changed = changed || left.excused;
    }
  }
  for (const Left& left : left_) {
    if (left.excused || findings_.tells_of(*left.wait)) continue;
    findings_.add({left.wait, WaitFault::left_at_rest, {left.wait->from, left.wait->until}});
  }
}

bool NoDeadlock::can_go_on(NameId owner) const {
  return std::none_of(left_.begin(), left_.end(),
                      [&](const Left& left) { return left.wait->owner == owner && !left.excused; });
}

const Belief* NoDeadlock::holder_of(const Wait& wait) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Belief* belief) { return belief->lock == wait.lock; });
  return found == kept_.end() ? nullptr : *found;
}

std::string NoDeadlock::describe(const Run& run, const WaitFinding& finding) const {
  const Wait& wait = *finding.wait;
  const std::string waiter = holder_name(run.names, wait.owner, wait.mode);
  const std::string_view lock = name_of(run.names, wait.lock);
  if (finding.fault == WaitFault::bound_broken) {
    return fmt::format(
        "{} waited for lock \"{}\" for {} (from {} to {}) while nobody believed to hold it and "
        "nobody was granted it; {} is the bound",
        waiter, lock, milliseconds(finding.span.length_ns()), milliseconds(finding.span.from.at_ns),
        milliseconds(finding.span.until.at_ns), milliseconds(run.liveness.progress_ns));
  }
  if (finding.fault == WaitFault::unfinished) {
    return fmt::format(
        "the run was cut off while {} had waited for lock \"{}\" for {} that nobody believed to "
        "hold it: too early to tell",
        waiter, lock, milliseconds(finding.span.length_ns()));
  }
  const Belief* holder = holder_of(wait);
  std::string why = "nobody believed to hold it";
  if (holder != nullptr && holder->owner == wait.owner) {
    why = "it was itself the one that held it";
  } else if (holder != nullptr) {
    why = fmt::format("{}, which held it, was left waiting too", name_of(run.names, holder->owner));
  }
  return fmt::format("{} still waited for lock \"{}\" when the run came to rest at {}, and {}",
                     waiter, lock, milliseconds(wait.until.at_ns), why);
}

}  // namespace lockstep::checker
