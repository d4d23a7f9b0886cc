#include "checker/properties/answers/refusals.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/liveness_bounds.h"
#include "checker/properties/answers/what_was_true.h"
#include "checker/properties/due.h"
#include "checker/text.h"

namespace lockstep::checker {
namespace {

/// Whether nobody else asked anything of the lock meanwhile, or shortly before: who serves in an
/// order, or by vote, may refuse because of somebody else.
bool is_alone(const Run& run, const Answer& answer) {
  const TimeNs begin_ns =
      answer.invoked.at_ns - slack_of_tries_ns(run.liveness, run.slowest_hop_ns);
  const auto disturbs = [&](NameId lock, const Moment& from, const Moment* until) {
    const bool is_over = until != nullptr && until->at_ns < begin_ns;
    return lock == answer.lock && !(answer.returned < from) && !is_over;
  };
  for (const Wait& each : run.observations.waits) {
    const bool is_own = each.owner == answer.owner && each.from.order == answer.invoked.order;
    if (!is_own && disturbs(each.lock, each.from, &each.until)) return false;
  }
  for (const Answer& each : run.observations.answers) {
    const bool is_own = each.owner == answer.owner && each.invoked.order == answer.invoked.order;
    if (!is_own && disturbs(each.lock, each.invoked, &each.returned)) return false;
  }
  for (const Operation& each : run.history.operations) {
    const bool is_own = each.owner == answer.owner && is_within(answer, each.invoked);
    const Moment* until = each.completed ? &*each.completed : nullptr;
    if (!is_own && disturbs(each.lock, each.invoked, until)) return false;
  }
  return true;
}

/// The lease that an acquire asked for; 0: the lock's own.
TimeNs lease_asked_for(const Run& run, const Answer& answer) {
  for (const Operation& each : run.history.operations) {
    const bool is_of_call =
        each.owner == answer.owner && each.lock == answer.lock && is_within(answer, each.invoked);
    if (is_of_call && each.lease_ns > 0) return each.lease_ns;
  }
  return 0;
}

/// Of an acquire that says no: nothing kept the lock's answers from it, and there was time for
/// them. Looks through the whole run.
bool could_be_granted(const Run& run, const Answer& answer) {
  const bool raised = !answer.limit_ns;
  if (run.observations.has_fault_struck || raised) return false;
  // A lease, or a wait, that is over before the answers can come is none.
  constexpr TimeNs hops = 40;
  const TimeNs answers_ns = hops * run.slowest_hop_ns;
  const auto is_over_at_once = [&](TimeNs length_ns) {
    return length_ns > 0 && length_ns < answers_ns;
  };
  return !is_over_at_once(*answer.limit_ns) && !is_over_at_once(lease_asked_for(run, answer));
}

/// Of several threads with one owner: one of them may be kept from what another has.
bool has_threads(const Run& run, NameId owner) {
  return std::ranges::any_of(run.observations.waits, [owner](const Wait& each) {
    return each.owner == owner && each.thread != no_name;
  });
}

/// Of one that may take once more what it has, unless it asked so many that its time was over.
bool is_refused_its_own(const Run& run, const Answer& answer) {
  const bool may_take_it =
      run.reentry == Reentry::counted && answer.mode == HoldMode::exclusive && answer.number;
  if (!may_take_it || !answer.is_certain || !could_be_granted(run, answer)) return false;
  const TimeNs enough_ns = slack_of_tries_ns(run.liveness, run.slowest_hop_ns);
  const bool has_time = *answer.limit_ns == 0 || *answer.limit_ns > enough_ns;
  return has_time && !has_threads(run, answer.owner);
}

}  // namespace

std::optional<std::string> to_untimely_refusal(const Run& run, const Answer& answer) {
  constexpr TimeNs part = 2;
  if (answer.yes || !answer.limit_ns || run.observations.has_fault_struck) return std::nullopt;
  const TimeNs waited_ns = answer.returned.at_ns - answer.invoked.at_ns;
  const TimeNs slack_ns = slack_of_tries_ns(run.liveness, run.slowest_hop_ns);
  const bool is_early = waited_ns < (*answer.limit_ns - slack_ns) / part;
  if (*answer.limit_ns == never_ns) {
    return is_early ? std::optional("it was to wait for as long as it takes") : std::nullopt;
  }
  if (!is_early && waited_ns <= due_after_ns(*answer.limit_ns) + slack_ns) return std::nullopt;
  return fmt::format("it was to wait for {}{}", is_early ? "" : "no more than ",
                     milliseconds(*answer.limit_ns));
}

std::optional<std::string> to_refusal(const Run& run, const Answer& answer, const Course& available,
                                      const Course& holds) {
  if (answer.is_certain && holds.last > holds.first) {
    return fmt::format("it has left a hold: its count went from {} to {}", holds.first, holds.last);
  }
  const bool is_there = answer.number && available.least >= *answer.number;
  if (is_there && run.refusal == Refusal::truthful) {
    return std::string("as much as it asked for was available all the while");
  }
  if (is_there && could_be_granted(run, answer) && is_alone(run, answer)) {
    return std::string("the lock was free all the while, and nobody else asked for it");
  }
  const bool has_it = holds.least > 0 && holds.least == holds.most;
  if (has_it && is_refused_its_own(run, answer)) {
    return std::string("its owner held the lock all the while, and may take it once more");
  }
  return to_untimely_refusal(run, answer);
}

}  // namespace lockstep::checker
