#include "search/contract/contract_judge.h"

#include <algorithm>
#include <span>
#include <variant>
#include <vector>

#include "checker/check.h"
#include "checker/drift.h"
#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/properties/mutual_exclusion.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/run_result.h"
#include "model/faults/strike_effects.h"
#include "model/lock/lock_package.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"
#include "search/contract/failed_servers.h"
#include "search/contract/fault_sorts.h"
#include "search/contract/held_leases.h"
#include "search/contract/lost_writes.h"
#include "search/contract/outages.h"
#include "search/contract/overlaps.h"
#include "search/contract/violation.h"

namespace lockstep::search {
namespace {

using checker::Belief;
using checker::Moment;
using checker::NameId;
using checker::never_ns;
using checker::Property;
using checker::TimeNs;
using model::Assumption;
using model::AssumptionSet;
using scenario::FaultKind;

/// Counts have none, and permits that do not end: they are gone with who had them.
bool has_leases(const model::LockPackage& lock) {
  const bool is_number =
      model::has_permits(lock.state_shape) || lock.state_shape == model::StateShape::count;
  return !is_number || lock.scores != model::StateScores::order;
}

/// Of permits, and of readers that are listed, each ends by itself.
OwnLeases own_leases_of(const model::LockPackage& lock) {
  if (lock.contract.renews) return OwnLeases::renewed;
  if (model::has_permits(lock.state_shape)) return OwnLeases::apart;
  return lock.readers_key.empty() ? OwnLeases::end_too : OwnLeases::shared_apart;
}

bool is_one_of(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Asks one run about one violation after the other.
class Inquiry {
 public:
  Inquiry(const model::LockPackage& lock, const scenario::Scenario& scenario,
          const model::RunResult& run)
      : lock_(lock),
        scenario_(scenario),
        run_(run),
        seen_(*run.observations),
        leases_(run, own_leases_of(lock),
                is_vote() ? LeaseBegins::with_the_call : LeaseBegins::with_the_hold),
        strikes_(
            with_servers_away(run.strike_spans, seen_.healed.at_ns, scenario.redis, is_vote())) {
    own_lease_ns_ =
        number(lock.contract.own_lease + "_ms").value_or(lock.permit_life_ms) * sim::millisecond_ns;
    // What a permit's end is set to is its own lease, whatever that option is called.
    if (own_lease_ns_ == 0 && lock.scores == model::StateScores::ends) {
      own_lease_ns_ = longest_lease(seen_);
    }
    const auto failover = std::ranges::find_if(
        seen_.hold_changes, [&](const auto& change) { return went_for_good(seen_, change); });
    if (failover != seen_.hold_changes.end()) first_failover_ns_ = failover->at.at_ns;
  }

  /// Whether somebody waits on though all is made good that a message or an answer that is lost may
  /// have left: the faults are over, and so is each lease that anybody asked for.
  [[nodiscard]] bool outlasts_leases(const checker::Verdict& verdict) const {
    // Who never heard what it waits for may hold a lock that others need besides this one.
    if (waits_unheard_with_a_hold(*run_.history, seen_)) return false;
    const bool only_clients_end = !struck(
        never_ns, [](const auto& span) { return !ends_process(span.kind) || span.servers; });
    const GoneWaiters gone = gone_waiters(seen_, only_clients_end ? Gone::the_dead : Gone::anybody);
    TimeNs over_ns = std::max(seen_.healed.at_ns, gone.last_ns);
    for (const model::StrikeSpan& span : run_.strike_spans) {
      const bool is_of_messages = may_lose_messages(span.kind) || delays_messages(span.kind);
      if (is_of_messages && span.until_ns == never_ns) return false;
      if (!delays_messages(span.kind)) continue;
      over_ns = std::max(over_ns, span.until_ns + (*run_.faults)[span.fault].by_ns);
    }
    TimeNs lease_ns = own_lease_ns_;
    TimeNs left_ns = 0;  // by calls without an answer: what is taken once more may come on top …
    for (const checker::Operation& each : run_.history->operations) {
      lease_ns = std::max(lease_ns, each.lease_ns);
      if (!each.outcome_is_known()) left_ns += each.lease_ns;
    }
    // … but not each time that somebody asks in vain. The parts of a vote may be taken for up to
    // twice the lease before all are had, as RedissonRedLock does, and that is what stays of them.
    lease_ns += is_vote() ? lease_ns : std::min(left_ns, 4 * lease_ns);
    over_ns += lease_ns + checker::drift_over(lease_ns, scenario_.declared_drift_ppm) +
               scenario_.liveness.progress_ns;
    if (!lock_.queue_key.empty()) {
      over_ns +=
          static_cast<TimeNs>(gone.count) * number("wait_ms").value_or(0) * sim::millisecond_ns;
    }
    return std::any_of(verdict.evidence.begin(), verdict.evidence.end(), [&](const auto& each) {
      const bool is_for_ever = seen_.came_to_rest && each.until && !(*each.until < seen_.ended);
      return is_for_ever || (each.until && each.until->at_ns > over_ns);
    });
  }

  /// Those that the run did not keep; of more than `most` only so many.
  [[nodiscard]] AssumptionSet not_kept(AssumptionSet asked, const Violation& violation,
                                       std::size_t most = model::assumption_count) const {
    AssumptionSet broken;
    asked.visit([&](Assumption each) {
      if (broken.size() < most && !keeps(each, violation)) broken.insert(each);
    });
    return broken;
  }

  /// The first evidence of those that the fewest assumptions excuse.
  struct CountedEvidence {
    std::size_t place = 0;
    AssumptionSet broken;
  };
  [[nodiscard]] CountedEvidence counted_evidence(AssumptionSet asked,
                                                 const checker::Verdict& verdict) const {
    std::optional<CountedEvidence> counted;
    for (std::size_t place = 0; place < verdict.evidence.size(); ++place) {
      const checker::Evidence& each = verdict.evidence[place];
      AssumptionSet broken = not_kept(asked, told_violation({&each, 1}));
      if (tells_of_too_much(seen_, each, is_vote() ? Asked::votes : Asked::one))
        broken.erase(Assumption::calls_answered);
      if (!counted || broken.size() < counted->broken.size()) counted = {place, broken};
    }
    return counted.value_or(CountedEvidence{});
  }

  /// The overlap that the fewest assumptions excuse; of equals the one that is told where it is one
  /// of them, else the first.
  struct CountedOverlap {
    const Belief* earlier = nullptr;  ///< null if there is none
    const Belief* later = nullptr;
    AssumptionSet broken;
    AssumptionSet broken_at_first;  ///< what excuses the first of all
  };
  [[nodiscard]] CountedOverlap counted_overlap(AssumptionSet asked,
                                               const checker::Verdict& verdict) const {
    CountedOverlap counted;
    bool is_told = false;
    visit_overlaps(seen_.beliefs, [&](const Belief& earlier, const Belief& later) {
      // There may be thousands: what is excused as much as the best so far needs no more looks.
      const std::size_t least = counted.broken.size();
      const bool is_this_told = tells_of(verdict, earlier, later);
      const bool is_first = counted.earlier == nullptr;
      if (!is_first && least == 0 && !is_this_told) return;
      const std::size_t most = is_first || is_this_told ? model::assumption_count : least;
      const AssumptionSet broken =
          not_kept(asked, {{earlier.owner, later.owner}, later.from.at_ns, later.from.at_ns}, most);
      const bool is_better = counted.earlier == nullptr || broken.size() < least ||
                             (broken.size() == least && is_this_told && !is_told);
      if (!is_better) return;
      counted = {&earlier, &later, broken, is_first ? broken : counted.broken_at_first};
      is_told = is_this_told;
    });
    return counted;
  }

  [[nodiscard]] bool has_excused_overlap(AssumptionSet asked) const {
    bool is_any = false;
    visit_overlaps(seen_.beliefs, [&](const Belief& one, const Belief& next) {
      const TimeNs at_ns = next.from.at_ns;
      is_any = is_any || !not_kept(asked, {{one.owner, next.owner}, at_ns, at_ns}, 1).empty();
    });
    return is_any;
  }

 private:
  [[nodiscard]] bool keeps(Assumption assumption, const Violation& violation) const {
    switch (assumption) {
      case Assumption::holds_within_lease:
        return !any_party(violation, [&](NameId owner) {
          return overslept(owner, violation) || wrote_late(owner, violation);
        });
      case Assumption::renewals_get_through:
        return !any_party(violation,
                          [&](NameId owner) { return was_kept_from_renewing(owner, violation); });
      case Assumption::writes_survive:
        return !lost_writes(violation);
      case Assumption::keys_stay:
        return !struck(violation.by_ns,
                       [](const model::StrikeSpan& span) { return takes_keys(span.kind); });
      case Assumption::clocks_steady:
        return !struck(violation.by_ns,
                       [&](const model::StrikeSpan& span) { return turns_clock(span); });
      case Assumption::executed_once:
        return !was_executed_twice(violation);
      case Assumption::messages_arrive:
        return !lost_messages(violation);
      case Assumption::calls_not_abandoned:
        return !struck(violation.by_ns, [](const model::StrikeSpan& span) {
          return span.kind == FaultKind::abandon;
        });
      case Assumption::clients_survive:
        return !struck(violation.by_ns, [](const model::StrikeSpan& span) {
          return span.clients != 0 && ends_process(span.kind);
        });
      case Assumption::calls_answered:
        return !went_unanswered(violation);
    }
    return true;
  }

  /// Of the option, as the scenario or else the lock has it.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view option) const {
    const auto own = scenario_.options.find(option);
    if (own == scenario_.options.end()) return lock_.find_number(option);
    const auto* const value = std::get_if<std::int64_t>(&own->second);
    return value == nullptr ? std::nullopt : std::optional(*value);
  }

  template <typename Condition>
  [[nodiscard]] bool any_party(const Violation& violation, Condition condition) const {
    if (!violation.parties.empty()) {
      return std::any_of(violation.parties.begin(), violation.parties.end(), condition);
    }
    for (std::size_t i = 0; i < run_.names->size(); ++i) {
      if (condition(static_cast<NameId>(i))) return true;
    }
    return false;
  }

  template <typename Condition>
  [[nodiscard]] bool struck(TimeNs by_ns, Condition condition) const {
    return std::any_of(
        run_.strike_spans.begin(), run_.strike_spans.end(),
        [&](const model::StrikeSpan& span) { return span.from_ns <= by_ns && condition(span); });
  }

  [[nodiscard]] bool turns_clock(const model::StrikeSpan& span) const {
    if (!is_of_clock(span.kind)) return false;
    if (span.kind != FaultKind::clock_drift) return true;
    const std::int64_t ppm = (*run_.faults)[span.fault].drift_ppm;
    return std::abs(ppm) > scenario_.declared_drift_ppm;
  }

  [[nodiscard]] bool lost_writes(const Violation& violation) const {
    const bool has_leases_alone = has_leases(lock_) && lock_.queue_key.empty() &&
                                  !lock_.contract.assumed_for(Property::fencing);
    const KeptOfLock kept = has_leases_alone ? KeptOfLock::leases : KeptOfLock::more;
    if (first_failover_ns_ && *first_failover_ns_ <= violation.by_ns) return true;
    if (has_lost_write(*run_.takeovers, kept, violation.by_ns)) return true;
    // A vote may be forgotten before there are enough: then nobody ever had the lock.
    return is_vote() && any_party(violation, [&](NameId owner) {
             return any_restart(*run_.takeovers, violation.by_ns, [&](TimeNs at_ns) {
               return leases_.is_asked_for_at(owner, at_ns);
             });
           });
  }

  [[nodiscard]] bool was_executed_twice(const Violation& violation) const {
    const std::vector<std::string>& once = lock_.contract.executed_once;
    const bool any_counts =
        is_one_of(once, "*") || (violation.is_of_answers && lock_.contract.forgets_answers);
    const std::optional<std::int64_t> known_ms = number(lock_.contract.remembers + "_ms");
    const auto took_anew = [&](const checker::RepeatedWrite& each) {
      return violation.is_of_answers && ended_between(seen_, believer_of(each.owner), each);
    };
    return std::any_of(seen_.repeated_writes.begin(), seen_.repeated_writes.end(),
                       [&](const checker::RepeatedWrite& each) {
                         return each.first.at_ns <= violation.by_ns &&
                                is_party(violation, each.owner) &&
                                (any_counts || took_anew(each) ||
                                 is_one_of(once, run_.names->text(each.request)) ||
                                 (known_ms && is_forgotten(each, *known_ms * sim::millisecond_ns)));
                       });
  }

  /// Whether the lock, which knows requests for that long, had no reason to know this one.
  [[nodiscard]] bool is_forgotten(const checker::RepeatedWrite& each, TimeNs known_ns) const {
    if (each.at.at_ns - each.first.at_ns >= known_ns) return true;
    // Of what did nothing there is nothing to remember; and what did nothing again is no reason for
    // anything. (What one vote does is no change yet.)
    const NameId owner = believer_of(each.owner);
    return !changed_something(seen_, owner, each.first) &&
           (is_vote() || changed_something(seen_, owner, each.at));
  }

  [[nodiscard]] bool is_party(const Violation& violation, NameId thread) const {
    if (violation.parties.empty() || thread == checker::no_name) return true;
    const NameId believer = believer_of(thread);
    return std::any_of(violation.parties.begin(), violation.parties.end(),
                       [&](NameId each) { return each == thread || each == believer; });
  }

  [[nodiscard]] bool is_vote() const { return lock_.state_nodes == model::StateNodes::quorum; }

  /// Of a vote a minority of the servers may fail.
  [[nodiscard]] bool lost_messages(const Violation& violation) const {
    FailedServers failed(scenario_.redis);
    bool is_any = false;
    for (const model::StrikeSpan& span : run_.strike_spans) {
      if (span.from_ns > violation.by_ns || !may_have_lost_messages(span, patience())) continue;
      is_any = true;
      failed.add_nodes(span.servers);
    }
    const bool is_voted_on = is_vote() && !violation.is_of_a_server;
    return is_any && !(is_voted_on && failed.are_a_minority());
  }

  /// A party's call was by then interrupted, or had no answer but errors. Of a vote a minority of
  /// the servers need not answer: then it is known what a majority did.
  [[nodiscard]] bool went_unanswered(const Violation& violation) const {
    const TimeNs by_ns = violation.by_ns;
    if (any_party(violation, [&](NameId owner) { return was_interrupted(owner, by_ns); })) {
      return true;
    }
    if (seen_.has_fault_struck &&
        std::ranges::any_of(run_.history->operations, [&](const checker::Operation& each) {
          return each.invoked.at_ns <= by_ns && is_party(violation, each.owner) &&
                 (was_answered_late(each, seen_.ended, scenario_.liveness.progress_ns) ||
                  was_refused_late(each, strikes_, bit_of(each.owner), patience(),
                                   scenario_.liveness.wakeup_ns));
        })) {
      return true;
    }
    // Who dies between two questions leaves its place, though it was answered.
    bool is_any = !lock_.queue_key.empty() &&
                  std::ranges::any_of(seen_.waits, [&](const checker::Wait& each) {
                    return each.end == checker::WaitEnd::crashed && each.until.at_ns <= by_ns &&
                           is_party(violation, each.owner);
                  });
    FailedServers silent(scenario_.redis);
    for (const checker::CallGivenUp& each : seen_.calls_given_up) {
      if (each.at.at_ns > by_ns) break;
      if (each.owner == checker::no_name || !is_party(violation, each.owner)) continue;
      is_any = true;
      silent.add_master(each.server);
    }
    if (is_any && is_vote()) return !silent.are_a_minority();
    // Without a fault and a death it is the lock itself that does not know what it did.
    const bool any_died = gone_waiters(seen_, Gone::the_dead).last_ns > 0;
    return is_any ||
           ((seen_.has_fault_struck || any_died) &&
            any_party(violation, [&](NameId owner) { return has_unknown_outcome(owner, by_ns); }));
  }

  [[nodiscard]] bool was_interrupted(NameId owner, TimeNs by_ns) const {
    const std::uint64_t bit = bit_of(owner);
    return struck(by_ns, [&](const model::StrikeSpan& span) {
      return span.kind == FaultKind::interrupt && (span.clients & bit) != 0;
    });
  }

  [[nodiscard]] bool has_unknown_outcome(NameId owner, TimeNs by_ns) const {
    return std::ranges::any_of(run_.history->operations, [&](const checker::Operation& each) {
      return each.owner == owner && !each.outcome_is_known() && each.invoked.at_ns <= by_ns;
    });
  }

  // -- leases --
  enum class Whose : std::uint8_t { callers, the_locks };

  /// The lease that counts for a hold: as it was asked for last. None where the lock renews it, for
  /// then it has no end, or has no leases (permits that do not end); with the_locks only renewed
  /// holds have one.
  [[nodiscard]] std::optional<TimeNs> lease_of(const checker::AskedLease& asked,
                                               Whose whose) const {
    const bool is_renewed = asked.lease_ns == 0 && lock_.contract.renews;
    if (is_renewed != (whose == Whose::the_locks)) return std::nullopt;
    if (asked.lease_ns > 0) return asked.lease_ns;
    return own_lease_ns_ > 0 ? std::optional(own_lease_ns_) : std::nullopt;
  }

  /// Calls visit(asked, until_ns) for each time that the owner asked for a lease and got it, with
  /// the instant until which it counted on it: until it asked again, or its belief ended.
  template <typename Visit>
  [[nodiscard]] bool any_hold(NameId owner, const Violation& violation, Visit visit) const {
    const TimeNs by_ns = violation.by_ns;
    const std::vector<HeldLease>& held = leases_.of(owner);
    return std::any_of(held.begin(), held.end(), [&](const HeldLease& each) {
      // What was asked for may count on the server before the answer comes.
      const bool is_involved = each.asked->asked.at_ns <= by_ns &&
                               std::min(by_ns, each.given_up_ns) >= violation.from_ns;
      return is_involved && visit(*each.asked, std::min(by_ns, each.until_ns));
    });
  }

  [[nodiscard]] bool overslept(NameId owner, const Violation& violation) const {
    return any_hold(owner, violation, [&](const checker::AskedLease& asked, TimeNs until_ns) {
      const std::optional<TimeNs> lease_ns = lease_of(asked, Whose::callers);
      if (!lease_ns) return false;
      // A lock that says until when it is valid answers for that, and for no caller who goes on
      // later.
      if (asked.told_until_ns) {
        return until_ns > std::max(*asked.told_until_ns, asked.granted.at_ns);
      }
      const TimeNs begun_ns = leases_.begun_at(asked);
      return until_ns >= checker::earliest_end(begun_ns, *lease_ns, scenario_.declared_drift_ppm) ||
             leases_.may_be_cut_short(asked, until_ns);
    });
  }

  /// A write of its own came to the resource when it had given the lock back, or lost it.
  [[nodiscard]] bool wrote_late(NameId owner, const Violation& violation) const {
    return std::any_of(
        seen_.accesses.begin(), seen_.accesses.end(), [&](const checker::Access& access) {
          const bool is_in_it = access.owner == owner && access.at.at_ns >= violation.from_ns &&
                                access.at.at_ns <= violation.by_ns;
          return is_in_it && std::none_of(seen_.beliefs.begin(), seen_.beliefs.end(),
                                          [&](const Belief& belief) {
                                            return believer_of(owner) == belief.owner &&
                                                   belief.from < access.at &&
                                                   access.at < belief.until;
                                          });
        });
  }

  /// Where a process owns as one, a thread's belief is its process's.
  [[nodiscard]] NameId believer_of(NameId thread) const {
    if (lock_.state_owner == model::StateOwner::thread) return thread;
    const std::string& name = run_.names->text(thread);
    const std::string_view process = std::string_view(name).substr(0, name.find('/'));
    for (std::size_t i = 0; i < run_.names->size(); ++i) {
      if (run_.names->text(static_cast<NameId>(i)) == process) return static_cast<NameId>(i);
    }
    return thread;
  }

  /// Whether faults kept the owner's client or a server from what they were to do for a third of
  /// the lock's lease, in all, since a renewal of the hold came through last.
  [[nodiscard]] bool was_kept_from_renewing(NameId owner, const Violation& violation) const {
    if (!lock_.contract.renews || own_lease_ns_ == 0) return false;
    return any_hold(owner, violation, [&](const checker::AskedLease& asked, TimeNs until_ns) {
      if (!lease_of(asked, Whose::the_locks)) return false;
      // Each reader has a lease of its own besides the lock's, which may be lost before that.
      const bool has_one_lease = lock_.state_shape != model::StateShape::readers_and_writer;
      const TimeNs since_ns = has_one_lease ? leases_.last_renewed(asked, until_ns, own_lease_ns_)
                                            : leases_.begun_at(asked);
      // Whose renewal is refused has come through, and learns that there is nothing to renew.
      const TimeNs over_ns = std::min(until_ns, leases_.first_refused(asked, since_ns));
      const Outages outages =
          outages_between(since_ns, over_ns, strikes_, bit_of(owner), patience());
      // What is not sent again waits for the next renewal.
      const bool missed_two = outages.count > 1 && number("retry_attempts") == 0 &&
                              were_two_given_up(owner, since_ns, over_ns);
      return missed_two || outages.in_all_ns >= own_lease_ns_ / 3;
    });
  }

  /// Of the calls of the owner's client: a fault may strike and keep nobody from anything. What its
  /// watchdog does for several threads it does for none of them.
  [[nodiscard]] bool were_two_given_up(NameId owner, TimeNs since_ns, TimeNs until_ns) const {
    const TimeNs heard_by_ns = until_ns + patience().answer_ns;
    return std::ranges::count_if(seen_.calls_given_up, [&](const checker::CallGivenUp& each) {
             const bool is_its =
                 each.owner == checker::no_name || bit_of(each.owner) == bit_of(owner);
             return is_its && each.at.at_ns >= since_ns && each.at.at_ns <= heard_by_ns;
           }) > 1;
  }

  [[nodiscard]] Patience patience() const {
    const auto of = [&](std::string_view option) {
      return number(option).value_or(0) * sim::millisecond_ns;
    };
    const TimeNs answer_ns = of("timeout_ms");
    return {answer_ns, answer_ns + of("retry_interval_ms") + of("retry_jitter_ms")};
  }

  /// Of the owner's client, by its place in the scenario: "a/1" is a's, and so is "a".
  [[nodiscard]] std::uint64_t bit_of(NameId owner) const {
    const std::string& name = run_.names->text(owner);
    const std::string_view client = std::string_view(name).substr(0, name.find('/'));
    for (std::size_t i = 0; i < scenario_.clients.size(); ++i) {
      if (scenario_.clients[i].name == client) return model::StrikeEffects::bit_of(i);
    }
    return 0;
  }

  const model::LockPackage& lock_;
  const scenario::Scenario& scenario_;
  const model::RunResult& run_;
  const checker::Observations& seen_;
  HeldLeases leases_;
  std::vector<model::StrikeSpan> strikes_;  // the run's, as long as they keep servers away
  TimeNs own_lease_ns_ = 0;
  std::optional<TimeNs> first_failover_ns_;  // that took a hold away
};

const checker::Verdict& verdict_of(const model::RunResult& run, Property property) {
  return *std::ranges::find(*run.verdicts, property, &checker::Verdict::property);
}

}  // namespace

std::optional<AssumptionSet> ContractJudge::broken(const scenario::Scenario& scenario,
                                                   const model::RunResult& run,
                                                   Property property) const {
  const std::optional<AssumptionSet> assumed = lock_.contract.assumed_for(property);
  if (!assumed) return std::nullopt;
  const Inquiry inquiry(lock_, scenario, run);
  const checker::Verdict& verdict = verdict_of(run, property);
  const bool is_number_of_permits = lock_.state_shape == model::StateShape::permits;
  if (is_number_of_permits && waits_for_what_nobody_set(*run.observations, verdict))
    return std::nullopt;
  if (is_of_overtaken_writes(*run.observations, verdict)) return std::nullopt;
  if (property == Property::mutual_exclusion) {
    return inquiry.counted_overlap(*assumed, verdict).broken;
  }
  if (is_of_whole_run(property)) {
    Violation whole;
    whole.is_of_a_server = is_of_one_server(property, lock_.promises);
    AssumptionSet broken = inquiry.not_kept(*assumed, whole);
    // Where the contract says enough without messages, that counts.
    const bool is_asked = assumed->contains(Assumption::messages_arrive) || broken.empty();
    if (is_asked &&
        outlasts_healing(run.strike_spans, run.observations->healed.at_ns, scenario.redis,
                         lock_.state_nodes == model::StateNodes::quorum))
      broken.insert(Assumption::messages_arrive);
    const bool is_of_waiting =
        property == Property::no_deadlock || property == Property::no_lost_wakeup;
    if (is_of_waiting && has_leases(lock_) && inquiry.outlasts_leases(verdict)) {
      broken.erase(Assumption::messages_arrive);
      broken.erase(Assumption::calls_answered);
    }
    return broken;
  }
  if (is_of_each_evidence(property)) {
    return inquiry.counted_evidence(*assumed, verdict).broken;
  }
  Violation told = told_violation(verdict.evidence);
  // Whoever lost a lock may go on with it after it was told, or released it, in vain.
  told.is_of_answers = property == Property::lease_linearizability;
  if (told.is_of_answers) told.from_ns = 0;
  const AssumptionSet of_those_told = inquiry.not_kept(*assumed, told);
  // Whose release changed another's count, or whose hold kept another out, is not always told.
  const bool may_be_others = told.is_of_answers || property == Property::hold_count;
  if (!of_those_told.empty() || !may_be_others) return of_those_told;
  told.parties.clear();
  return inquiry.not_kept(*assumed, told);
}

bool ContractJudge::shows_limit(const scenario::Scenario& scenario,
                                const model::RunResult& run) const {
  const auto overlapping = lock_.contract.assumed_for(Property::mutual_exclusion);
  if (overlapping && Inquiry(lock_, scenario, run).has_excused_overlap(*overlapping)) return true;
  return std::any_of(run.verdicts->begin(), run.verdicts->end(), [&](const auto& verdict) {
    const bool is_overlap = verdict.property == Property::mutual_exclusion;
    if (verdict.kind != checker::VerdictKind::violated || is_overlap) return false;
    AssumptionSet excused = broken(scenario, run, verdict.property).value_or(AssumptionSet{});
    if (verdict.property != Property::harm) {
      // A hold that is used for too long breaks nothing else: it seems to excuse what the bug did.
      excused.erase(Assumption::holds_within_lease);
      excused.erase(Assumption::renewals_get_through);
    }
    return !excused.empty();
  });
}

void ContractJudge::tell_what_counts(const scenario::Scenario& scenario,
                                     const model::RunResult& run,
                                     std::vector<checker::Verdict>& verdicts) const {
  const Inquiry inquiry(lock_, scenario, run);
  for (checker::Verdict& verdict : verdicts) {
    const auto excuses = lock_.contract.assumed_for(verdict.property);
    const bool is_violated = verdict.kind == checker::VerdictKind::violated;
    if (!is_violated || !excuses || !is_of_each_evidence(verdict.property)) continue;
    put_first(inquiry.counted_evidence(*excuses, verdict).place, verdict);
  }
  const auto told =
      std::find_if(verdicts.begin(), verdicts.end(), [](const checker::Verdict& verdict) {
        return verdict.property == Property::mutual_exclusion &&
               verdict.kind == checker::VerdictKind::violated;
      });
  const auto assumed = lock_.contract.assumed_for(Property::mutual_exclusion);
  if (told == verdicts.end() || !assumed) return;
  const Inquiry::CountedOverlap counted = inquiry.counted_overlap(*assumed, *told);
  if (counted.earlier == nullptr) return;
  if (!tells_of(*told, *counted.earlier, *counted.later)) {
    checker::MutualExclusion().tell({*run.names, *run.history, *run.observations}, *counted.earlier,
                                    *counted.later, *told);
  }
  std::string_view excuse;  // one is enough
  counted.broken_at_first.visit([&](Assumption each) { excuse = model::where_broken(each); });
  if (counted.broken.empty() && !excuse.empty()) {
    told->summary += std::string(", which is excused: ").append(excuse);
  }
}

}  // namespace lockstep::search
