#include "checker/properties/answers/truthful_answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/drift.h"
#include "checker/evidence.h"
#include "checker/properties/answers/refusals.h"
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
    return each.lock == answer.lock && each.owner == answer.owner && is_within(answer, each.at);
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

/// "yes" needs an instant at which it was so, "no" one at which it wasn't.
bool is_possible(const Answer& answer, std::int64_t least, std::int64_t most) {
  return answer.yes ? most > 0 : least <= 0;
}

/// How much less of the lease may be said than there is left: a margin, and what went by between
/// the call for that lease and the lease's beginning, which the caller may count to it.
TimeNs explained_ns(const Run& run, const Answer& answer, TimeNs left_ns) {
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

}  // namespace

void TruthfulAnswers::judge(const Run& run, Verdict& verdict) {
  if (run.observations.answers.empty()) return;
  truth_.load(run.observations);
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

std::optional<std::string> TruthfulAnswers::contradiction(const Run& run,
                                                          const Answer& answer) const {
  switch (answer.call) {
    case CallKind::acquire:
      return to_acquire(run, answer);
    case CallKind::extend:
      return to_extension(run, answer);
    case CallKind::release:
    case CallKind::is_held: {
      const Course holds = truth_.holds_during(answer);
      const bool gives_back = answer.call == CallKind::release && answer.yes;
      const bool says_no = answer.call == CallKind::release && !answer.yes;
      if (says_no && answer.is_certain && gave_back(run, answer) && !truth_.runs_out(answer)) {
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
      const Course holds = truth_.during(answer, no_name, Subject::anybodys_holds);
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
  const Course available = truth_.during(
      answer, no_name, shares ? Subject::available_shared : Subject::available_exclusively);
  if (answer.yes) {
    if (!answer.number || available.most >= *answer.number) return std::nullopt;
    return fmt::format("the number of permits left was {} at the most", available.most);
  }
  return to_refusal(run, answer, available, truth_.holds_during(answer));
}

std::optional<std::string> TruthfulAnswers::to_extension(const Run& run,
                                                         const Answer& answer) const {
  const Course holds = truth_.holds_during(answer);
  if (!is_possible(answer, holds.least, holds.most)) {
    return std::string(answer.yes ? held_never : held_always);
  }
  const TimeNs ends_ns = truth_.latest_end(answer);
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
  const Course holds = truth_.holds_during(answer);
  const bool was_so = holds.least <= *answer.number && *answer.number <= holds.most;
  if (was_so) return to_own_count(run, answer);
  if (holds.least == holds.most) return fmt::format("it was {} all the while", holds.least);
  return fmt::format("it was between {} and {} all the while", holds.least, holds.most);
}

std::optional<std::string> TruthfulAnswers::to_remaining_lease(const Run& run,
                                                               const Answer& answer) const {
  if (!answer.yes) {
    const Course holds = truth_.during(answer, no_name, Subject::anybodys_holds);
    if (holds.least <= 0) return std::nullopt;
    return std::string("somebody held the lock all the while");
  }
  const TimeNs left_ns = truth_.most_left(answer);
  if (left_ns == never_ns) return std::nullopt;
  const TimeNs said_ns = *answer.number * millisecond_ns;
  const TimeNs excused_ns =
      millisecond_ns + drift_over(std::max<TimeNs>(said_ns, 0), run.declared_drift_ppm);
  if (*answer.number < 0 || said_ns - excused_ns > left_ns) {
    return fmt::format("no more than {} were left of it",
                       milliseconds(std::max<TimeNs>(left_ns, 0)));
  }
  // Of an extension that nobody confirmed the owner knows nothing.
  const TimeNs least_ns = truth_.least_left(answer);
  if (!answer.is_certain || said_ns >= least_ns / part_said) return std::nullopt;
  if (said_ns >= (least_ns - explained_ns(run, answer, least_ns)) / part_said) return std::nullopt;
  return fmt::format("no less than {} were left of it", milliseconds(least_ns));
}

/// What others did meanwhile may have been its doing. Who counts down an open latch does nothing;
/// a permit may be handed on to somebody who waits, and never be left.
std::optional<std::string> TruthfulAnswers::to_counting(const Run& run,
                                                        const Answer& answer) const {
  const Course number = truth_.during(answer, no_name, Subject::number);
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
  const Course available = truth_.during(answer, no_name, Subject::available_exclusively);
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
