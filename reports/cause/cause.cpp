#include "reports/cause/cause.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

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

  std::vector<Cause> find() {
    const bool is_violated = std::any_of(
        verdicts_.begin(), verdicts_.end(),
        [](const auto& verdict) { return verdict.kind == checker::VerdictKind::violated; });
    if (!is_violated || facts_.events().empty()) return {};
    look_into_verdicts();
    if (causes_.empty() && &verdicts_ != &example_.verdicts) {
      // What else broke in the run may show what is not to be seen of this alone.
      CauseFinder all(example_, example_.verdicts);
      all.look_into_verdicts();
      if (!all.causes_.empty()) return all.told();
    }
    return told();
  }

 private:
  void look_into_verdicts() {
    for (const checker::Verdict& verdict : verdicts_) {
      if (verdict.kind == checker::VerdictKind::violated) explain_verdict(verdict);
    }
    put_duplicates_first();
    put_old_masters_first();
  }

  /// Where nothing is known the faults, and what those did whom it befell.
  std::vector<Cause> told() {
    const bool is_unexplained = causes_.empty();
    if (is_unexplained) name_the_last_write();
    if (is_unexplained || has_waited_) name_the_faults();
    if (is_unexplained) {
      Cause steps;
      steps.says = explain_by_steps(facts_, verdicts_);
      add(std::move(steps));
    }
    keep_the_first_sentences();
    return std::move(causes_);
  }

  void keep_the_first_sentences() {
    std::size_t left = sentences_max;
    for (Cause& cause : causes_) {
      if (cause.says.size() > left) cause.says.resize(left);
      left -= cause.says.size();
    }
    std::erase_if(causes_, [](const Cause& cause) { return cause.says.empty(); });
  }

  /// Once: two properties that break for one reason have one cause.
  void add(Cause cause) {
    std::erase_if(cause.says, [&](const std::string& sentence) {
      return sentence.empty() ||
             std::any_of(causes_.begin(), causes_.end(), [&](const Cause& known) {
               return std::find(known.says.begin(), known.says.end(), sentence) != known.says.end();
             });
    });
    const bool is_known = std::any_of(causes_.begin(), causes_.end(), [&](const Cause& known) {
      return (known.kind == CauseKind::unknown_grant || cause.kind == CauseKind::unknown_grant) &&
             is_of_one_hold(known.kind) && is_of_one_hold(cause.kind) &&
             known.culprit == cause.culprit && known.at_ns == cause.at_ns;
    });
    if (!cause.says.empty() && !is_known) causes_.push_back(std::move(cause));
  }
  /// That somebody has a hold without knowing it, told of itself or of who waits for it.
  static bool is_of_one_hold(CauseKind kind) {
    return kind == CauseKind::unknown_grant || kind == CauseKind::left_behind;
  }
  void add(std::vector<Cause> causes) {
    for (Cause& cause : causes) add(std::move(cause));
  }
  void add(std::optional<Cause> cause) {
    if (cause) add(*std::move(cause));
  }

  void explain_verdict(const checker::Verdict& verdict);
  void put_duplicates_first();
  void put_old_masters_first();
  [[nodiscard]] bool may_have_to_do_with(const DuplicateExecution& repeat,
                                         const checker::Verdict& verdict) const;
  void explain_waiting(const checker::Verdict& verdict);
  void explain_answer(const checker::Verdict& verdict);
  void explain_holds(const checker::Verdict& verdict);
  void explain_taken_from_others(const checker::Evidence& operation);
  void explain_set_for_others(const checker::Evidence& operation);
  void name_the_faults();
  void name_the_last_write();
  [[nodiscard]] std::string last_write_before(const checker::Moment& at) const;
  [[nodiscard]] std::string vain_step_before(std::string_view who, const checker::Moment& at) const;
  [[nodiscard]] bool is_told(std::string_view instant) const;
  void explain_residue(const checker::Verdict& verdict);
  void explain_lost_places(const checker::Verdict& verdict);

  const search::RunRecord& example_;
  const std::vector<checker::Verdict>& verdicts_;
  CauseFacts facts_;
  bool has_waited_ = false;
  std::vector<Cause> causes_;
};

/// When the last of what it tells began, or was over.
sim::TimeNs came_about_by(const checker::Verdict& verdict) {
  sim::TimeNs by_ns = 0;
  for (const checker::Evidence& each : verdict.evidence) {
    by_ns = std::max(by_ns, each.until.value_or(each.from).at_ns);
  }
  return by_ns;
}

void CauseFinder::explain_verdict(const checker::Verdict& verdict) {
  const auto& evidence = verdict.evidence;
  const auto has_name = [](const checker::Evidence& one) { return one.who != checker::no_name; };
  if (evidence.empty()) return;
  if (verdict.property == Property::no_leak) return explain_residue(verdict);
  if (!has_name(evidence[0])) return;
  switch (verdict.property) {
    case Property::mutual_exclusion:
      if (evidence.size() < 2 || !has_name(evidence[1])) return;
      return add(explain_overlap(facts_, evidence[0], evidence[1]));
    case Property::valid_grant:
      if (causes_.empty()) {
        add(explain_grant(facts_, example_.names.text(evidence[0].who), evidence[0].from));
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
    case Property::truthful_answers:
      return explain_answer(verdict);
    case Property::permits:
    case Property::latch:
      return add(explain_lost_count(facts_, came_about_by(verdict)));
    case Property::fencing:
      if (evidence.size() < 2 || !has_name(evidence[1])) return;
      return add(explain_fencing(facts_, evidence[0], evidence[1]));
    case Property::harm:
    case Property::no_leak:
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
  std::vector<Cause> told;
  for (DuplicateExecution& repeat : find_duplicates(facts_)) {
    const bool matters =
        std::any_of(verdicts_.begin(), verdicts_.end(), [&](const checker::Verdict& verdict) {
          return verdict.kind == checker::VerdictKind::violated &&
                 may_have_to_do_with(repeat, verdict);
        });
    if (matters && told.size() < repeats_told_max) told.push_back(std::move(repeat.cause));
  }
  causes_.insert(causes_.begin(), std::make_move_iterator(told.begin()),
                 std::make_move_iterator(told.end()));
}

bool is_of_a_grant_or_answer(CauseKind kind) {
  return kind == CauseKind::believed_refused || kind == CauseKind::answer_untrue;
}

/// What an old master granted or answered is why its client believed it; any other is told at the
/// end.
void CauseFinder::put_old_masters_first() {
  std::vector<Cause> granted;
  for (Cause& cause : explain_old_masters(facts_)) {
    const bool is_believed = std::any_of(causes_.begin(), causes_.end(), [&](const Cause& known) {
      return is_of_a_grant_or_answer(known.kind) && known.culprit == cause.culprit &&
             known.at_ns >= cause.at_ns;
    });
    if (is_believed) {
      granted.push_back(std::move(cause));
    } else {
      add(std::move(cause));
    }
  }
  causes_.insert(causes_.begin(), std::make_move_iterator(granted.begin()),
                 std::make_move_iterator(granted.end()));
}

void CauseFinder::explain_holds(const checker::Verdict& verdict) {
  if (!causes_.empty()) return;
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (evidence.who == checker::no_name) continue;
    add(explain_unknown_hold(facts_, example_.names.text(evidence.who)));
  }
  if (!causes_.empty()) return;
  explain_taken_from_others(verdict.evidence.front());
  if (causes_.empty()) explain_set_for_others(verdict.evidence.front());
  if (causes_.empty() && verdict.property == Property::hold_count) {
    const checker::Evidence& counted = verdict.evidence.front();
    const std::string& owner = example_.names.text(counted.who);
    const std::string takings =
        unlike_takings(facts_, owner, facts_.event_after(counted.from.at_ns));
    if (!takings.empty()) {
      Cause cause;
      cause.kind = CauseKind::count_wrong;
      cause.victim = brief(owner);
      cause.at_ns = counted.from.at_ns;
      cause.says.push_back(fmt::format("{} had taken it {}.", brief(owner), takings));
      add(std::move(cause));
    }
  }
  if (!causes_.empty() || verdict.property != Property::lease_linearizability) return;
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (evidence.who == checker::no_name || !causes_.empty()) continue;
    add(explain_loss(facts_, example_.names.text(evidence.who), facts_.events().size()));
  }
  // A release that comes to nothing may give back what an earlier one gave back already: a vote's,
  // which had not been taken on the same nodes both times.
  const checker::Evidence& refused = verdict.evidence.front();
  const std::string& owner = example_.names.text(refused.who);
  if (!causes_.empty() || !facts_.is_quorum(owner)) return;
  add(explain_own_loss(facts_, owner, facts_.event_after(refused.from.at_ns)));
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
      add(explain_loss_at(facts_, actor.name, index));
    }
  }
}

/// What was answered, and how the lock came to be other than that.
void CauseFinder::explain_answer(const checker::Verdict& verdict) {
  const checker::Evidence& answered = verdict.evidence.front();
  const std::string& who = example_.names.text(answered.who);
  if (std::optional<Cause> held = explain_unknown_hold(facts_, who)) return add(std::move(held));
  if (!causes_.empty()) return;
  Cause cause;
  cause.kind = CauseKind::answer_untrue;
  cause.victim = brief(who);
  cause.culprit = brief(who);
  const checker::Moment& at = answered.until.value_or(answered.from);
  cause.at_ns = at.at_ns;
  cause.says.push_back(sanitized(verdict.summary) + ".");
  cause.says.push_back(vain_step_before(cause.victim, answered.from));
  const bool is_refused = verdict.summary.find("answered no") != std::string::npos;
  if (is_refused) cause.says.push_back(last_write_before(answered.from));
  add(std::move(cause));
  add(explain_loss(
      facts_, who,
      std::min<EventIndex>(static_cast<EventIndex>(at.order) + 1, facts_.events().size())));
}

/// Whose lease the operation set that had no lock to set one of.
void CauseFinder::explain_set_for_others(const checker::Evidence& operation) {
  const std::string& by = example_.names.text(operation.who);
  const sim::TimeNs until_ns = (operation.until ? *operation.until : operation.from).at_ns;
  for (EventIndex index = 0; index < facts_.events().size(); ++index) {
    const Event& event = facts_.events()[index];
    if (event.at > until_ns) return;
    const bool is_its = event.kind == model_kind::lock_changed && event.text("by") == by &&
                        event.text("cause") == "renewal" && event.at >= operation.from.at_ns;
    const Event* const command = is_its ? facts_.command_at(index) : nullptr;
    const Event* const before =
        command == nullptr ? nullptr : facts_.state_before(index, event.text("lock"));
    if (before == nullptr || holds(holders_from(before->text("holders")), by)) continue;
    const std::string holders = facts_.holders_before(index, event.text("lock"));
    if (holders.empty()) continue;
    Cause cause;
    if (lease_end_of(event) < lease_end_of(*before)) cause.kind = CauseKind::lease_shortened;
    cause.victim = holders;
    cause.culprit = brief(by);
    cause.operation = brief(command->text("label"));
    cause.server = facts_.actor_of(*command);
    cause.at_ns = command->at;
    cause.says.push_back(fmt::format("{}'s {}, executed on {} at {}, set the lease of {}.",
                                     brief(by), cause.operation, cause.server,
                                     milliseconds(command->at), holders));
    return add(std::move(cause));
  }
}

void CauseFinder::explain_lost_places(const checker::Verdict& verdict) {
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (evidence.who == checker::no_name) continue;
    const sim::TimeNs until_ns = evidence.until ? evidence.until->at_ns : example_.ended_at_ns;
    add(explain_lost_place(facts_, example_.names.text(evidence.who), {}, until_ns));
  }
}

/// Whose command left it behind; and where it is a waiter's, why that one waits still.
void CauseFinder::explain_residue(const checker::Verdict& verdict) {
  const checker::Evidence& first = verdict.evidence.front();
  const Event* const command = facts_.command_at(
      std::min<EventIndex>(static_cast<EventIndex>(first.from.order), facts_.events().size() - 1));
  const bool has_no_ttl = first.what.find("no TTL") != std::string::npos;
  if (has_no_ttl && command != nullptr && command->number("writes") > 0) {
    Cause cause;
    cause.kind = CauseKind::left_behind;
    cause.culprit = brief(command->text("on_behalf_of"));
    cause.operation = brief(command->text("label"));
    cause.server = facts_.actor_of(*command);
    cause.at_ns = command->at;
    cause.says.push_back(fmt::format("{}'s {}, executed on {} at {}, left the key without a TTL.",
                                     cause.culprit, cause.operation, cause.server,
                                     milliseconds(command->at)));
    add(std::move(cause));
  }
  if (has_waited_ || !causes_.empty()) return;
  for (const sim::Actor& actor : example_.trace.actors) {
    const Event* const asked = facts_.unanswered_step(actor);
    if (asked == nullptr) continue;
    const WaitSpan span{asked->at, facts_.events().back().at};
    add(explain_wait(facts_, actor.name, span));
    has_waited_ = true;
    return;
  }
}

void CauseFinder::explain_waiting(const checker::Verdict& verdict) {
  if (has_waited_) return;
  const checker::Evidence& waiting = verdict.evidence.front();
  const std::string& waiter = example_.names.text(waiting.who);
  const WaitSpan span{waiting.from.at_ns,
                      waiting.until ? waiting.until->at_ns : facts_.events().back().at};
  add(explain_wait(facts_, waiter, span));
  has_waited_ = true;
}

/// Whether some sentence names this instant: then what happened there is told.
bool CauseFinder::is_told(std::string_view instant) const {
  for (const Cause& cause : causes_) {
    for (const std::string& sentence : cause.says) {
      for (std::size_t at = sentence.find(instant); at != std::string::npos;
           at = sentence.find(instant, at + 1)) {
        if (at > 0 && sentence[at - 1] == ' ') return true;
      }
    }
  }
  return false;
}

/// "The last that wrote before was a/1's release, executed on n1 at 1 ms."
std::string CauseFinder::last_write_before(const checker::Moment& at) const {
  const EventIndex end =
      std::min<EventIndex>(static_cast<EventIndex>(at.order), facts_.events().size());
  for (EventIndex index = end; index-- > 0;) {
    const Event& event = facts_.events()[index];
    const bool is_write = event.kind == model_kind::command_executed && event.number("writes") > 0;
    if (!is_write) continue;
    return fmt::format("The last that wrote before was {}'s {}, executed on {} at {}.",
                       brief(event.text("on_behalf_of")), brief(event.text("label")),
                       facts_.actor_of(event), milliseconds(event.at));
  }
  return {};
}

/// "a/1's extend had come to nothing at 2 ms.": of the steps before the one that was answered the
/// last, and only where that is so.
std::string CauseFinder::vain_step_before(std::string_view who, const checker::Moment& at) const {
  for (EventIndex index =
           std::min<EventIndex>(static_cast<EventIndex>(at.order), facts_.events().size());
       index-- > 0;) {
    const Event& event = facts_.events()[index];
    if (event.kind != model_kind::step_completed || facts_.actor_of(event) != who) continue;
    if (event.text("outcome") == "ok") return {};
    return fmt::format("{}'s {} had come to nothing at {}.", who, brief(event.text("step")),
                       milliseconds(event.at));
  }
  return {};
}

/// Of what is left behind, or refused, though nobody has it.
void CauseFinder::name_the_last_write() {
  for (const checker::Verdict& verdict : verdicts_) {
    const bool is_asked = verdict.kind == checker::VerdictKind::violated &&
                          verdict.property == Property::no_leak && !verdict.evidence.empty();
    if (!is_asked) continue;
    Cause cause;
    cause.at_ns = verdict.evidence.front().from.at_ns;
    cause.says.push_back(last_write_before(verdict.evidence.front().from));
    return add(std::move(cause));
  }
}

/// Better than nothing: what came before.
void CauseFinder::name_the_faults() {
  Cause faults;
  const std::vector<StruckFault> struck = struck_faults(example_);
  const bool are_told = std::all_of(struck.begin(), struck.end(), [this](const StruckFault& fault) {
    return fault.at_ns > 0 && is_told(milliseconds(fault.at_ns));
  });
  if (are_told) return;
  for (std::size_t i = 0; i < struck.size();) {
    const sim::TimeNs at_ns = struck[i].at_ns;
    std::vector<std::string> together;
    for (; i < struck.size() && struck[i].at_ns == at_ns; ++i) together.push_back(struck[i].what);
    if (faults.says.empty()) faults.at_ns = at_ns;
    faults.says.push_back(
        together.size() == 1
            ? fmt::format("At {} a fault struck: {}.", milliseconds(at_ns), together.front())
            : fmt::format("At {} {} faults struck: {}.", milliseconds(at_ns), together.size(),
                          fmt::join(together, "; ")));
  }
  if (causes_.empty()) return add(std::move(faults));
  // Of a wait that is explained they are a part of what is known.
  std::move(faults.says.begin(), faults.says.end(), std::back_inserter(causes_.back().says));
}

bool is_same(const Cause& one, const Cause& other) {
  return one.kind == other.kind && one.victim == other.victim && one.culprit == other.culprit &&
         one.operation == other.operation;
}

/// Of these verdicts of a run alone; of harm also what went wrong before it, which only a lock that
/// promises it may be blamed for.
std::vector<Cause> found_in(const search::RunRecord& run, Property property) {
  std::vector<checker::Verdict> asked;
  std::copy_if(
      run.verdicts.begin(), run.verdicts.end(), std::back_inserter(asked),
      [property](const checker::Verdict& verdict) {
        return verdict.property == property ||
               (property == Property::harm && (verdict.property == Property::mutual_exclusion ||
                                               verdict.property == Property::valid_grant));
      });
  return CauseFinder(run, asked).find();
}

/// Without what only a fault that the violations do not need makes look like a cause; all of them,
/// where the runs without it break in another way. `is_asked` says of which properties they are.
template <typename IsAsked>
std::vector<Cause> tested(const search::RunRecord& example, std::vector<Cause> causes,
                          IsAsked is_asked) {
  if (!example.with_fewer_faults) return causes;
  std::vector<Cause> of_tests;
  for (const search::RunWithFewerFaults& each : *example.with_fewer_faults) {
    if (!is_asked(each.property)) continue;
    // Where a property needs all faults the run itself was the test.
    for (Cause& cause : found_in(each.run == nullptr ? example : *each.run, each.property)) {
      of_tests.push_back(std::move(cause));
    }
  }
  for (Cause& cause : causes) {
    cause.is_tested = std::any_of(of_tests.begin(), of_tests.end(),
                                  [&](const Cause& other) { return is_same(cause, other); });
  }
  const auto is_refuted = [](const Cause& cause) { return !*cause.is_tested; };
  if (!std::all_of(causes.begin(), causes.end(), is_refuted)) std::erase_if(causes, is_refuted);
  return causes;
}

}  // namespace

std::string_view to_string(CauseKind kind) {
  switch (kind) {
    case CauseKind::lease_ended:
      return "lease-ended";
    case CauseKind::lease_shortened:
      return "lease-shortened";
    case CauseKind::clock:
      return "clock";
    case CauseKind::removed:
      return "removed";
    case CauseKind::erased:
      return "erased";
    case CauseKind::lost_by_server:
      return "lost-by-server";
    case CauseKind::old_master:
      return "old-master";
    case CauseKind::believed_refused:
      return "believed-refused";
    case CauseKind::unknown_grant:
      return "unknown-grant";
    case CauseKind::executed_twice:
      return "executed-twice";
    case CauseKind::late_reply:
      return "late-reply";
    case CauseKind::split_vote:
      return "split-vote";
    case CauseKind::message_lost:
      return "message-lost";
    case CauseKind::never_woken:
      return "never-woken";
    case CauseKind::woken_one_lost:
      return "woken-one-lost";
    case CauseKind::left_behind:
      return "left-behind";
    case CauseKind::held:
      return "held";
    case CauseKind::waits_for_itself:
      return "waits-for-itself";
    case CauseKind::place_lost:
      return "place-lost";
    case CauseKind::overtaken:
      return "overtaken";
    case CauseKind::count_wrong:
      return "count-wrong";
    case CauseKind::answer_untrue:
      return "answer-untrue";
    case CauseKind::unknown:
      return "unknown";
  }
  return "";
}

std::vector<Cause> causes_of(const search::RunRecord& example) {
  return tested(example, CauseFinder(example, example.verdicts).find(),
                [](Property) { return true; });
}

std::vector<Cause> causes_of(const search::RunRecord& example, Property property) {
  return tested(example, found_in(example, property),
                [property](Property tried) { return tried == property; });
}

std::vector<std::string> sentences_of(const std::vector<Cause>& causes) {
  std::vector<std::string> sentences;
  for (const Cause& cause : causes) {
    sentences.insert(sentences.end(), cause.says.begin(), cause.says.end());
  }
  return sentences;
}

std::vector<std::string> explain(const search::RunRecord& example) {
  return sentences_of(CauseFinder(example, example.verdicts).find());
}

std::vector<std::string> explain(const search::RunRecord& example, Property property) {
  return sentences_of(found_in(example, property));
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
