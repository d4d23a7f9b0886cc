#include "reports/cause/cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "checker/property.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_facts.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "scenario/faults/fault_spec.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
using checker::milliseconds;
using checker::Property;
using Event = CauseFacts::Event;

constexpr std::size_t sentences_max = 8;
constexpr std::size_t repeats_told_max = 3;

class CauseFinder {
 public:
  CauseFinder(const search::RunRecord& example, const std::vector<checker::Verdict>& verdicts)
      : example_(example), verdicts_(verdicts), facts_(example) {}

  std::vector<std::string> explain() {
    const bool is_violated = std::any_of(
        verdicts_.begin(), verdicts_.end(),
        [](const auto& verdict) { return verdict.kind == checker::VerdictKind::violated; });
    if (!is_violated || facts_.events().empty()) return {};
    look_into_verdicts();
    if (sentences_.empty() && &verdicts_ != &example_.verdicts) {
      // What else broke in the run may show what is not to be seen of this alone.
      CauseFinder all(example_, example_.verdicts);
      all.look_into_verdicts();
      if (!all.sentences_.empty()) return all.told();
    }
    return told();
  }

 private:
  void look_into_verdicts() {
    for (const checker::Verdict& verdict : verdicts_) {
      if (verdict.kind == checker::VerdictKind::violated) explain_verdict(verdict);
    }
    put_duplicates_first();
    for (const std::string& sentence : explain_old_masters(facts_)) say(sentence);
  }

  /// Where nothing is known the faults, and what those did whom it befell.
  std::vector<std::string> told() {
    const bool is_unexplained = sentences_.empty();
    if (is_unexplained || has_waited_) name_the_faults();
    if (is_unexplained) {
      for (const std::string& sentence : explain_by_steps(facts_, verdicts_)) say(sentence);
    }
    if (sentences_.size() > sentences_max) sentences_.resize(sentences_max);
    return std::move(sentences_);
  }

  /// Once: two properties that break for one reason have one cause.
  void say(const std::string& sentence) {
    if (sentence.empty()) return;
    if (std::find(sentences_.begin(), sentences_.end(), sentence) == sentences_.end()) {
      sentences_.push_back(sentence);
    }
  }

  void explain_verdict(const checker::Verdict& verdict);
  void put_duplicates_first();
  [[nodiscard]] bool may_have_to_do_with(const DuplicateExecution& repeat,
                                         const checker::Verdict& verdict) const;
  void explain_waiting(const checker::Verdict& verdict);
  void explain_holds(const checker::Verdict& verdict);
  void explain_taken_from_others(const checker::Evidence& operation);
  void name_the_faults();
  void explain_residue(const checker::Verdict& verdict);
  void explain_lost_places(const checker::Verdict& verdict);

  const search::RunRecord& example_;
  const std::vector<checker::Verdict>& verdicts_;
  CauseFacts facts_;
  bool has_waited_ = false;
  std::vector<std::string> sentences_;
};

void CauseFinder::explain_verdict(const checker::Verdict& verdict) {
  const auto& evidence = verdict.evidence;
  const auto has_name = [](const checker::Evidence& one) { return one.who != checker::no_name; };
  if (evidence.empty()) return;
  if (verdict.property == Property::no_leak) return explain_residue(verdict);
  if (!has_name(evidence[0])) return;
  switch (verdict.property) {
    case Property::mutual_exclusion:
      if (evidence.size() < 2 || !has_name(evidence[1])) return;
      for (const std::string& sentence : explain_overlap(facts_, evidence[0], evidence[1])) {
        say(sentence);
      }
      return;
    case Property::valid_grant:
      if (sentences_.empty()) {
        for (const std::string& sentence :
             explain_grant(facts_, example_.names.text(evidence[0].who), evidence[0].from)) {
          say(sentence);
        }
      }
      return;
    case Property::lease_linearizability:
    case Property::hold_count:
      return explain_holds(verdict);
    case Property::no_deadlock:
    case Property::no_lost_wakeup:
    case Property::no_starvation:
      return explain_waiting(verdict);
    case Property::fifo:
      return explain_lost_places(verdict);
    case Property::harm:
    case Property::no_leak:
    case Property::fencing:
    case Property::permits:
    case Property::latch:
    case Property::truthful_answers:
      return;
  }
}

/// Of the holds of some only what they did themselves; and nothing that came when all was over.
bool CauseFinder::may_have_to_do_with(const DuplicateExecution& repeat,
                                      const checker::Verdict& verdict) const {
  const bool is_of_holds = verdict.property == Property::mutual_exclusion ||
                           verdict.property == Property::valid_grant ||
                           verdict.property == Property::lease_linearizability ||
                           verdict.property == Property::hold_count;
  bool is_named = false;
  sim::TimeNs over_ns = 0;
  for (const checker::Evidence& each : verdict.evidence) {
    over_ns = std::max(over_ns, each.until ? each.until->at_ns : sim::never_ns);
    is_named = is_named || (each.who != checker::no_name &&
                            brief(example_.names.text(each.who)) == repeat.thread);
  }
  return (is_named || !is_of_holds) && facts_.events()[repeat.again].at <= over_ns;
}

void CauseFinder::put_duplicates_first() {
  std::vector<std::string> told;
  for (const DuplicateExecution& repeat : find_duplicates(facts_)) {
    const bool matters =
        std::any_of(verdicts_.begin(), verdicts_.end(), [&](const checker::Verdict& verdict) {
          return verdict.kind == checker::VerdictKind::violated &&
                 may_have_to_do_with(repeat, verdict);
        });
    if (matters && told.size() < repeats_told_max) told.push_back(repeat.sentence);
  }
  sentences_.insert(sentences_.begin(), told.begin(), told.end());
}

void CauseFinder::explain_holds(const checker::Verdict& verdict) {
  if (!sentences_.empty()) return;
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (evidence.who == checker::no_name) continue;
    say(explain_unknown_hold(facts_, example_.names.text(evidence.who)));
  }
  if (!sentences_.empty()) return;
  explain_taken_from_others(verdict.evidence.front());
  if (sentences_.empty() && verdict.property == Property::hold_count) {
    const std::string& owner = example_.names.text(verdict.evidence.front().who);
    const std::string takings =
        unlike_takings(facts_, owner, facts_.event_after(verdict.evidence.front().from.at_ns));
    if (!takings.empty()) say(fmt::format("{} had taken it {}.", brief(owner), takings));
  }
  if (!sentences_.empty() || verdict.property != Property::lease_linearizability) return;
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (evidence.who == checker::no_name || !sentences_.empty()) continue;
    for (const std::string& sentence :
         explain_loss(facts_, example_.names.text(evidence.who), facts_.events().size())) {
      say(sentence);
    }
  }
  // A release that comes to nothing may give back what an earlier one gave back already: a vote's,
  // which had not been taken on the same nodes both times.
  const checker::Evidence& refused = verdict.evidence.front();
  const std::string& owner = example_.names.text(refused.who);
  if (!sentences_.empty() || !facts_.is_quorum(owner)) return;
  const EventIndex before = facts_.event_after(refused.from.at_ns);
  for (const std::string& sentence : explain_own_loss(facts_, owner, before)) say(sentence);
}

/// Whose lock the operation ended that came to nothing, or should have.
void CauseFinder::explain_taken_from_others(const checker::Evidence& operation) {
  const std::string by = example_.names.text(operation.who);
  const sim::TimeNs until_ns = (operation.until ? *operation.until : operation.from).at_ns;
  for (EventIndex index = 0; index < facts_.events().size(); ++index) {
    const Event& event = facts_.events()[index];
    if (event.at > until_ns) return;
    const bool is_its = event.kind == model_kind::lock_changed && event.text("by") == by &&
                        event.at >= operation.from.at_ns;
    if (!is_its) continue;
    for (const sim::Actor& actor : example_.trace.actors) {
      if (actor.kind != "client-thread" || actor.name == by) continue;
      for (const std::string& sentence : explain_loss_at(facts_, actor.name, index)) say(sentence);
    }
  }
}

void CauseFinder::explain_lost_places(const checker::Verdict& verdict) {
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (evidence.who == checker::no_name) continue;
    const sim::TimeNs until_ns = evidence.until ? evidence.until->at_ns : example_.ended_at_ns;
    say(explain_lost_place(facts_, example_.names.text(evidence.who), {}, until_ns));
  }
}

/// Whose command left it behind; and where it is a waiter's, why that one waits still.
void CauseFinder::explain_residue(const checker::Verdict& verdict) {
  const checker::Evidence& first = verdict.evidence.front();
  const Event* const command = facts_.command_at(
      std::min<EventIndex>(static_cast<EventIndex>(first.from.order), facts_.events().size() - 1));
  const bool has_no_ttl = first.what.find("no TTL") != std::string::npos;
  if (has_no_ttl && command != nullptr && command->number("writes") > 0) {
    say(fmt::format("{}'s {}, executed on {} at {}, left the key without a TTL.",
                    brief(command->text("on_behalf_of")), brief(command->text("label")),
                    facts_.actor_of(*command), milliseconds(command->at)));
  }
  if (has_waited_ || !sentences_.empty()) return;
  for (const sim::Actor& actor : example_.trace.actors) {
    const Event* const asked = facts_.unanswered_step(actor);
    if (asked == nullptr) continue;
    const WaitSpan span{asked->at, facts_.events().back().at};
    for (const std::string& sentence : explain_wait(facts_, actor.name, span)) say(sentence);
    has_waited_ = true;
    return;
  }
}

void CauseFinder::explain_waiting(const checker::Verdict& verdict) {
  if (has_waited_) return;
  const std::size_t before = sentences_.size();
  const checker::Evidence& waiting = verdict.evidence.front();
  if (facts_.is_quorum(example_.names.text(waiting.who))) {
    for (const sim::Actor& actor : example_.trace.actors) {
      if (actor.kind != "client-thread") continue;
      say(explain_split_vote(facts_, actor.name, facts_.events().size()));
    }
  }
  if (sentences_.size() == before) {
    const WaitSpan span{waiting.from.at_ns,
                        waiting.until ? waiting.until->at_ns : facts_.events().back().at};
    for (const std::string& sentence :
         explain_wait(facts_, example_.names.text(waiting.who), span)) {
      say(sentence);
    }
  }
  has_waited_ = true;
}

/// Better than nothing: what came before.
void CauseFinder::name_the_faults() {
  for (const StruckFault& fault : struck_faults(example_)) {
    say(fmt::format("At {} a fault struck: {}.", milliseconds(fault.at_ns), fault.what));
  }
}

}  // namespace

std::vector<std::string> explain(const search::RunRecord& example) {
  return CauseFinder(example, example.verdicts).explain();
}

std::vector<std::string> explain(const search::RunRecord& example, Property property) {
  // Harm comes of what went wrong before it, which only a lock that promises it may be blamed for.
  const auto is_asked = [property](const checker::Verdict& verdict) {
    return verdict.property == property ||
           (property == Property::harm && (verdict.property == Property::mutual_exclusion ||
                                           verdict.property == Property::valid_grant));
  };
  std::vector<checker::Verdict> asked;
  std::copy_if(example.verdicts.begin(), example.verdicts.end(), std::back_inserter(asked),
               is_asked);
  return CauseFinder(example, asked).explain();
}

std::vector<StruckFault> struck_faults(const search::RunRecord& example) {
  std::vector<StruckFault> faults;
  for (const Event& event : example.trace.events) {
    if (event.kind != model_kind::fault_struck) continue;
    faults.push_back({event.at, brief(event.text("what"), 200)});
  }
  return faults;
}

}  // namespace lockstep::reports
