#include "reports/cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause_facts.h"
#include "reports/cause_overlap.h"
#include "reports/cause_steps.h"
#include "reports/cause_waits.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
using checker::milliseconds;
using checker::Property;
using Event = CauseFacts::Event;

constexpr std::size_t sentences_max = 8;
constexpr std::size_t lost_replies_max =
    50;  // that are looked at: each look goes through the trace

class Detective {
 public:
  explicit Detective(const search::Example& example) : example_(example), facts_(example) {}

  std::vector<std::string> explain() {
    const bool is_violated = std::any_of(
        example_.verdicts.begin(), example_.verdicts.end(),
        [](const auto& verdict) { return verdict.kind == checker::VerdictKind::violated; });
    if (!is_violated) return {};
    explain_repeated_requests();
    for (const checker::Verdict& verdict : example_.verdicts) {
      if (verdict.kind == checker::VerdictKind::violated) explain_verdict(verdict);
    }
    if (sentences_.empty()) sentences_ = explain_by_steps(example_);
    if (sentences_.empty() || has_waited_) name_the_faults();
    if (sentences_.size() > sentences_max) sentences_.resize(sentences_max);
    return std::move(sentences_);
  }

 private:
  /// Once: two properties that break for one reason have one cause.
  void say(const std::string& sentence) {
    if (sentence.empty()) return;
    if (std::find(sentences_.begin(), sentences_.end(), sentence) == sentences_.end()) {
      sentences_.push_back(sentence);
    }
  }

  void explain_verdict(const checker::Verdict& verdict);
  void explain_waiting(const checker::Verdict& verdict);
  void explain_holds(const checker::Verdict& verdict);
  void name_the_faults();
  void explain_repeated_requests();
  void explain_repetition(const Letter& lost);
  [[nodiscard]] std::vector<EventIndex> executions(std::string_view label,
                                                   std::string_view by) const;

  const search::Example& example_;
  CauseFacts facts_;
  bool has_waited_ = false;
  std::vector<std::string> sentences_;
};

void Detective::explain_verdict(const checker::Verdict& verdict) {
  const auto& evidence = verdict.evidence;
  const auto has_name = [](const checker::Evidence& one) { return one.who != checker::no_name; };
  if (evidence.empty() || !has_name(evidence[0])) return;
  switch (verdict.property) {
    case Property::mutual_exclusion:
      if (evidence.size() < 2 || !has_name(evidence[1])) return;
      for (const std::string& sentence : explain_overlap(facts_, evidence[0], evidence[1])) {
        say(sentence);
      }
      return;
    case Property::valid_grant:
      if (sentences_.empty()) {
        say(explain_grant(facts_, example_.names.text(evidence[0].who), evidence[0].from));
      }
      return;
    case Property::lease_linearizability:
    case Property::hold_count:
      return explain_holds(verdict);
    case Property::no_deadlock:
    case Property::no_lost_wakeup:
    case Property::no_starvation:
      return explain_waiting(verdict);
    case Property::harm:
    case Property::no_leak:
    case Property::fencing:
    case Property::fifo:
    case Property::permits:
    case Property::latch:
      return;
  }
}

void Detective::explain_holds(const checker::Verdict& verdict) {
  if (!sentences_.empty()) return;
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (evidence.who == checker::no_name) continue;
    say(explain_unknown_hold(facts_, example_.names.text(evidence.who)));
  }
}

void Detective::explain_waiting(const checker::Verdict& verdict) {
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
    for (const std::string& sentence : explain_wait(facts_, waiting)) say(sentence);
  }
  has_waited_ = true;
}

/// Better than nothing: what came before.
void Detective::name_the_faults() {
  for (const StruckFault& fault : struck_faults(example_)) {
    say(fmt::format("At {} a fault struck: {}.", milliseconds(fault.at_ns), fault.what));
  }
}

// -- requests that ran twice --

std::vector<EventIndex> Detective::executions(std::string_view label, std::string_view by) const {
  std::vector<EventIndex> found;
  for (EventIndex index = 0; index < facts_.events().size(); ++index) {
    const Event& event = facts_.events()[index];
    if (event.kind == model_kind::command_executed && event.text("label") == label &&
        event.text("on_behalf_of") == by) {
      found.push_back(index);
    }
  }
  return found;
}

void Detective::explain_repeated_requests() {
  std::size_t lost = 0;
  for (const Letter& letter : facts_.letters().all()) {
    if (letter.fate != Fate::lost || replied_label(letter.label).empty()) continue;
    explain_repetition(letter);
    if (++lost == lost_replies_max) return;
  }
}

void Detective::explain_repetition(const Letter& lost) {
  const std::string_view label = replied_label(lost.label);
  std::optional<EventIndex> before;
  std::optional<EventIndex> after;
  for (const EventIndex execution : executions(label, lost.on_behalf_of)) {
    if (execution < lost.sent) before = execution;
    if (execution > lost.sent && !after) after = execution;
  }
  const auto retried =
      std::find_if(facts_.events().begin(), facts_.events().end(), [&](const Event& e) {
        return e.kind == model_kind::call_retried && e.text("label") == label &&
               facts_.actor_of(e) == brief(lost.on_behalf_of) &&
               e.at >= facts_.events()[lost.sent].at;
      });
  if (!before || !after || retried == facts_.events().end()) return;
  say(fmt::format(
      "The reply to {}'s {} was lost ({}), so {} sent it again, and {} executed it twice: at {} "
      "and at {}.",
      brief(lost.on_behalf_of), brief(label), brief(lost.why_lost), brief(lost.on_behalf_of),
      facts_.actor_of(facts_.events()[*before]), milliseconds(facts_.events()[*before].at),
      milliseconds(facts_.events()[*after].at)));
}

}  // namespace

std::vector<std::string> explain(const search::Example& example) {
  return Detective(example).explain();
}

std::vector<StruckFault> struck_faults(const search::Example& example) {
  std::vector<StruckFault> faults;
  for (const Event& event : example.trace.events) {
    if (event.kind != model_kind::fault_struck) continue;
    faults.push_back({event.at, brief(event.text("what"), 200)});
  }
  return faults;
}

}  // namespace lockstep::reports
