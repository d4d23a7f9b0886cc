#include "reports/cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause_steps.h"
#include "reports/lock_state.h"
#include "reports/scene_cast.h"
#include "reports/scene_messages.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using checker::milliseconds;
using Event = model::RecordedEvent;

constexpr std::size_t sentences_max = 8;
constexpr std::size_t lost_replies_max =
    50;  // that are looked at: each look goes through the trace

/// A process that was paused; until: never_ns where it never went on.
struct Pause {
  std::string process;
  sim::TimeNs from_ns;
  sim::TimeNs until_ns = sim::never_ns;
};

/// The end of somebody's true hold.
struct Loss {
  EventIndex event;
  std::string cause;
  std::string by;
};

class Detective {
 public:
  explicit Detective(const search::Example& example)
      : example_(example),
        trace_(example.trace),
        cast_(example.trace.actors),
        letters_(example.trace, cast_) {
    find_pauses();
  }

  std::vector<std::string> explain() {
    const bool is_violated = std::any_of(
        example_.verdicts.begin(), example_.verdicts.end(),
        [](const auto& verdict) { return verdict.kind == checker::VerdictKind::violated; });
    if (!is_violated) return {};
    explain_repeated_requests();
    for (const checker::Verdict& verdict : example_.verdicts) {
      const bool is_overlap = verdict.property == checker::Property::mutual_exclusion &&
                              verdict.kind == checker::VerdictKind::violated &&
                              verdict.evidence.size() >= 2;
      if (is_overlap) explain_overlap(verdict.evidence[0], verdict.evidence[1]);
    }
    if (sentences_.empty()) name_the_faults();
    if (sentences_.empty()) sentences_ = explain_by_steps(example_);
    if (sentences_.size() > sentences_max) sentences_.resize(sentences_max);
    return std::move(sentences_);
  }

 private:
  template <typename... Values>
  void say(fmt::format_string<Values...> format, Values&&... values) {
    sentences_.push_back(fmt::format(format, std::forward<Values>(values)...));
  }
  [[nodiscard]] std::string actor_of(const Event& event) const {
    const auto index = static_cast<std::size_t>(event.actor);
    return index < trace_.actors.size() ? brief(trace_.actors[index].name) : "?";
  }
  [[nodiscard]] std::string group_of(std::string_view thread) const {
    for (const sim::Actor& actor : trace_.actors) {
      if (actor.name == thread) return actor.group;
    }
    return {};
  }

  void find_pauses();
  void name_the_faults();
  void explain_repeated_requests();
  void explain_repetition(const Letter& lost);
  void explain_overlap(const checker::Evidence& first, const checker::Evidence& second);
  void explain_loss(const std::string& owner, const Loss& loss);
  void explain_expiry(const std::string& owner, const Event& event);
  void explain_failover(const std::string& owner, const Event& event);
  void explain_taking(const std::string& owner, const Loss& loss);
  [[nodiscard]] std::optional<Loss> loss_of(std::string_view owner, EventIndex before) const;
  [[nodiscard]] const Event* command_at(EventIndex event) const;
  [[nodiscard]] std::vector<EventIndex> executions(std::string_view label,
                                                   std::string_view by) const;

  const search::Example& example_;
  const model::RecordedTrace& trace_;
  Cast cast_;
  Letters letters_;
  std::vector<Pause> pauses_;
  std::vector<std::string> sentences_;
};

void Detective::find_pauses() {
  for (const Event& event : trace_.events) {
    if (event.kind == sim_kind::process_paused) {
      pauses_.push_back({actor_of(event), event.at});
    } else if (event.kind == sim_kind::process_resumed || event.kind == sim_kind::process_crashed) {
      for (Pause& pause : pauses_) {
        if (pause.process == actor_of(event)) pause.until_ns = std::min(pause.until_ns, event.at);
      }
    }
  }
}

/// Better than nothing: what came before.
void Detective::name_the_faults() {
  for (const StruckFault& fault : struck_faults(example_)) {
    say("At {} a fault struck: {}.", milliseconds(fault.at_ns), fault.what);
  }
}

// -- requests that ran twice --

std::vector<EventIndex> Detective::executions(std::string_view label, std::string_view by) const {
  std::vector<EventIndex> found;
  for (EventIndex index = 0; index < trace_.events.size(); ++index) {
    const Event& event = trace_.events[index];
    if (event.kind == model_kind::command_executed && event.text("label") == label &&
        event.text("on_behalf_of") == by) {
      found.push_back(index);
    }
  }
  return found;
}

void Detective::explain_repeated_requests() {
  std::size_t lost = 0;
  for (const Letter& letter : letters_.all()) {
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
      std::find_if(trace_.events.begin(), trace_.events.end(), [&](const Event& e) {
        return e.kind == model_kind::call_retried && e.text("label") == label &&
               actor_of(e) == brief(lost.on_behalf_of) && e.at >= trace_.events[lost.sent].at;
      });
  if (!before || !after || retried == trace_.events.end()) return;
  say("The reply to {}'s {} was lost ({}), so {} sent it again, and {} executed it twice: at {} "
      "and "
      "at {}.",
      brief(lost.on_behalf_of), brief(label), brief(lost.why_lost), brief(lost.on_behalf_of),
      actor_of(trace_.events[*before]), milliseconds(trace_.events[*before].at),
      milliseconds(trace_.events[*after].at));
}

// -- two beliefs at once --

/// How the owner last lost its true hold before this event; none where it held on, or never held.
std::optional<Loss> Detective::loss_of(std::string_view owner, EventIndex before) const {
  bool held = false;
  std::optional<Loss> loss;
  for (EventIndex index = 0; index < before && index < trace_.events.size(); ++index) {
    const Event& event = trace_.events[index];
    if (event.kind != model_kind::lock_changed) continue;
    const bool holds_now = holds(holders_from(event.text("holders")), owner);
    if (held && !holds_now) {
      loss = Loss{index, std::string(event.text("cause")), std::string(event.text("by"))};
    }
    if (holds_now) loss.reset();
    held = holds_now;
  }
  return loss;
}

void Detective::explain_overlap(const checker::Evidence& first, const checker::Evidence& second) {
  if (first.who == checker::no_name || second.who == checker::no_name) return;
  const std::string owner = example_.names.text(first.who);
  const std::string other = brief(example_.names.text(second.who));
  const auto loss = loss_of(owner, second.from.order);
  if (!loss) return;
  explain_loss(owner, *loss);
  const sim::TimeNs lost_at = trace_.events[loss->event].at;
  if (lost_at < second.from.at_ns) {
    say("{} was granted the lock at {}.", other, milliseconds(second.from.at_ns));
  }
  if (first.until && first.until->at_ns > lost_at) {
    say("{} went on believing until {}: {} after it had lost the lock.", brief(owner),
        milliseconds(first.until->at_ns), milliseconds(first.until->at_ns - lost_at));
  }
}

void Detective::explain_loss(const std::string& owner, const Loss& loss) {
  const Event& event = trace_.events[loss.event];
  if (loss.cause == "expiry") return explain_expiry(owner, event);
  if (loss.cause == "failover") return explain_failover(owner, event);
  if (loss.cause == "eviction") {
    return say("{} was at its memory limit and evicted {}'s lock at {}.", actor_of(event),
               brief(owner), milliseconds(event.at));
  }
  if (loss.cause == "other") {
    return say("An operator deleted {}'s lock on {} at {}.", brief(owner), actor_of(event),
               milliseconds(event.at));
  }
  explain_taking(owner, loss);
}

void Detective::explain_expiry(const std::string& owner, const Event& event) {
  std::string sentence = fmt::format("The lease of {} ended at {} on {}", brief(owner),
                                     milliseconds(event.at), actor_of(event));
  const std::string process = group_of(owner);
  for (const Pause& pause : pauses_) {
    if (pause.process != process || pause.from_ns > event.at || pause.until_ns < event.at) continue;
    sentence +=
        fmt::format(", while {} was paused from {}", brief(process), milliseconds(pause.from_ns));
    if (pause.until_ns != sim::never_ns) {
      sentence += fmt::format(" to {}", milliseconds(pause.until_ns));
    }
    break;
  }
  for (const Event& changed : trace_.events) {
    if (changed.kind != model_kind::clock_changed || changed.at > event.at) continue;
    if (changed.actor == event.actor && changed.number("by_ns") != 0) {
      sentence += fmt::format(", after {}'s clock had stepped by {}", actor_of(event),
                              milliseconds(changed.number("by_ns")));
    }
  }
  sentences_.push_back(sentence + ".");
}

void Detective::explain_failover(const std::string& owner, const Event& event) {
  for (const Event& told : trace_.events) {
    if (told.at > event.at) break;
    if (told.actor != event.actor) continue;
    if (told.kind == sim_kind::process_crashed) {
      say("{} crashed at {}, and {}'s lock with it.", actor_of(told), milliseconds(told.at),
          brief(owner));
    } else if (told.kind == model_kind::disk_lost) {
      say("Its power was lost, and with it what its append-only file had not synced.");
    } else if (told.kind == model_kind::dataset_restored) {
      const std::string_view from = told.text("from");
      say("It came back at {} {}.", milliseconds(told.at),
          from == "nothing" ? std::string("with nothing on its disk")
                            : fmt::format("with what its {} had", brief(from)));
    }
  }
  for (const Event& told : trace_.events) {
    if (told.kind != model_kind::node_promoted) continue;
    say("{} became master in place of {} at {} without knowing of {}'s lock: the write had not "
        "reached it.",
        actor_of(told), brief(told.text("in_place_of")), milliseconds(told.at), brief(owner));
    return;
  }
}

/// The command that a node executed at this instant, last before the event.
const Event* Detective::command_at(EventIndex event) const {
  for (EventIndex index = event; index-- > 0;) {
    const Event& told = trace_.events[index];
    if (told.at != trace_.events[event].at) break;
    if (told.kind == model_kind::command_executed && told.actor == trace_.events[event].actor) {
      return &told;
    }
  }
  return nullptr;
}

void Detective::explain_taking(const std::string& owner, const Loss& loss) {
  const Event& event = trace_.events[loss.event];
  const Event* const command = command_at(loss.event);
  const std::string what = command == nullptr ? brief(loss.cause) : brief(command->text("label"));
  if (loss.by == owner) {
    say("{}'s own {}, executed on {} at {}, gave up its last hold while it believed to have "
        "another.",
        brief(owner), what, actor_of(event), milliseconds(event.at));
    return;
  }
  std::string sentence =
      fmt::format("{}'s {}, executed on {} at {}, took the lock from {}", brief(loss.by), what,
                  actor_of(event), milliseconds(event.at), brief(owner));
  for (const Letter& letter : letters_.all()) {
    const bool is_meant = letter.delayed_by_ns > 0 && letter.on_behalf_of == loss.by &&
                          command != nullptr && letter.label == command->text("label") &&
                          trace_.events[letter.ended].at == event.at;
    if (!is_meant) continue;
    sentence += fmt::format("; it had been sent at {} and came {} late",
                            milliseconds(trace_.events[letter.sent].at),
                            milliseconds(letter.delayed_by_ns));
  }
  sentences_.push_back(sentence + ".");
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
