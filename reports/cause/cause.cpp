#include "reports/cause/cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_facts.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
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
      std::erase_if(all.causes_, [&](const Cause& cause) { return cause.at_ns > over_ns(); });
      if (!all.causes_.empty()) return all.told();
    }
    if (causes_.empty()) explain_late_writes();
    return told();
  }

 private:
  void look_into_verdicts() {
    explain_verdicts();
    if (put_duplicates_first()) {
      // Once more, without the messages that are told of now.
      causes_.clear();
      has_waited_ = false;
      explain_verdicts();
      put_duplicates_first();
    }
    put_old_masters_first();
    // Whatever came of it later is no cause.
    std::erase_if(causes_, [&](const Cause& cause) { return cause.at_ns > over_ns(); });
  }

  void explain_verdicts() {
    for (const checker::Verdict& verdict : verdicts_) {
      if (verdict.kind == checker::VerdictKind::violated) explain_verdict(verdict);
    }
  }
  void add_why_accepted(const checker::Verdict& harmed) {
    const std::string why = why_older_token_was_accepted(facts_, harmed);
    if (!why.empty() && !causes_.empty()) causes_.front().says.push_back(why);
  }
  void explain_late_writes() {
    for (const checker::Verdict& verdict : verdicts_) {
      const bool is_harm =
          verdict.kind == checker::VerdictKind::violated && verdict.property == Property::harm;
      if (is_harm) add(explain_late_write(facts_, verdict));
    }
  }

  /// Where nothing is known the faults, and what those did whom it befell.
  std::vector<Cause> told() {
    const bool is_unexplained = causes_.empty();
    if (is_unexplained) add(last_write_of_residue(facts_, verdicts_));
    if (is_unexplained || has_waited_) add_faults();
    if (is_unexplained) {
      Cause steps;
      steps.says = explain_by_steps(facts_, verdicts_);
      add(std::move(steps));
    }
    add_wall_clocks(facts_, causes_);
    keep_first_sentences();
    return std::move(causes_);
  }

  /// Each once: the same may be to be said of several locks.
  void keep_first_sentences() {
    std::size_t left = sentences_max;
    std::set<std::string> said;
    for (Cause& cause : causes_) {
      std::erase_if(cause.says,
                    [&](const std::string& sentence) { return !said.insert(sentence).second; });
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
      return is_of_one_hold(known.kind) && is_of_one_hold(cause.kind) &&
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

  /// Better than nothing: what came before.
  void add_faults() {
    Cause faults = untold_faults(facts_, causes_, over_ns());
    if (causes_.empty()) return add(std::move(faults));
    // Of a wait that is explained they are a part of what is known.
    std::move(faults.says.begin(), faults.says.end(), std::back_inserter(causes_.back().says));
  }

  [[nodiscard]] sim::TimeNs over_ns() const;
  void explain_verdict(const checker::Verdict& verdict);
  bool put_duplicates_first();
  void put_old_masters_first();
  [[nodiscard]] bool may_have_to_do_with(const DuplicateExecution& repeat,
                                         const checker::Verdict& verdict) const;
  void explain_waiting(const checker::Verdict& verdict);
  void explain_answer(const checker::Verdict& verdict);
  void explain_holds(const checker::Verdict& verdict);
  void explain_lost_hold(const checker::Verdict& verdict);
  void add_cut_lease(const checker::Verdict& verdict);
  void explain_taken_from_others(const checker::Evidence& operation);
  const Event* note_last_request(Cause& cause, std::string_view who, sim::TimeNs from_ns,
                                 sim::TimeNs until_ns) const;
  void explain_numbers(const checker::Verdict& verdict);
  void explain_lost_permits(const checker::Verdict& verdict);
  void explain_residue(const checker::Verdict& verdict);
  void explain_lost_places(const checker::Verdict& verdict);

  const search::RunRecord& example_;
  const std::vector<checker::Verdict>& verdicts_;
  CauseFacts facts_;
  bool has_waited_ = false;
  std::vector<Cause> causes_;
};

/// When all that the verdicts tell was over.
sim::TimeNs CauseFinder::over_ns() const {
  sim::TimeNs over_ns = 0;
  for (const checker::Verdict& verdict : verdicts_) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    for (const checker::Evidence& each : verdict.evidence) {
      over_ns = std::max(over_ns, each.until ? each.until->at_ns : sim::never_ns);
    }
  }
  return over_ns;
}

void CauseFinder::explain_verdict(const checker::Verdict& verdict) {
  const auto& evidence = verdict.evidence;
  const auto has_name = [](const checker::Evidence& one) { return one.who != checker::no_name; };
  if (evidence.empty()) return;
  if (verdict.property == Property::no_leak) return explain_residue(verdict);
  // Permits that are missing in the end are nobody's.
  if (!has_name(evidence[0]) && verdict.property != Property::permits) return;
  switch (verdict.property) {
    case Property::mutual_exclusion:
      if (evidence.size() < 2 || !has_name(evidence[1])) return;
      return add(explain_overlap(facts_, evidence[0], evidence[1]));
    case Property::valid_grant:
      if (causes_.empty()) {
        add(explain_grant(facts_, example_.judged->names.text(evidence[0].who), evidence[0].from));
      }
      if (causes_.empty()) add(explain_told_validity(facts_, evidence[0]));
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
      return explain_numbers(verdict);
    case Property::fencing:
      if (evidence.size() < 2 || !has_name(evidence[1])) return;
      return add(explain_fencing(facts_, evidence[0], evidence[1]));
    case Property::harm:
      return add_why_accepted(verdict);
    case Property::no_leak:
      return;
  }
}

/// No request took the lock away, so that one that ran twice is none of the reasons.
bool is_lost_by_itself(CauseKind kind) {
  return kind == CauseKind::lease_ended || kind == CauseKind::clock ||
         kind == CauseKind::lost_by_server || kind == CauseKind::erased;
}

/// Of the holds of some only what they did themselves; and nothing that came when all was over.
bool CauseFinder::may_have_to_do_with(const DuplicateExecution& repeat,
                                      const checker::Verdict& verdict) const {
  const bool is_of_holds = verdict.property == Property::mutual_exclusion ||
                           verdict.property == Property::valid_grant ||
                           verdict.property == Property::lease_linearizability ||
                           verdict.property == Property::hold_count;
  const bool is_of_another_reason =
      (verdict.property == Property::mutual_exclusion || verdict.property == Property::fencing) &&
      !causes_.empty() && is_lost_by_itself(causes_.front().kind);
  if (is_of_another_reason) return false;
  const bool is_named = std::any_of(
      verdict.evidence.begin(), verdict.evidence.end(), [&](const checker::Evidence& each) {
        return each.who != checker::no_name &&
               facts_.is_of(repeat.thread, example_.judged->names.text(each.who));
      });
  return (is_named || !is_of_holds) && facts_.events()[repeat.again].at <= shown_by(verdict);
}

/// Whether a message is told of as the reason of one.
bool CauseFinder::put_duplicates_first() {
  bool has_reason = false;
  std::vector<Cause> told;
  for (DuplicateExecution& repeat : find_duplicates(facts_)) {
    const bool matters =
        std::any_of(verdicts_.begin(), verdicts_.end(), [&](const checker::Verdict& verdict) {
          return verdict.kind == checker::VerdictKind::violated &&
                 may_have_to_do_with(repeat, verdict);
        });
    if (!matters || told.size() == repeats_told_max) continue;
    if (repeat.because) facts_.leave_out(*repeat.because);
    has_reason = has_reason || repeat.because;
    told.push_back(std::move(repeat.cause));
  }
  causes_.insert(causes_.begin(), std::make_move_iterator(told.begin()),
                 std::make_move_iterator(told.end()));
  return has_reason;
}

bool is_of_a_grant_or_answer(CauseKind kind) {
  return kind == CauseKind::believed_refused || kind == CauseKind::answer_untrue;
}

/// What an old master granted or answered is why its client believed it; any other is told at the
/// end.
void CauseFinder::put_old_masters_first() {
  std::vector<Cause> granted;
  for (Cause& cause : explain_old_masters(facts_, verdicts_)) {
    if (cause.at_ns > over_ns()) continue;
    const bool is_believed = std::any_of(causes_.begin(), causes_.end(), [&](const Cause& known) {
      return is_of_a_grant_or_answer(known.kind) && facts_.is_of(cause.culprit, known.culprit) &&
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
  if (!causes_.empty()) {
    // Whatever else broke, that is a mistake of its own.
    if (verdict.property == Property::lease_linearizability) {
      add(explain_set_for_others(facts_, verdict.evidence.front()));
      add_cut_lease(verdict);
    }
    return;
  }
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (evidence.who == checker::no_name) continue;
    add(explain_unknown_hold(facts_, example_.judged->names.text(evidence.who)));
  }
  if (!causes_.empty()) {
    // Nor does a hold that stayed say why its lease was over.
    if (verdict.property == Property::lease_linearizability) add_cut_lease(verdict);
    return;
  }
  explain_taken_from_others(verdict.evidence.front());
  // Its own comes first; but a renewal that the hold is by may have been another's as well.
  for (const checker::Evidence& operation : verdict.evidence) {
    if (!causes_.empty() || operation.who == checker::no_name) break;
    add(explain_set_for_others(facts_, operation));
  }
  if (causes_.empty() && verdict.property == Property::hold_count) {
    const checker::Evidence& counted = verdict.evidence.front();
    const std::string& owner = example_.judged->names.text(counted.who);
    if (verdict.summary.find("not every acquire was counted") != std::string::npos) {
      add(explain_uncounted(facts_, owner, counted.from.at_ns));
    }
    add(explain_unsent_release(facts_, owner, counted.from.at_ns));
    const std::string takings =
        unlike_takings(facts_, owner, facts_.event_after(counted.from.at_ns));
    if (!takings.empty()) {
      Cause cause;
      cause.kind = CauseKind::count_wrong;
      cause.victim = brief(owner);
      cause.at_ns = counted.from.at_ns;
      cause.says.push_back(fmt::format("{} had taken the lock {}.", brief(owner), takings));
      add(std::move(cause));
    }
  }
  if (!causes_.empty() || verdict.property != Property::lease_linearizability) return;
  add(explain_refused_owner(facts_, verdict.evidence.front()));
  if (causes_.empty()) add(explain_refused_acquire(facts_, verdict.evidence.front()));
  if (causes_.empty()) explain_lost_hold(verdict);
  // A release that comes to nothing may give back what an earlier one gave back already: a vote's,
  // which had not been taken on the same nodes both times.
  const checker::Evidence& refused = verdict.evidence.front();
  const std::string& owner = example_.judged->names.text(refused.who);
  if (causes_.empty() && facts_.is_quorum(owner)) {
    add(explain_own_loss(facts_, owner, facts_.event_after(refused.from.at_ns)));
  }
  if (causes_.empty()) add(explain_earlier_hold(facts_, verdict));
}

/// Of whose lease somebody cut, where nothing tells of that one yet.
void CauseFinder::add_cut_lease(const checker::Verdict& verdict) {
  const checker::Evidence& operation = verdict.evidence.front();
  const std::string& owner = example_.judged->names.text(operation.who);
  const bool is_known = std::any_of(causes_.begin(), causes_.end(), [&](const Cause& known) {
    const bool is_its = known.victim == brief(owner) && known.kind != CauseKind::unknown_grant;
    return is_its || known.kind == CauseKind::lease_shortened;
  });
  const sim::TimeNs until_ns = operation.until.value_or(operation.from).at_ns;
  const EventIndex end = std::min<EventIndex>(facts_.event_after(until_ns), facts_.events().size());
  std::optional<Cause> loss = is_known ? std::nullopt : explain_loss(facts_, owner, end);
  if (loss && loss->kind == CauseKind::lease_shortened) add(std::move(loss));
}

/// How the hold was lost that the operation's outcome denies: most likely of the one who had the
/// lock until then, and not later than the operation was over.
void CauseFinder::explain_lost_hold(const checker::Verdict& verdict) {
  const checker::Evidence& operation = verdict.evidence.front();
  const EventIndex end = std::min<EventIndex>(
      facts_.event_after(operation.until.value_or(operation.from).at_ns), facts_.events().size());
  for (std::size_t i = 1; i <= verdict.evidence.size() && causes_.empty(); ++i) {
    // The operation's own comes last.
    const checker::Evidence& evidence = verdict.evidence[i % verdict.evidence.size()];
    if (evidence.who == checker::no_name) continue;
    add(explain_loss(facts_, example_.judged->names.text(evidence.who), end));
  }
}

/// Whose lock the operation ended that came to nothing, or should have.
void CauseFinder::explain_taken_from_others(const checker::Evidence& operation) {
  const std::string by = example_.judged->names.text(operation.who);
  const sim::TimeNs until_ns = (operation.until ? *operation.until : operation.from).at_ns;
  for (EventIndex index = 0; index < facts_.events().size(); ++index) {
    const Event& event = facts_.events()[index];
    if (event.at > until_ns) return;
    const bool is_its = event.kind == model_kind::lock_changed && event.text("by") == by &&
                        event.at >= operation.from.at_ns;
    if (!is_its) continue;
    for (const std::string& owner : facts_.owners()) {
      if (owner != by) add(explain_loss_at(facts_, owner, index));
    }
  }
}

/// The last request that was executed of the call: what its answer went by. Of a vote on no one
/// node, and null.
const Event* CauseFinder::note_last_request(Cause& cause, std::string_view who, sim::TimeNs from_ns,
                                            sim::TimeNs until_ns) const {
  const Event* last = nullptr;
  for (const Event& event : facts_.events()) {
    if (event.at > until_ns) break;
    const bool is_its = event.kind == model_kind::command_executed && event.at >= from_ns &&
                        facts_.is_for(event, who);
    if (!is_its) continue;
    const std::string server = facts_.actor_of(event);
    const bool is_of_another = !cause.operation.empty() && cause.server != server;
    cause.operation = brief(event.text("label"));
    cause.server = is_of_another ? std::string() : server;
    last = &event;
  }
  return cause.server.empty() ? nullptr : last;
}

/// What was answered, and how the lock came to be other than that.
void CauseFinder::explain_answer(const checker::Verdict& verdict) {
  const checker::Evidence& answered = verdict.evidence.front();
  const std::string& who = example_.judged->names.text(answered.who);
  // Who holds nothing does so whatever hold stayed before.
  if (verdict.summary.find("it held the lock at no instant") == std::string::npos) {
    if (std::optional<Cause> held = explain_unknown_hold(facts_, who)) return add(std::move(held));
  }
  if (!causes_.empty()) return add(explain_empty_release(facts_, verdict));
  Cause cause;
  cause.kind = CauseKind::answer_untrue;
  cause.victim = brief(who);
  cause.culprit = brief(who);
  const checker::Moment& at = answered.until.value_or(answered.from);
  cause.at_ns = at.at_ns;
  const Event* const request = note_last_request(cause, who, answered.from.at_ns, at.at_ns);
  cause.says.push_back(sanitized(verdict.summary) + ".");
  if (verdict.summary.find("it was to wait for") != std::string::npos) {
    const Event* const call = facts_.last_of(model_kind::step_invoked, cause.victim, at.order);
    if (call != nullptr) {
      cause.says.push_back(fmt::format("The call was its {}.", brief(call->text("step"))));
    }
  }
  cause.says.push_back(vain_step_before(facts_, cause.victim, answered.from));
  const bool is_refused = verdict.summary.find("answered no") != std::string::npos;
  const bool is_of_a_release = verdict.summary.find("'s release of ") != std::string::npos;
  const std::string few =
      is_refused ? std::string() : few_of_a_vote(facts_, who, answered.from.at_ns, at.at_ns);
  if (!few.empty()) cause.says.push_back(fmt::format("But {}.", few));
  if (is_refused) {
    const std::string_view lock = quoted_in(verdict.summary);
    const std::string unasked = request_behind_refusal(facts_, who, lock, answered);
    const std::string denied = is_of_a_release
                                   ? denied_release(facts_, who, answered.from.at_ns, at.at_ns)
                                   : std::string();
    if (!unasked.empty()) {
      cause.says.push_back(unasked);
      cause.server.clear();
    } else if (!denied.empty()) {
      cause.says.push_back(denied);
    } else {
      cause.says.push_back(last_write_before(facts_, lock, answered.from));
    }
  }
  // What renews it goes on meanwhile.
  const bool is_its = request != nullptr && !cause.server.empty() &&
                      !(is_of_a_release && is_renewal(request->text("label")));
  std::optional<Cause> loss = explain_loss(
      facts_, who,
      std::min<EventIndex>(static_cast<EventIndex>(at.order) + 1, facts_.events().size()));
  if (is_its) {
    // What had become of the lock comes first.
    (loss ? *loss : cause)
        .says.push_back(fmt::format("It went by {}'s {}, executed on {} at {} (the reply: {}).",
                                    cause.victim, cause.operation, cause.server,
                                    milliseconds(request->at), brief(request->text("reply"))));
  }
  add(std::move(cause));
  if (!is_refused) explain_taken_from_others(answered);
  add(std::move(loss));
}

void CauseFinder::explain_lost_places(const checker::Verdict& verdict) {
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (evidence.who == checker::no_name) continue;
    const sim::TimeNs until_ns = evidence.until ? evidence.until->at_ns : example_.ended_at_ns;
    add(explain_lost_place(facts_, example_.judged->names.text(evidence.who), {}, until_ns));
  }
  const checker::Evidence& overtaken = verdict.evidence.front();
  if (!causes_.empty()) return;
  add(explain_no_place(facts_, example_.judged->names.text(overtaken.who), overtaken.from.at_ns));
}

/// How those who believed to have a permit had lost it.
void CauseFinder::explain_lost_permits(const checker::Verdict& verdict) {
  sim::TimeNs all_from_ns = 0;
  for (const checker::Evidence& each : verdict.evidence) {
    all_from_ns = std::max(all_from_ns, each.from.at_ns);
  }
  const EventIndex end =
      std::min<EventIndex>(facts_.event_after(all_from_ns), facts_.events().size());
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (evidence.who == checker::no_name) continue;
    add(explain_loss(facts_, example_.judged->names.text(evidence.who), end));
  }
}

/// How the number came to be another one than what is out, where no request was executed twice.
void CauseFinder::explain_numbers(const checker::Verdict& verdict) {
  const sim::TimeNs by_ns = came_about_by(verdict);
  std::optional<Cause> lost = explain_lost_count(facts_, by_ns);
  if (lost) return add(std::move(lost));
  if (verdict.property == Property::latch) {
    // Behind who set it.
    return add(explain_early_pass(facts_, verdict.evidence.back()));
  }
  // Where it is known who has one, their number says less.
  if (knows_owners_of_permits(facts_)) explain_lost_permits(verdict);
  if (!causes_.empty()) return;
  std::optional<Cause> wrong = explain_permits(facts_, by_ns);
  if (!wrong) return;
  for (const DuplicateExecution& repeat : find_duplicates(facts_)) {
    if (facts_.is_of(repeat.thread, wrong->culprit) && repeat.cause.at_ns <= by_ns) return;
  }
  add(std::move(wrong));
}

/// Who left it behind; and where it is a waiter's, why that one waits still.
void CauseFinder::explain_residue(const checker::Verdict& verdict) {
  add(explain_left_behind(facts_, verdict.evidence.front()));
  if (has_waited_ || !causes_.empty()) return;
  for (const sim::Actor& actor : example_.trace.actors) {
    const Event* const asked = facts_.unanswered_step(actor);
    if (asked == nullptr) continue;
    const WaitSpan span{asked->at, facts_.events().back().at};
    add(explain_wait(facts_, facts_.owner_of(actor.name), span));
    has_waited_ = true;
    return;
  }
}

void CauseFinder::explain_waiting(const checker::Verdict& verdict) {
  if (std::exchange(has_waited_, true)) return;
  const checker::Evidence& waiting = verdict.evidence.front();
  const std::string& waiter = example_.judged->names.text(waiting.who);
  const WaitSpan span{waiting.from.at_ns,
                      waiting.until ? waiting.until->at_ns : facts_.events().back().at};
  std::optional<Cause> cause;
  if (verdict.property == Property::no_lost_wakeup && struck_faults(example_).empty()) {
    cause = explain_late_end(facts_, waiting.who, waiting.from, span.until_ns);
  }
  if (!cause) return add(explain_wait(facts_, waiter, span));
  add(std::move(cause));
}

}  // namespace

std::vector<Cause> find_causes(const search::RunRecord& run,
                               const std::vector<checker::Verdict>& verdicts) {
  return CauseFinder(run, verdicts).find();
}

std::vector<std::string> sentences_of(const std::vector<Cause>& causes) {
  std::vector<std::string> sentences;
  for (const Cause& cause : causes) {
    sentences.insert(sentences.end(), cause.says.begin(), cause.says.end());
  }
  return sentences;
}

std::vector<std::string> explain(const search::RunRecord& example) {
  return sentences_of(find_causes(example, example.verdicts));
}

}  // namespace lockstep::reports
