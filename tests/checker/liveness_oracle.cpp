#include "liveness_oracle.h"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "checker/history.h"
#include "checker/liveness_bounds.h"
#include "checker/observations.h"
#include "checker/verdict.h"

namespace lockstep::checker::testing {
namespace {

constexpr std::int64_t run_length_ms = 60;
constexpr std::array waiters{"a/1", "b/1", "c/1"};
constexpr std::array wanted_locks{"orders", "stock"};

std::int64_t draw_below(std::int64_t bound) { return *rc::gen::inRange<std::int64_t>(0, bound); }

const char* any_waiter() { return waiters[static_cast<std::size_t>(draw_below(waiters.size()))]; }
const char* any_wanted_lock() {
  return wanted_locks[static_cast<std::size_t>(draw_below(wanted_locks.size()))];
}

std::int64_t ms_of(const Moment& moment) { return moment.at_ns / ns_per_ms; }

void add_waits(RunBuilder& run) {
  for (const char* owner : waiters) {
    for (std::int64_t ms = draw_below(20); ms < run_length_ms; ms += 1 + draw_below(10)) {
      const bool is_left = draw_below(3) == 0;
      const std::int64_t until = is_left ? run_length_ms : ms + 1 + draw_below(run_length_ms - ms);
      const bool is_over = until == run_length_ms;
      const WaitEnd end = is_over              ? WaitEnd::run_over
                          : draw_below(6) == 0 ? WaitEnd::crashed
                          : draw_below(3) == 0 ? WaitEnd::refused
                                               : WaitEnd::granted;
      const HoldMode mode = draw_below(3) == 0 ? HoldMode::shared : HoldMode::exclusive;
      const bool asks_for_both = draw_below(4) == 0;
      const bool is_hopeless = draw_below(6) == 0;
      std::optional<TimeNs> limit_ns;
      if (draw_below(2) > 0) limit_ns = 10 * draw_below(4) * ns_per_ms;
      const char* lock = any_wanted_lock();
      for (const char* each : wanted_locks) {
        if (asks_for_both || each == lock) {
          run.wait(owner, ms, until, end, each, mode, 1 + draw_below(3));
          run.observations.waits.back().is_hopeless = is_hopeless;
          run.observations.waits.back().limit_ns = limit_ns;
        }
      }
      if (is_over) break;
      ms = until;
    }
  }
}

/// An owner's beliefs in one lock come one after the other.
void add_beliefs(RunBuilder& run) {
  for (const char* owner : waiters) {
    for (const char* lock : wanted_locks) {
      for (std::int64_t ms = draw_below(40); ms < run_length_ms; ms += 1 + draw_below(20)) {
        const std::int64_t until = ms + draw_below(20);
        const bool is_over = until >= run_length_ms;
        run.believe(owner, at_ms(ms), at_ms(std::min(until, run_length_ms)),
                    is_over              ? BeliefEnd::run_over
                    : draw_below(3) == 0 ? BeliefEnd::crashed
                                         : BeliefEnd::released,
                    lock);
        ms = until;
      }
    }
  }
}

void add_leases(RunBuilder& run) {
  for (std::int64_t ms = 0; ms < run_length_ms; ms += 1 + draw_below(8)) {
    const std::int64_t kind = draw_below(8);
    const std::int64_t ends_ms = kind == 0 ? -1 : kind < 3 ? 0 : ms + draw_below(30);
    const char* owner = draw_below(4) == 0 ? any_waiter() : "";
    const char* by = draw_below(3) == 0 ? "" : any_waiter();
    run.lease(ms, ends_ms, owner, any_wanted_lock(), by, draw_below(2) == 0);
  }
}

bool is_stopped(const RunBuilder& run, NameId owner, std::int64_t ms) {
  for (const Stop& stop : run.observations.stops) {
    if (stop.owner == owner && ms_of(stop.from) <= ms && ms < ms_of(stop.until)) return true;
  }
  return false;
}

bool is_stopped_for_good(const RunBuilder& run, NameId owner) {
  for (const Stop& stop : run.observations.stops) {
    if (stop.owner == owner && ms_of(stop.until) == run_length_ms) return true;
  }
  return false;
}

bool is_believed(const RunBuilder& run, NameId lock, std::int64_t ms) {
  for (const Belief& belief : run.observations.beliefs) {
    if (belief.lock != lock || ms < ms_of(belief.from)) continue;
    if (ms < ms_of(belief.until) || belief.end == BeliefEnd::run_over) return true;
  }
  return false;
}

/// Whether the change says that the lock has a lease, and one that ends.
bool gives_lease(const LeaseChange& change) {
  return change.ends_ns != never_ns && change.ends_ns > change.at.at_ns;
}

struct OwnersDeath {
  std::int64_t ms;
  bool believed;  ///< that it had the lock
};

std::optional<OwnersDeath> death_of(const RunBuilder& run, NameId owner, NameId lock) {
  for (const Belief& belief : run.observations.beliefs) {
    const bool is_its_own = belief.owner == owner && belief.lock == lock;
    if (is_its_own && belief.end == BeliefEnd::crashed)
      return OwnersDeath{ms_of(belief.until), true};
  }
  for (const Wait& wait : run.observations.waits) {
    const bool is_its_own = wait.owner == owner && wait.lock == lock;
    if (is_its_own && wait.end == WaitEnd::crashed) return OwnersDeath{ms_of(wait.until), false};
  }
  return std::nullopt;
}

/// The latest end that the owner's own requests had given a lease of the lock by the time of the
/// change, itself included.
TimeNs given_by(const RunBuilder& run, NameId owner, const LeaseChange& by_then) {
  TimeNs latest_ns = 0;
  for (const LeaseChange& change : run.observations.lease_changes) {
    const bool is_anothers = change.owner != no_name && change.owner != owner;
    if (change.lock != by_then.lock || is_anothers || change.by != owner) continue;
    if (!(by_then.at < change.at)) latest_ns = std::max(latest_ns, change.ends_ns);
  }
  return latest_ns;
}

/// Whether at that millisecond the lock is the owner's that has died, by a lease. Who leaves it a
/// lease that is no longer than what it had renews nothing, so that it ends by itself.
bool is_left_behind(const RunBuilder& run, NameId owner, NameId lock, std::int64_t ms) {
  const std::optional<OwnersDeath> death = death_of(run, owner, lock);
  if (!death || ms < death->ms) return false;
  bool has_it = false;
  bool lasts = false;
  for (const LeaseChange& change : run.observations.lease_changes) {
    const bool is_anothers = change.owner != no_name && change.owner != owner;
    if (change.lock != lock || is_anothers || ms_of(change.at) > ms) continue;
    lasts = gives_lease(change);
    if (ms_of(change.at) < death->ms) {
      const bool outlives = lasts && change.ends_ns > death->ms * ns_per_ms;
      has_it = outlives && (death->believed || change.by == owner);
    } else if (change.by == owner) {
      has_it = change.ends_ns != 0;
    } else {
      const bool is_left_to_it = change.ends_ns <= given_by(run, owner, change);
      // As of a reader that goes after one whose lease was longer. (No hold of it was seen to end.)
      if (death->believed && is_left_to_it && lasts && !change.by_holder) has_it = true;
      if (change.by == no_name) continue;
      has_it = has_it && (change.by_holder || is_left_to_it) && change.ends_ns != 0;
    }
  }
  return has_it && lasts;
}

bool is_left_behind(const RunBuilder& run, NameId lock, std::int64_t ms) {
  for (std::size_t name = 0; name < run.names.size(); ++name) {
    if (is_left_behind(run, static_cast<NameId>(name), lock, ms)) return true;
  }
  return false;
}

/// Whether a wait for the lock is granted, or a belief in it begins, at that millisecond.
bool is_granted(const RunBuilder& run, NameId lock, std::int64_t ms) {
  for (const Wait& wait : run.observations.waits) {
    if (wait.lock == lock && wait.end == WaitEnd::granted && ms_of(wait.until) == ms) return true;
  }
  return false;
}

bool is_available(const RunBuilder& run, const Wait& wait, std::int64_t ms) {
  std::int64_t amount = 0;
  for (const Availability& each : run.observations.availability) {
    if (each.lock != wait.lock || ms_of(each.at) > ms) continue;
    amount = wait.mode == HoldMode::shared ? each.shared : each.exclusive;
  }
  return amount >= wait.permits;
}

/// Whether somebody waits at that millisecond to whom the lock gives what is available first.
bool is_another_first(const RunBuilder& run, const Wait& wait, std::int64_t ms) {
  for (const Wait& other : run.observations.waits) {
    const bool is_left = ms_of(other.until) == run_length_ms;
    const bool waits = ms_of(other.from) <= ms && (ms < ms_of(other.until) || is_left);
    if (other.lock != wait.lock || !waits || other.is_hopeless) continue;
    const bool is_earlier =
        std::pair(ms_of(other.from), other.owner) < std::pair(ms_of(wait.from), wait.owner);
    if (run.service == Service::in_order && is_earlier) return true;
    const bool is_writer_before_reader =
        other.mode == HoldMode::exclusive && wait.mode == HoldMode::shared;
    if (run.service == Service::writers_first && is_writer_before_reader) return true;
  }
  return false;
}

/// The waits of the same step.
std::vector<const Wait*> request_of(const RunBuilder& run, const Wait& wait) {
  std::vector<const Wait*> request;
  for (const Wait& each : run.observations.waits) {
    if (each.owner == wait.owner && each.from == wait.from) request.push_back(&each);
  }
  return request;
}

bool is_first_of_request(const RunBuilder& run, const Wait& wait) {
  return request_of(run, wait).front() == &wait;
}

/// How many waits are there, for each of which: `serves(wait, ms)` says whether the wait could be
/// served within that millisecond, `cuts(wait, ms)` whether something at its beginning ends what
/// came before.
struct Questions {
  std::function<bool(const Wait&, std::int64_t)> serves;
  std::function<bool(const Wait&, std::int64_t)> cuts;
  TimeNs bound_ns;
};

bool breaks_bound(const RunBuilder& run, const Wait& wait, const Questions& questions) {
  if (wait.is_hopeless) return false;
  std::int64_t length_ms = 0;
  const std::int64_t from = std::max(ms_of(wait.from), ms_of(run.observations.healed));
  for (std::int64_t ms = from; ms < ms_of(wait.until); ++ms) {
    if (questions.cuts(wait, ms)) length_ms = 0;
    const bool counts = questions.serves(wait, ms) && !is_stopped(run, wait.owner, ms);
    length_ms = counts ? length_ms + 1 : 0;
    if (length_ms * ns_per_ms > questions.bound_ns) return true;
  }
  return false;
}

/// It tries for longer than it was ready to wait and a tenth, without a stop, and no fault is the
/// reason.
bool is_overdue(const RunBuilder& run, const Wait& wait) {
  if (wait.is_hopeless || !wait.limit_ns || run.observations.has_fault_struck) return false;
  const std::int64_t limit_ms = *wait.limit_ns / ns_per_ms;
  std::int64_t late_ms = 0;
  for (std::int64_t ms = ms_of(wait.from) + limit_ms + limit_ms / 10; ms < ms_of(wait.until);
       ++ms) {
    late_ms = is_stopped(run, wait.owner, ms) ? 0 : late_ms + 1;
    if (10 * late_ms * ns_per_ms > run.liveness.wakeup_ns) return true;
  }
  return false;
}

bool is_left(const RunBuilder& run, const Wait& wait) {
  return wait.end == WaitEnd::run_over && !wait.is_hopeless &&
         !is_stopped_for_good(run, wait.owner);
}

/// Who can't go on, as the largest set in which everybody waits for nobody outside it.
std::set<const Wait*> deadlocked(const RunBuilder& run) {
  std::set<const Wait*> stuck;
  for (const Wait& wait : run.observations.waits) {
    // Who gives up some time is stuck only where the run shows that it does not.
    const bool gives_up = wait.limit_ns && !run.observations.came_to_rest;
    if (is_first_of_request(run, wait) && is_left(run, wait) && !gives_up) stuck.insert(&wait);
  }
  const auto goes_on = [&](NameId owner) {
    for (const Wait* wait : stuck) {
      if (wait->owner == owner) return false;
    }
    return true;
  };
  for (std::size_t before = stuck.size() + 1; before != stuck.size();) {
    before = stuck.size();
    for (const Belief& belief : run.observations.beliefs) {
      if (belief.end != BeliefEnd::run_over || !goes_on(belief.owner)) continue;
      std::erase_if(stuck, [&](const Wait* wait) {
        for (const Wait* each : request_of(run, *wait)) {
          if (each->lock == belief.lock) return true;
        }
        return false;
      });
    }
  }
  return stuck;
}

/// Since when all have held and waited on whom the wait depends, directly or through others.
std::int64_t stuck_since(const RunBuilder& run, const Wait& wait,
                         const std::set<const Wait*>& stuck) {
  std::set<const Wait*> reached{&wait};
  std::int64_t since = ms_of(run.observations.healed);
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const Wait* each : std::set<const Wait*>(reached)) {
      since = std::max(since, ms_of(each->from));
      for (const Wait* part : request_of(run, *each)) {
        for (const Belief& belief : run.observations.beliefs) {
          if (belief.end != BeliefEnd::run_over || belief.lock != part->lock) continue;
          since = std::max(since, ms_of(belief.from));
          for (const Wait* other : stuck) {
            if (other->owner == belief.owner) reached.insert(other);
          }
        }
      }
    }
  }
  return since;
}

/// Whether somebody keeps what the wait asks for to the end of the run: without a lease, or with
/// one of whose last change that is so.
template <typename Condition>
bool is_kept(const RunBuilder& run, const Wait& wait, Condition is_so) {
  for (const Wait* part : request_of(run, wait)) {
    for (const Belief& belief : run.observations.beliefs) {
      if (belief.end != BeliefEnd::run_over || belief.lock != part->lock) continue;
      bool is_it = true;
      for (const LeaseChange& change : run.observations.lease_changes) {
        const bool is_anothers = change.owner != no_name && change.owner != belief.owner;
        if (change.lock != belief.lock || is_anothers) continue;
        is_it = change.ends_ns == never_ns || is_so(change);
      }
      if (is_it) return true;
    }
  }
  return false;
}

/// … without a lease that ends, or with one that has been renewed since that millisecond.
bool is_kept_for_good(const RunBuilder& run, const Wait& wait, std::int64_t since) {
  return is_kept(run, wait, [since](const LeaseChange& change) {
    return change.ends_ns != 0 && since < ms_of(change.at);
  });
}

/// … with a lease that is to end later.
bool is_kept_still(const RunBuilder& run, const Wait& wait) {
  return is_kept(run, wait, [&run](const LeaseChange& change) {
    return change.ends_ns > run.observations.ended.at_ns;
  });
}

Expected verdict_of(std::size_t violations, bool is_unfinished) {
  if (violations > 0) return {VerdictKind::violated, violations};
  return {is_unfinished ? VerdictKind::unknown : VerdictKind::holds, 0};
}

}  // namespace

RunBuilder random_waiting() {
  RunBuilder run;
  add_waits(run);
  add_beliefs(run);
  add_leases(run);
  for (std::int64_t count = draw_below(3); count > 0; --count) {
    const std::int64_t from = draw_below(run_length_ms);
    run.stop(any_waiter(), from, std::min(from + 1 + draw_below(20), run_length_ms));
  }
  for (std::int64_t ms = 0; ms < run_length_ms; ms += 1 + draw_below(12)) {
    run.available(ms, draw_below(4), draw_below(3), any_wanted_lock());
  }
  for (std::int64_t ms = 2; ms < run_length_ms; ms += 1 + draw_below(5)) {
    run.fenced(any_waiter(), ms, ms - 1 - draw_below(2), ms, any_wanted_lock());
  }
  run.observations.healed = at_ms(draw_below(3) == 0 ? draw_below(run_length_ms) : 0);
  run.observations.has_fault_struck = run.observations.healed.at_ns > 0;
  run.end(run_length_ms, draw_below(3) > 0);
  run.service = std::array{Service::anybody, Service::in_order,
                           Service::writers_first}[static_cast<std::size_t>(draw_below(3))];
  run.liveness = {(8 + draw_below(30)) * ns_per_ms, (3 + draw_below(20)) * ns_per_ms,
                  1 + draw_below(12)};
  return run;
}

Expected no_deadlock_by_brute_force(const RunBuilder& run) {
  const auto for_each_lock = [&](const Wait& wait, const auto& holds) {
    for (const Wait* each : request_of(run, wait)) {
      if (holds(each->lock)) return true;
    }
    return false;
  };
  const Questions questions{[&](const Wait& wait, std::int64_t ms) {
                              return !for_each_lock(wait, [&](NameId lock) {
                                return is_believed(run, lock, ms) || is_left_behind(run, lock, ms);
                              });
                            },
                            [&](const Wait& wait, std::int64_t ms) {
                              return for_each_lock(
                                  wait, [&](NameId lock) { return is_granted(run, lock, ms); });
                            },
                            run.liveness.progress_ns};
  const bool at_rest = run.observations.came_to_rest;
  const std::set<const Wait*> stuck = deadlocked(run);
  std::size_t violations = 0;
  bool is_unfinished = false;
  for (const Wait& wait : run.observations.waits) {
    if (!is_first_of_request(run, wait)) continue;
    const bool is_stuck = stuck.count(&wait) > 0;
    const bool is_held = !questions.serves(wait, run_length_ms);
    const std::int64_t since = stuck_since(run, wait, stuck);
    const bool is_long = (run_length_ms - since) * ns_per_ms > run.liveness.progress_ns;
    const bool is_for_good = is_stuck && is_kept_for_good(run, wait, since);
    if (breaks_bound(run, wait, questions) || (is_stuck && at_rest) || (is_for_good && is_long)) {
      ++violations;
    } else if (!at_rest && is_left(run, wait) &&
               (is_for_good || (is_stuck && is_kept_still(run, wait)) || !is_held)) {
      is_unfinished = true;
    }
  }
  return verdict_of(violations, is_unfinished);
}

Expected no_lost_wakeup_by_brute_force(const RunBuilder& run) {
  const Questions questions{[&](const Wait& wait, std::int64_t ms) {
                              for (const Wait* each : request_of(run, wait)) {
                                if (!is_available(run, *each, ms)) return false;
                                if (is_another_first(run, *each, ms)) return false;
                              }
                              return true;
                            },
                            [](const Wait&, std::int64_t) { return false; },
                            run.liveness.wakeup_ns};
  std::size_t violations = 0;
  bool is_unfinished = false;
  for (const Wait& wait : run.observations.waits) {
    if (!is_first_of_request(run, wait)) continue;
    const bool sleeps_on = is_left(run, wait) && questions.serves(wait, run_length_ms);
    if (breaks_bound(run, wait, questions) || is_overdue(run, wait) ||
        (sleeps_on && run.observations.came_to_rest)) {
      ++violations;
    } else if (sleeps_on) {
      is_unfinished = true;
    }
  }
  return verdict_of(violations, is_unfinished);
}

Expected no_starvation_by_brute_force(const RunBuilder& run) {
  std::size_t violations = 0;
  bool is_unfinished = false;
  for (const Wait& wait : run.observations.waits) {
    std::int64_t grants = 0;
    for (const Grant& grant : run.observations.grants) {
      if (grant.lock != wait.lock || grant.owner == wait.owner) continue;
      if (!(wait.from < grant.at && grant.at < wait.until)) continue;
      if (!(run.observations.healed < grant.at)) continue;
      bool is_reentry = false;
      for (const Belief& belief : run.observations.beliefs) {
        if (belief.owner != grant.owner || belief.lock != grant.lock) continue;
        const bool is_open = belief.end == BeliefEnd::run_over || grant.at < belief.until;
        if (belief.from < grant.invoked && is_open) is_reentry = true;
      }
      bool is_asleep = false;  // at the very ends of a stop nothing counts either
      for (const Stop& stop : run.observations.stops) {
        if (stop.owner == wait.owner && !(grant.at < stop.from) && !(stop.until < grant.at)) {
          is_asleep = true;
        }
      }
      if (!is_reentry && !is_asleep) ++grants;
    }
    if (grants > run.liveness.overtakings && !wait.is_hopeless) {
      ++violations;
    } else if (!run.observations.came_to_rest && is_left(run, wait)) {
      is_unfinished = true;
    }
  }
  return verdict_of(violations, is_unfinished);
}

void expect_agreement(Property property, Expected (*by_brute_force)(const RunBuilder&)) {
  const RunBuilder run = random_waiting();
  const Verdict verdict = run.judge(property);
  const Expected expected = by_brute_force(run);
  RC_TAG(std::string(to_string(expected.kind)));
  RC_ASSERT(verdict.kind == expected.kind);
  const std::string in_all = "; " + std::to_string(expected.violations) + " such waits in all";
  RC_ASSERT((verdict.summary.find(in_all) != std::string::npos) == (expected.violations > 1));
}

}  // namespace lockstep::checker::testing
