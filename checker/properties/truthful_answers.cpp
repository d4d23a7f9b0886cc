#include "checker/properties/truthful_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "checker/drift.h"
#include "checker/evidence.h"
#include "checker/liveness_bounds.h"
#include "checker/properties/due.h"
#include "checker/properties/taken_away.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

constexpr TimeNs millisecond_ns = 1'000'000;
// Who says less than this part of what is left, beyond any margin, speaks of another unit.
constexpr TimeNs part_said = 10;
// The largest margin that somebody may take off: this part of the lease, but no more than that.
constexpr TimeNs margin_part = 2;
constexpr TimeNs margin_max_ns = 10'000 * millisecond_ns;
constexpr std::string_view held_never = "it held the lock at no instant meanwhile";
constexpr std::string_view held_always = "it held the lock all the while";

/// As steps and client models call it.
std::string_view function_of(CallKind call) {
  switch (call) {
    case CallKind::acquire:
      return "acquire";
    case CallKind::release:
      return "release";
    case CallKind::force_release:
      return "force_unlock";
    case CallKind::extend:
      return "extend";
    case CallKind::is_locked:
      return "is_locked";
    case CallKind::is_held:
      return "is_held_by_me";
    case CallKind::hold_count:
      return "hold_count";
    case CallKind::remaining_lease:
      return "remaining_lease";
    case CallKind::set_permits:
      return "try_set_permits";
    case CallKind::set_count:
      return "try_set_count";
    case CallKind::count_down:
      return "count_down";
    case CallKind::release_permits:
      return "release";
    case CallKind::await:
      return "await";
  }
  return "call";
}

/// What was answered.
std::string word(const Answer& answer) {
  if (answer.call == CallKind::hold_count) {
    return std::to_string(answer.counted.value_or(*answer.number));
  }
  if (answer.call == CallKind::remaining_lease && answer.yes) {
    return *answer.number < 0 ? "for ever" : milliseconds(*answer.number * millisecond_ns);
  }
  return answer.yes ? "yes" : "no";
}

std::string describe(const Names& names, const Answer& answer, std::string_view truth) {
  return fmt::format("{}'s {} of \"{}\", invoked at {}, answered {} at {}, but {}",
                     holder_name(names, answer.owner, answer.mode), function_of(answer.call),
                     name_of(names, answer.lock), milliseconds(answer.invoked.at_ns), word(answer),
                     milliseconds(answer.returned.at_ns), truth);
}

bool removed_ended_permit(const Run& run, const Answer& answer) {
  const auto is_its = [&answer](const EndedPermitRemoved& each) {
    return each.lock == answer.lock && each.owner == answer.owner && !(each.at < answer.invoked) &&
           !(answer.returned < each.at);
  };
  return std::ranges::any_of(run.observations.ended_permits_removed, is_its);
}

/// Whether a request of the caller's took a hold away meanwhile.
bool gave_back(const Run& run, const Answer& answer) {
  const auto& all = run.observations.hold_changes;
  return std::any_of(all.begin(), all.end(), [&answer](const HoldChange& each) {
    const bool is_of_mode = answer.call == CallKind::force_release || each.mode == answer.mode;
    return is_of_mode &&
           is_taken_away_by(each, answer.owner, answer.lock, answer.invoked, answer.returned);
  });
}

/// Whoever gives up before half of its time does not know that there was nothing to be had in it;
/// whoever does so long after it has kept its caller waiting.
/// Faults excuse it in the whole run: a failover or slowness may hold up calls long after it
/// struck.
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

/// Within the call, so that it can be a part of it.
bool is_within(const Answer& answer, const Moment& at) {
  return !(at < answer.invoked) && !(answer.returned < at);
}

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

/// "yes" needs an instant at which it was so, "no" one at which it wasn't.
bool is_possible(const Answer& answer, std::int64_t least, std::int64_t most) {
  return answer.yes ? most > 0 : least <= 0;
}

}  // namespace

void TruthfulAnswers::judge(const Run& run, Verdict& verdict) {
  if (run.observations.answers.empty()) return;
  load(run.observations);
  std::size_t count = 0;
  for (const Answer& answer : run.observations.answers) {
    const std::optional<std::string> truth = contradiction(run, answer);
    if (!truth) continue;
    verdict.kind = VerdictKind::violated;
    if (++count > evidence_max) continue;
    std::string what = describe(run.names, answer, *truth);
    if (count == 1) verdict.summary = what;
    verdict.evidence.push_back({std::move(what), answer.owner, answer.invoked, answer.returned});
  }
  verdict.summary += in_all(count, "such answers");
}

// -- what was true --

void TruthfulAnswers::load(const Observations& observations) {
  steps_.clear();
  load_holds(observations);
  for (const Availability& each : observations.availability) {
    add_step(each.lock, no_name, Subject::available_exclusively, each.at, each.exclusive);
    add_step(each.lock, no_name, Subject::available_shared, each.at, each.shared);
  }
  for (const NumberChange& each : observations.number_changes) {
    add_step(each.lock, no_name, Subject::number, each.at, each.number);
  }
  for (const LeaseChange& each : observations.lease_changes) {
    add_step(each.lock, each.owner, Subject::lease_end, each.at, each.ends_ns);
  }
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
    return std::tuple(a.lock, a.owner, a.subject, a.at.order, a.place) <
           std::tuple(b.lock, b.owner, b.subject, b.at.order, b.place);
  });
}

void TruthfulAnswers::add_step(NameId lock, NameId owner, Subject subject, const Moment& at,
                               std::int64_t value) {
  steps_.push_back({lock, owner, subject, at, value, static_cast<std::uint32_t>(steps_.size())});
}

void TruthfulAnswers::load_holds(const Observations& observations) {
  counts_.clear();
  everybodys_.clear();
  for (const HoldChange& change : observations.hold_changes) {
    const bool shares = change.mode == HoldMode::shared;
    std::array<std::int64_t, 2>& counts = counts_.at(change.owner, change.lock);
    counts[shares ? 1 : 0] = change.count_after;
    std::int64_t& all = everybodys_.at(change.lock, no_name);
    all += change.count_after - change.count_before;
    add_step(change.lock, change.owner, shares ? Subject::shared_holds : Subject::exclusive_holds,
             change.at, change.count_after);
    add_step(change.lock, change.owner, Subject::holds, change.at, counts[0] + counts[1]);
    add_step(change.lock, no_name, Subject::anybodys_holds, change.at, all);
  }
}

/// Calls visit(from, value) for what was true as the call was invoked, and for each change until it
/// returned. What changed in the moment of the invocation counts both ways.
template <typename Visit>
void TruthfulAnswers::visit_steps(const Answer& answer, NameId owner, Subject subject,
                                  Visit visit) const {
  const auto key = std::tuple(answer.lock, owner, subject);
  auto step = std::partition_point(steps_.begin(), steps_.end(), [&](const Step& each) {
    return std::tuple(each.lock, each.owner, each.subject, each.at.order) <
           std::tuple_cat(key, std::tuple(answer.invoked.order));
  });
  const auto is_of_key = [&](const Step& each) {
    return std::tuple(each.lock, each.owner, each.subject) == key;
  };
  const bool has_before = step != steps_.begin() && is_of_key(*(step - 1));
  visit(answer.invoked, has_before ? (step - 1)->value : 0);
  for (; step != steps_.end() && is_of_key(*step); ++step) {
    if (answer.returned < step->at) return;
    const auto next = step + 1;
    const bool is_overwritten =
        next != steps_.end() && is_of_key(*next) && next->at.order == step->at.order;
    if (!is_overwritten) visit(step->at, step->value);
  }
}

TruthfulAnswers::Span TruthfulAnswers::during(const Answer& answer, NameId owner,
                                              Subject subject) const {
  std::optional<Span> span;
  visit_steps(answer, owner, subject, [&](const Moment&, std::int64_t value) {
    if (!span) span = Span{value, value, value, value, false, false};
    span->sinks |= value < span->last;
    span->rises |= value > span->last;
    span->last = value;
    span->least = std::min(span->least, value);
    span->most = std::max(span->most, value);
  });
  return *span;
}

TruthfulAnswers::Span TruthfulAnswers::holds_during(const Answer& answer) const {
  const bool is_question = answer.call == CallKind::is_held || answer.call == CallKind::hold_count;
  if (is_question) return during(answer, answer.owner, Subject::holds);
  const bool shares = answer.mode == HoldMode::shared;
  return during(answer, answer.owner, shares ? Subject::shared_holds : Subject::exclusive_holds);
}

TimeNs TruthfulAnswers::latest_end(const Answer& answer) const {
  return std::max(during(answer, answer.owner, Subject::lease_end).most,
                  during(answer, no_name, Subject::lease_end).most);
}

/// Of a lock on several nodes one may then have lost it before it was given back there.
bool TruthfulAnswers::runs_out(const Answer& answer) const {
  const TimeNs ends_ns = std::max(during(answer, answer.owner, Subject::lease_end).first,
                                  during(answer, no_name, Subject::lease_end).first);
  return 0 < ends_ns && ends_ns <= answer.returned.at_ns;
}

TimeNs TruthfulAnswers::most_left(const Answer& answer) const {
  TimeNs most_ns = 0;
  for (const NameId owner : {answer.owner, no_name}) {
    visit_steps(answer, owner, Subject::lease_end, [&](const Moment& from, TimeNs ends_ns) {
      most_ns = std::max(most_ns, ends_ns == never_ns ? never_ns : ends_ns - from.at_ns);
    });
  }
  return most_ns;
}

TimeNs TruthfulAnswers::least_left(const Answer& answer) const {
  TimeNs least_ns = never_ns;
  for (const NameId owner : {answer.owner, no_name}) {
    const Span ends = during(answer, owner, Subject::lease_end);
    if (ends.least <= 0 || ends.least == never_ns) continue;
    least_ns = std::min(least_ns, ends.least - answer.returned.at_ns);
  }
  return least_ns == never_ns ? 0 : least_ns;
}

/// How much less of the lease may be said than there is left: a margin, and what went by between
/// the call for that lease and the lease's beginning, which the caller may count to it.
TimeNs TruthfulAnswers::explained_ns(const Run& run, const Answer& answer, TimeNs left_ns) {
  const Observations& observations = run.observations;
  const TimeNs ends_ns = left_ns + answer.returned.at_ns;
  const auto set = std::find_if(observations.lease_changes.rbegin(),
                                observations.lease_changes.rend(), [&](const LeaseChange& change) {
                                  return change.lock == answer.lock && change.ends_ns == ends_ns &&
                                         !(answer.returned < change.at);
                                });
  if (set == observations.lease_changes.rend()) return left_ns;
  TimeNs called_ns = set->at.at_ns;
  for (const Wait& wait : observations.waits) {
    const bool gave_it = wait.owner == answer.owner && wait.lock == answer.lock &&
                         !(set->at < wait.from) && !(wait.until < set->at);
    if (gave_it) called_ns = std::min(called_ns, wait.from.at_ns);
  }
  for (const Operation& operation : run.history.operations) {
    const bool gave_it = operation.owner == answer.owner && operation.lock == answer.lock &&
                         !(set->at < operation.invoked) &&
                         !(operation.completed && *operation.completed < set->at);
    if (gave_it) called_ns = std::min(called_ns, operation.invoked.at_ns);
  }
  const TimeNs margin_ns = std::min((ends_ns - set->at.at_ns) / margin_part, margin_max_ns);
  return margin_ns + (set->at.at_ns - called_ns) * part_said;
}

// -- what contradicts an answer --

std::optional<std::string> TruthfulAnswers::contradiction(const Run& run,
                                                          const Answer& answer) const {
  switch (answer.call) {
    case CallKind::acquire:
      return to_acquire(run, answer);
    case CallKind::extend:
      return to_extension(run, answer);
    case CallKind::release:
    case CallKind::is_held: {
      const Span holds = holds_during(answer);
      const bool gives_back = answer.call == CallKind::release && answer.yes;
      const bool says_no = answer.call == CallKind::release && !answer.yes;
      if (says_no && answer.is_certain && gave_back(run, answer) && !runs_out(answer)) {
        return std::string("it gave a hold back");
      }
      if (gives_back && removed_ended_permit(run, answer)) return std::nullopt;
      if (!is_possible(answer, holds.least, holds.most)) {
        return std::string(answer.yes ? held_never : held_always);
      }
      if (!gives_back || holds.sinks) return std::nullopt;
      return fmt::format("it gave none back: its count was {} all the while", holds.first);
    }
    case CallKind::force_release:
    case CallKind::is_locked: {
      const Span holds = during(answer, no_name, Subject::anybodys_holds);
      if (is_possible(answer, holds.least, holds.most)) {
        const bool forced = answer.call == CallKind::force_release && answer.is_certain &&
                            !answer.yes && gave_back(run, answer);
        return forced ? std::optional("it took a hold away") : std::nullopt;
      }
      return answer.yes ? "nobody held the lock at any instant meanwhile"
                        : "somebody held the lock all the while";
    }
    case CallKind::hold_count:
      return to_hold_count(run, answer);
    case CallKind::remaining_lease:
      return to_remaining_lease(run, answer);
    case CallKind::set_permits:
    case CallKind::set_count:
      return to_setting(run, answer);
    case CallKind::count_down:
    case CallKind::release_permits:
      return to_counting(run, answer);
    case CallKind::await:
      return to_untimely_refusal(run, answer);
  }
  return std::nullopt;
}

std::optional<std::string> TruthfulAnswers::to_acquire(const Run& run, const Answer& answer) const {
  const bool shares = answer.mode == HoldMode::shared;
  const Span available =
      during(answer, no_name, shares ? Subject::available_shared : Subject::available_exclusively);
  if (answer.yes) {
    if (!answer.number || available.most >= *answer.number) return std::nullopt;
    return fmt::format("the number of permits left was {} at the most", available.most);
  }
  const Span holds = holds_during(answer);
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

std::optional<std::string> TruthfulAnswers::to_extension(const Run& run,
                                                         const Answer& answer) const {
  const Span holds = holds_during(answer);
  if (!is_possible(answer, holds.least, holds.most)) {
    return std::string(answer.yes ? held_never : held_always);
  }
  const TimeNs ends_ns = latest_end(answer);
  if (!answer.yes || ends_ns == never_ns) return std::nullopt;
  // Redis counts whole milliseconds, from the last one on.
  const TimeNs due_ns = answer.invoked.at_ns + answer.lease_ns -
                        drift_over(answer.lease_ns, run.declared_drift_ppm) - millisecond_ns;
  if (answer.lease_ns > 0 && ends_ns < due_ns) {
    return fmt::format(
        "of the new lease of {} at least {} are missing: it ended at {} at the latest",
        milliseconds(answer.lease_ns), milliseconds(due_ns - ends_ns), milliseconds(ends_ns));
  }
  if (!answer.valid_until_ns) return std::nullopt;
  const TimeNs length_ns = std::max<TimeNs>(*answer.valid_until_ns - answer.returned.at_ns, 0);
  const TimeNs too_long_ns =
      *answer.valid_until_ns - ends_ns - drift_over(length_ns, run.declared_drift_ppm);
  if (too_long_ns <= 0) return std::nullopt;
  return fmt::format(
      "the lease ends at {} at the latest, and a validity until {} was told: {} too "
      "long, beyond the declared drift",
      milliseconds(ends_ns), milliseconds(*answer.valid_until_ns), milliseconds(too_long_ns));
}

namespace {

/// When the hold that the owner has at that moment began, in true state; none: it has none.
std::optional<Moment> held_since(const Run& run, const Answer& answer) {
  std::optional<Moment> since;
  for (const HoldChange& change : run.observations.hold_changes) {
    if (change.owner != answer.owner || change.lock != answer.lock) continue;
    if (answer.invoked < change.at) break;
    if (change.count_before == 0) since = change.at;
    if (change.count_after == 0) since.reset();
  }
  return since;
}

/// What the client's own calls come to: all of them, and those since the hold began.
struct OwnCount {
  std::int64_t all = 0;
  std::int64_t since = 0;
  bool is_of_acquire = false;  ///< the hold began with an acquire of the owner's
};

OwnCount own_count(const Run& run, const Answer& answer, const Moment& since) {
  OwnCount count;
  for (const Operation& each : run.history.operations) {
    if (each.owner != answer.owner || each.lock != answer.lock) continue;
    if (!each.outcome_is_known() || answer.invoked < *each.completed) continue;
    const bool is_ok = each.outcome == Outcome::ok;
    const bool is_since = !(*each.completed < since);
    if (each.kind == OperationKind::acquire && is_ok) {
      ++count.all;
      count.since += is_since ? 1 : 0;
      count.is_of_acquire |= is_since && !(since < each.invoked);
    } else if (each.kind == OperationKind::release) {
      count.all = is_ok ? std::max<std::int64_t>(count.all - 1, 0) : 0;
      count.since -= is_since ? 1 : 0;
    }
  }
  return count;
}

/// Of a count that the client alone keeps.
std::optional<std::string> to_own_count(const Run& run, const Answer& answer) {
  if (!answer.counted || *answer.counted < 1) return std::nullopt;
  const std::optional<Moment> since = held_since(run, answer);
  if (!since) return std::nullopt;
  const OwnCount count = own_count(run, answer, *since);
  const auto [least, most] = std::minmax(count.since, count.all);
  if (!count.is_of_acquire || least < 1) return std::nullopt;
  if (least <= *answer.counted && *answer.counted <= most) return std::nullopt;
  return fmt::format("its own calls came to {}", count.since);
}

}  // namespace

std::optional<std::string> TruthfulAnswers::to_hold_count(const Run& run,
                                                          const Answer& answer) const {
  const Span holds = holds_during(answer);
  const bool was_so = holds.least <= *answer.number && *answer.number <= holds.most;
  if (was_so) return to_own_count(run, answer);
  if (holds.least == holds.most) return fmt::format("it was {} all the while", holds.least);
  return fmt::format("it was between {} and {} all the while", holds.least, holds.most);
}

std::optional<std::string> TruthfulAnswers::to_remaining_lease(const Run& run,
                                                               const Answer& answer) const {
  if (!answer.yes) {
    const Span holds = during(answer, no_name, Subject::anybodys_holds);
    if (holds.least <= 0) return std::nullopt;
    return std::string("somebody held the lock all the while");
  }
  const TimeNs left_ns = most_left(answer);
  if (left_ns == never_ns) return std::nullopt;
  const TimeNs said_ns = *answer.number * millisecond_ns;
  const TimeNs excused_ns =
      millisecond_ns + drift_over(std::max<TimeNs>(said_ns, 0), run.declared_drift_ppm);
  if (*answer.number < 0 || said_ns - excused_ns > left_ns) {
    return fmt::format("no more than {} were left of it",
                       milliseconds(std::max<TimeNs>(left_ns, 0)));
  }
  // Of an extension that nobody confirmed the owner knows nothing.
  const TimeNs least_ns = least_left(answer);
  if (!answer.is_certain || said_ns >= least_ns / part_said) return std::nullopt;
  if (said_ns >= (least_ns - explained_ns(run, answer, least_ns)) / part_said) return std::nullopt;
  return fmt::format("no less than {} were left of it", milliseconds(least_ns));
}

/// What others did meanwhile may have been its doing. Who counts down an open latch does nothing;
/// a permit may be handed on to somebody who waits, and never be left.
std::optional<std::string> TruthfulAnswers::to_counting(const Run& run,
                                                        const Answer& answer) const {
  const Span number = during(answer, no_name, Subject::number);
  if (answer.call == CallKind::release_permits) {
    const std::vector<Wait>& waits = run.observations.waits;
    const bool may_hand_on =
        !number.rises && std::any_of(waits.begin(), waits.end(), [&answer](const Wait& wait) {
          return wait.lock == answer.lock && !(answer.returned < wait.from) &&
                 !(wait.until < answer.invoked);
        });
    if (number.rises || may_hand_on) return std::nullopt;
    return fmt::format("the number of permits left did not rise meanwhile: it was {}",
                       number.first);
  }
  if (number.sinks || number.least <= 0) return std::nullopt;
  return fmt::format("the count was {} all the while", number.first);
}

namespace {

/// Whether a request of the caller's set the permits, or the count, meanwhile.
bool has_set(const Run& run, const Answer& answer) {
  return std::ranges::any_of(run.observations.number_changes, [&answer](const NumberChange& each) {
    return each.lock == answer.lock && each.by == answer.owner && is_within(answer, each.at) &&
           each.number == *answer.number;
  });
}

}  // namespace

/// Permits are set where there are none, a count where the latch is open.
std::optional<std::string> TruthfulAnswers::to_setting(const Run& run, const Answer& answer) const {
  const Span available = during(answer, no_name, Subject::available_exclusively);
  const bool set_all_the_same = !answer.yes && answer.is_certain && has_set(run, answer);
  if (answer.call == CallKind::set_permits) {
    if (set_all_the_same) {
      return fmt::format("it set them: the number of permits left went from {} to {}",
                         available.first, *answer.number);
    }
    const bool was_so = available.least <= *answer.number && *answer.number <= available.most;
    if (!answer.yes || was_so) return std::nullopt;
    return fmt::format("the number of permits left was between {} and {} all the while",
                       available.least, available.most);
  }
  if (answer.yes && available.most <= 0) {
    return std::string("the latch was closed all the while: it was another's");
  }
  if (set_all_the_same)
    return fmt::format("it closed the latch, with a count of {}", *answer.number);
  if (available.least <= 0) return std::nullopt;
  return std::string("the latch was open all the while");
}

}  // namespace lockstep::checker
