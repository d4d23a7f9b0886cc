#include "model/faults/effects/strike_rivals.h"

#include <iterator>
#include <vector>

namespace lockstep::model::strikes {
namespace {

/// Whether two owners ever wanted the same lock, one of them for itself alone: else no claim has a
/// rival, and none is looked for.
bool any_are_rivals(const StrikeQuestion& question) {
  struct Wanted {
    checker::NameId lock;
    checker::NameId owner;
    bool by_several = false;
    bool exclusively = false;
  };
  std::vector<Wanted> wanted;  // by lock: there are few
  const auto makes_rivals = [&wanted](const auto& claim) {
    auto found = std::find_if(wanted.begin(), wanted.end(),
                              [&](const Wanted& each) { return each.lock == claim.lock; });
    if (found == wanted.end()) found = wanted.insert(found, {claim.lock, claim.owner});
    found->by_several = found->by_several || found->owner != claim.owner;
    found->exclusively = found->exclusively || claim.mode != checker::HoldMode::shared;
    return found->by_several && found->exclusively;
  };
  const checker::Observations& observations = observations_of(question);
  return std::any_of(observations.waits.begin(), observations.waits.end(), makes_rivals) ||
         std::any_of(observations.beliefs.begin(), observations.beliefs.end(), makes_rivals);
}

/// Until when the owner of a hold counts on it: who dies leaves it behind.
checker::Moment end_of_claim(const StrikeQuestion& question, const checker::Belief& belief) {
  return belief.end == checker::BeliefEnd::crashed ? observations_of(question).ended : belief.until;
}

/// The belief that the owner has then, or that the answer to its call gives it later; none: it does
/// not count on the lock.
const checker::Belief* belief_of(const StrikeQuestion& question, checker::NameId owner,
                                 checker::NameId lock, const checker::Moment& at) {
  const auto& beliefs = observations_of(question).beliefs;
  const auto found =
      std::find_if(beliefs.begin(), beliefs.end(), [&](const checker::Belief& belief) {
        return belief.owner == owner && belief.lock == lock && !(belief.until < at);
      });
  if (found == beliefs.end()) return nullptr;
  if (!(at < found->from)) return &*found;
  const auto& waits = observations_of(question).waits;
  const bool is_under_way = std::any_of(waits.begin(), waits.end(), [&](const checker::Wait& wait) {
    return wait.owner == owner && wait.lock == lock && !(at < wait.from) &&
           !(found->from < wait.until) && !(wait.until < at);
  });
  return is_under_way ? &*found : nullptr;
}

bool another_has_it_at(const StrikeQuestion& question, const checker::Operation& operation,
                       const checker::Moment& at) {
  const auto& beliefs = observations_of(question).beliefs;
  return std::any_of(beliefs.begin(), beliefs.end(), [&](const checker::Belief& belief) {
    return belief.lock == operation.lock && belief.owner != operation.owner && belief.from < at &&
           at < belief.until;
  });
}

/// Until a server has heard it, it can't be given anything.
sim::TimeNs may_have_it_from(const checker::Wait& wait) {
  return std::max(wait.from.at_ns, wait.heard_ns);
}
sim::TimeNs may_have_it_from(const checker::Belief& belief) { return belief.from.at_ns; }

sim::TimeNs may_have_it_from(const StrikeQuestion& question, const checker::Operation& operation) {
  if (operation.kind != checker::OperationKind::acquire) return operation.invoked.at_ns;
  const auto& waits = observations_of(question).waits;
  const auto after = std::partition_point(
      waits.begin(), waits.end(),
      [&](const checker::Wait& wait) { return !(operation.invoked < wait.from); });
  const auto found =
      std::find_if(std::make_reverse_iterator(after), waits.rend(), [&](const checker::Wait& wait) {
        return wait.owner == operation.owner && wait.lock == operation.lock;
      });
  const bool is_its = found != waits.rend() && !(found->until < operation.invoked);
  return is_its ? may_have_it_from(*found) : operation.invoked.at_ns;
}

/// And until it is told, it does not know.
sim::TimeNs may_believe_from(const checker::Wait& wait) {
  return std::max(wait.from.at_ns, wait.told_ns);
}
sim::TimeNs may_believe_from(const checker::Belief& belief) { return belief.from.at_ns; }

}  // namespace

bool has_rival(const StrikeQuestion& question, const Claim& claim) {
  const checker::Observations& observations = observations_of(question);
  const auto is_rival = [&claim](const auto& each) {
    const bool both_share =
        claim.mode == checker::HoldMode::shared && each.mode == checker::HoldMode::shared;
    return each.lock == claim.lock && each.owner != claim.owner && !both_share &&
           each.until.at_ns >= claim.from_ns && may_believe_from(each) <= claim.until_ns;
  };
  const auto any_before_the_end = [&](const auto& all) {
    const auto end = std::partition_point(all.begin(), all.end(), [&](const auto& each) {
      return each.from.at_ns <= claim.until_ns;
    });
    // The last ones first: they overlap.
    return std::any_of(std::make_reverse_iterator(end), all.rend(), is_rival);
  };
  return any_before_the_end(observations.waits) || any_before_the_end(observations.beliefs);
}

sim::TimeNs end_of_waiting(const StrikeQuestion& question, const checker::Operation& operation) {
  sim::TimeNs until_ns = operation.invoked.at_ns;
  if (operation.kind != checker::OperationKind::acquire) return until_ns;
  const checker::Moment end = end_of(question, operation);
  for (const checker::HoldChange& change : observations_of(question).hold_changes) {
    if (change.lock != operation.lock || change.at < operation.invoked) continue;
    if (end < change.at) break;
    const bool is_own = change.owner == operation.owner;
    if (is_own && change.count_after > change.count_before) return until_ns;
    if (!is_own && change.count_after < change.count_before) until_ns = change.at.at_ns;
  }
  const bool was_refused = operation.outcome == checker::Outcome::fail;
  return was_refused && another_has_it_at(question, operation, end) ? end.at_ns : until_ns;
}

bool was_over_while_it_waited(const StrikeQuestion& question, const checker::Operation& operation) {
  const StrikeSpan& span = question.span;
  if (!question.concerns_clients() || span.until_ns == sim::never_ns) return false;
  return span.until_ns + span.by_ns < end_of_waiting(question, operation);
}

namespace {

/// What was sent for a call may be under way when the call has ended.
sim::TimeNs end_of_what_was_sent(const StrikeQuestion& question,
                                 const checker::Operation& operation) {
  const sim::TimeNs until_ns = end_of(question, operation).at_ns;
  const bool is_open_end = question.span.until_ns == sim::never_ns;
  return question.span.is_of_call && !is_open_end ? std::max(until_ns, question.span.until_ns)
                                                  : until_ns;
}

}  // namespace

bool a_rival_met(const StrikeQuestion& question, const checker::Operation& operation) {
  // Not what struck as it had ended.
  return end_of(question, operation).at_ns > question.span.from_ns &&
         has_rival(question, {operation.owner, operation.lock, operation.mode,
                              std::max(question.since(operation.invoked),
                                       may_have_it_from(question, operation)),
                              end_of_what_was_sent(question, operation)});
}

bool a_rival_met_a_call(const StrikeQuestion& question) {
  return any_are_rivals(question) && any_operation(question, [&](const checker::Operation& each) {
           return a_rival_met(question, each);
         });
}

bool a_rival_met_its_call(const StrikeQuestion& question, const checker::HoldChange& change) {
  return any_operation(question, [&](const checker::Operation& each) {
    const bool is_of_hold = each.kind != checker::OperationKind::acquire ||
                            !(change.at < each.invoked);  // else it is of another one
    return each.owner == change.owner && each.lock == change.lock && is_of_hold &&
           change.at.at_ns <= end_of_what_was_sent(question, each) && a_rival_met(question, each);
  });
}

bool a_rival_wanted(const StrikeQuestion& question) {
  if (!question.facts.excludes) return true;
  if (!any_are_rivals(question)) return false;
  if (a_rival_met_a_call(question)) return true;
  const checker::Observations& observations = observations_of(question);
  const bool of_a_hold = std::any_of(
      observations.beliefs.begin(), observations.beliefs.end(), [&](const checker::Belief& belief) {
        if (!question.concerns(belief.owner)) return false;
        const checker::Moment until = end_of_claim(question, belief);
        return question.meets(belief.from, until) &&
               has_rival(question, {belief.owner, belief.lock, belief.mode,
                                    question.since(belief.from), until.at_ns});
      });
  if (of_a_hold) return true;
  return std::any_of(
      observations.waits.begin(), observations.waits.end(), [&](const checker::Wait& wait) {
        if (!question.concerns(wait.owner) || !question.meets(wait.from, wait.until)) return false;
        checker::Moment until = wait.until;
        // Whose outcome is unknown may have left a hold behind.
        if (wait.end == checker::WaitEnd::failed || wait.end == checker::WaitEnd::crashed) {
          until = observations.ended;
        } else if (wait.end == checker::WaitEnd::granted) {
          const checker::Belief* belief = belief_of(question, wait.owner, wait.lock, wait.until);
          if (belief != nullptr) until = end_of_claim(question, *belief);
        }
        return has_rival(
            question, {wait.owner, wait.lock, wait.mode,
                       std::max(question.since(wait.from), may_have_it_from(wait)), until.at_ns});
      });
}

bool a_rival_wanted_meanwhile(const StrikeQuestion& question) {
  const checker::Observations& observations = observations_of(question);
  const auto meets = [&](const auto& each) { return question.meets(each.from, each.until); };
  if (!question.facts.excludes) {
    // Who is told of an error has neither passed nor been kept.
    return std::any_of(observations.waits.begin(), observations.waits.end(),
                       [&](const checker::Wait& wait) {
                         return meets(wait) && wait.end != checker::WaitEnd::failed;
                       });
  }
  if (!any_are_rivals(question)) return false;
  const auto has_one = [&](const auto& each) {
    return question.concerns(each.owner) && meets(each) &&
           has_rival(question, {each.owner, each.lock, each.mode,
                                std::max(question.since(each.from), may_have_it_from(each)),
                                std::min(each.until.at_ns, question.span.until_ns)});
  };
  return std::any_of(observations.beliefs.begin(), observations.beliefs.end(), has_one) ||
         std::any_of(observations.waits.begin(), observations.waits.end(), has_one);
}

bool two_might_have_it(const StrikeQuestion& question, sim::TimeNs since_ns) {
  if (!question.facts.excludes || !question.facts.has_holds) return true;
  const checker::Observations& observations = observations_of(question);
  const auto has_one = [&](const auto& each) {
    const sim::TimeNs from_ns = std::max(may_believe_from(each), since_ns);
    return from_ns <= each.until.at_ns &&
           has_rival(question, {each.owner, each.lock, each.mode, from_ns, each.until.at_ns});
  };
  return std::any_of(observations.beliefs.begin(), observations.beliefs.end(), has_one) ||
         (question.facts.is_vote &&
          std::any_of(observations.waits.begin(), observations.waits.end(), has_one));
}

bool a_request_was_sent(const StrikeQuestion& question) {
  const checker::Observations& observations = observations_of(question);
  const auto counts = [&](const checker::SentRequest& request) {
    if (!question.concerns_clients()) return true;
    const auto is_there = [&request](const auto& each) {
      return each.owner != request.owner && !(each.until < request.at);
    };
    return std::any_of(observations.waits.begin(), observations.waits.end(), is_there) ||
           std::any_of(observations.beliefs.begin(), observations.beliefs.end(), is_there);
  };
  return std::any_of(observations.requests.begin(), observations.requests.end(),
                     [&](const checker::SentRequest& each) {
                       return question.concerns(each.owner) && question.meets(each.at, each.at) &&
                              counts(each);
                     });
}

bool a_rival_came_after(const StrikeQuestion& question, const checker::HoldChange& change) {
  const checker::Belief* belief = belief_of(question, change.owner, change.lock, change.at);
  return belief != nullptr &&
         has_rival(question, {change.owner, change.lock, change.mode, change.at.at_ns,
                              end_of_claim(question, *belief).at_ns});
}

bool another_asked_after(const StrikeQuestion& question, const checker::HoldChange& change) {
  const checker::Belief* belief = belief_of(question, change.owner, change.lock, change.at);
  if (belief == nullptr) return false;
  const checker::Observations& observations = observations_of(question);
  const sim::TimeNs from_ns = change.at.at_ns - question.facts.run.slowest_hop_ns;
  const sim::TimeNs until_ns = end_of_claim(question, *belief).at_ns;
  const auto is_for_it = [&](const checker::SentRequest& request) {
    return request.owner != change.owner &&
           std::any_of(observations.waits.begin(), observations.waits.end(),
                       [&](const checker::Wait& wait) {
                         return wait.owner == request.owner && wait.lock == change.lock &&
                                !(request.at < wait.from) && !(wait.until < request.at);
                       });
  };
  const auto first = std::partition_point(
      observations.requests.begin(), observations.requests.end(),
      [&](const checker::SentRequest& each) { return each.at.at_ns < from_ns; });
  const auto end = std::partition_point(
      first, observations.requests.end(),
      [&](const checker::SentRequest& each) { return each.at.at_ns < until_ns; });
  return std::any_of(first, end, is_for_it) && a_rival_came_after(question, change);
}

bool a_wait_outlasted_it(const StrikeQuestion& question) {
  const auto& waits = observations_of(question).waits;
  return std::any_of(waits.begin(), waits.end(), [&](const checker::Wait& wait) {
    return question.concerns(wait.owner) && question.meets(wait.from, wait.until) &&
           wait.until.at_ns >= question.span.until_ns;
  });
}

bool was_waited_for(const StrikeQuestion& question) {
  const auto& waits = observations_of(question).waits;
  return std::any_of(waits.begin(), waits.end(), [&](const checker::Wait& wait) {
    return wait.from.at_ns <= question.span.from_ns && question.span.from_ns <= wait.until.at_ns;
  });
}

bool was_refused_for_nothing(const StrikeQuestion& question) {
  const auto& beliefs = observations_of(question).beliefs;
  const auto& waits = observations_of(question).waits;
  return std::any_of(waits.begin(), waits.end(), [&](const checker::Wait& wait) {
    const bool got_none =
        wait.end == checker::WaitEnd::refused || wait.end == checker::WaitEnd::failed;
    if (!got_none || !question.concerns(wait.owner) || !question.meets(wait.from, wait.until)) {
      return false;
    }
    // In order of their beginnings; who had the lock is mostly the last before the answer.
    const auto after = std::partition_point(
        beliefs.begin(), beliefs.end(),
        [&](const checker::Belief& belief) { return !(wait.until < belief.from); });
    return std::none_of(std::make_reverse_iterator(after), beliefs.rend(),
                        [&](const checker::Belief& belief) {
                          return belief.lock == wait.lock && !(belief.until < wait.from);
                        });
  });
}

bool a_waiter_could_be_served(const StrikeQuestion& question) {
  const checker::Observations& observations = observations_of(question);
  std::vector<checker::Moment>& waited_until = question.waited_until;  // by lock
  waited_until.assign(question.facts.run.names.size(), checker::Moment{});
  auto wait = observations.waits.begin();
  for (auto each =
           std::partition_point(observations.availability.begin(), observations.availability.end(),
                                [&](const checker::Availability& earlier) {
                                  return earlier.at.at_ns < question.span.from_ns;
                                });
       each != observations.availability.end() && each->at.at_ns <= question.span.until_ns;
       ++each) {
    for (; wait != observations.waits.end() && wait->from < each->at; ++wait) {
      if (!question.concerns(wait->owner)) continue;
      checker::Moment& until = waited_until[static_cast<std::size_t>(wait->lock)];
      until = checker::later_of(until, wait->until);
    }
    const bool is_there = each->exclusive + each->shared > 0;
    if (is_there && each->at < waited_until[static_cast<std::size_t>(each->lock)]) return true;
  }
  return false;
}

bool permits_were_set_since(const StrikeQuestion& question, sim::TimeNs at_ns) {
  const auto& sets = observations_of(question).permits_set;
  return std::any_of(sets.begin(), sets.end(),
                     [at_ns](const checker::PermitsSet& each) { return each.at.at_ns >= at_ns; });
}

bool permits_were_lost(const StrikeQuestion& question) {
  const auto& changes = observations_of(question).number_changes;
  const auto first = std::partition_point(
      changes.begin(), changes.end(),
      [&](const checker::NumberChange& each) { return each.at.at_ns < question.span.from_ns; });
  return std::any_of(first, changes.end(), [&](const checker::NumberChange& change) {
    if (change.at.at_ns > question.span.from_ns || change.number > 0) return false;
    const auto before =
        std::find_if(std::make_reverse_iterator(first), changes.rend(),
                     [&](const checker::NumberChange& each) { return each.lock == change.lock; });
    return before != changes.rend() && before->number > 0;
  });
}

bool a_shut_latch_was_waited_for(const StrikeQuestion& question) {
  const checker::Observations& observations = observations_of(question);
  return std::any_of(
      observations.waits.begin(), observations.waits.end(), [&](const checker::Wait& wait) {
        const sim::TimeNs from_ns =
            std::max(wait.from.at_ns, question.span.from_ns + unnoticed_for(question));
        std::int64_t number = 0;
        for (const checker::NumberChange& change : observations.number_changes) {
          if (change.at.at_ns > wait.until.at_ns) break;
          if (change.at.at_ns > from_ns && number > 0) return true;
          if (change.lock == wait.lock) number = change.number;
        }
        return number > 0 && from_ns <= wait.until.at_ns;
      });
}

bool was_come_to_since(const StrikeQuestion& question) {
  const sim::TimeNs from_ns = question.span.from_ns;
  const auto& waits = observations_of(question).waits;
  const auto& requests = observations_of(question).requests;
  const auto sent = std::partition_point(
      requests.begin(), requests.end(),
      [&](const checker::SentRequest& each) { return each.at.at_ns < from_ns; });
  return std::any_of(waits.begin(), waits.end(), [&](const checker::Wait& wait) {
    if (wait.from.at_ns >= from_ns) return true;
    return std::any_of(sent, requests.end(), [&](const checker::SentRequest& each) {
      return each.owner == wait.owner && each.at < wait.until;
    });
  });
}

}  // namespace lockstep::model::strikes
