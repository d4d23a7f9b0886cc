// Who has a lock: since when, by which command, and why that one does not give it back.
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "search/runs/run_record.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

class HolderExplainer {
 public:
  HolderExplainer(const CauseFacts& facts, const Blocker& blocker, sim::TimeNs until_ns,
                  EventIndex end)
      : facts_(facts),
        period_(blocker.hold_period),
        taken_(facts.events()[period_.taken]),
        lost_(period_.lost ? &facts.events()[*period_.lost] : nullptr),
        lock_(taken_.text("lock")),
        owner_(blocker.owner),
        who_(brief(owner_)),
        until_ns_(until_ns),
        end_(end) {}

  Cause tell() const {
    const std::string unaware = why_unaware();
    const Event* const crash =
        facts_.last_of(sim_kind::process_crashed, brief(facts_.group_of(owner_)), end_);
    const bool is_dead = crash != nullptr && crash->at >= taken_.at;
    const bool goes_on = unaware.empty() && !is_dead;
    Cause cause;
    cause.kind = goes_on ? CauseKind::held : CauseKind::left_behind;
    cause.culprit = who_;
    cause.server = facts_.actor_of(taken_);
    cause.at_ns = taken_.at;
    if (const Event* const command = facts_.command_at(period_.taken)) {
      cause.operation = brief(command->text("label"));
    }
    cause.says.push_back(hold_in_words() + unaware + ".");
    if (goes_on) cause.says.push_back(own_wait());
    const std::string disruptions =
        facts_.disruptions(owner_, taken_.at, lost_ == nullptr ? until_ns_ : lost_->at);
    const bool is_told = unaware.find("crashed") != std::string::npos;
    if (!is_told && !disruptions.empty()) {
      cause.says.push_back(fmt::format("Meanwhile {}.", disruptions));
    }
    return cause;
  }

 private:
  [[nodiscard]] std::string hold_in_words() const;
  [[nodiscard]] std::string by_another(const Event& renewal) const;
  [[nodiscard]] std::string why_unaware() const;
  [[nodiscard]] std::string vain_call_that_took_it() const;
  [[nodiscard]] std::int64_t holds_at(EventIndex index) const;
  [[nodiscard]] const Event* end_of_step(const Event& of_it) const;
  [[nodiscard]] std::string refusal_after(const Event& given_back) const;
  [[nodiscard]] std::string own_wait() const;

  const CauseFacts& facts_;
  const HoldPeriod& period_;
  const Event& taken_;
  const Event* lost_;  // null: it lasted
  const std::string_view lock_;
  const std::string& owner_;
  const std::string who_;
  sim::TimeNs until_ns_;
  EventIndex end_;
};

/// "Lock "x" was a/1's from 1 ms on (its acquire, executed on n1), renewed 3 times, …".
std::string HolderExplainer::hold_in_words() const {
  std::string sentence =
      fmt::format("Lock \"{}\" was {}'s from {}", brief(lock_), who_, milliseconds(taken_.at));
  sentence +=
      lost_ == nullptr ? std::string(" on") : fmt::format(" to {}", milliseconds(lost_->at));
  if (lost_ != nullptr && lost_->text("cause") == "expiry") sentence += ", when its lease ended";
  if (const Event* const command = facts_.command_at(period_.taken)) {
    sentence += fmt::format(" (its {}, executed on {}{})", brief(command->text("label")),
                            facts_.actor_of(*command), lateness_of(facts_, *command));
  }
  if (period_.renewals > 0) {
    const Event& last = facts_.events()[*period_.last_set];
    sentence += fmt::format(", renewed {}{}, the last time at {}",
                            checker::counted(static_cast<std::int64_t>(period_.renewals), "time"),
                            period_.renewed_by == who_ ? std::string() : by_another(last),
                            milliseconds(last.at));
    const Event* const renewal = facts_.command_at(*period_.last_set);
    if (renewal != nullptr) sentence += fmt::format(" (its {})", brief(renewal->text("label")));
  } else if (taken_.number("lease_ends_ns") < 0) {
    sentence += ", without a lease";
  }
  return sentence;
}

/// " by a/1, which had lost it at 3 ms": of who renewed what was not its own.
std::string HolderExplainer::by_another(const Event& renewal) const {
  const std::string& by = period_.renewed_by;
  const std::vector<HoldPeriod> own =
      facts_.hold_periods(by, lock_, static_cast<EventIndex>(&renewal - facts_.events().data()));
  if (own.empty()) return fmt::format(" by {}, which had not had it", by);
  if (!own.back().lost) return fmt::format(" by {}", by);
  const Event& lost = facts_.events()[*own.back().lost];
  return fmt::format(" by {}, which had {} at {}", by,
                     lost.text("cause") == "release" ? "given it back" : "lost it",
                     milliseconds(lost.at));
}

/// Why the holder did not give it back: it did not know of it.
std::string HolderExplainer::why_unaware() const {
  const Event* told = nullptr;
  const Event* begun = nullptr;  // its last step
  for (EventIndex index = 0; index < end_; ++index) {
    const Event& event = facts_.events()[index];
    const bool is_told = event.kind == model_kind::step_completed && event.text("outcome") != "ok";
    // Who believes to the end of the run does so still.
    const bool is_over = event.kind == model_kind::belief_ended && event.text("lock") == lock_ &&
                         event.text("why") != "run-over";
    const bool is_begun = event.kind == model_kind::belief_began && event.text("lock") == lock_;
    if (!facts_.is_by(event, owner_)) continue;
    if (is_begun) told = nullptr;
    if (event.kind == model_kind::step_invoked) begun = &event;
    // What it asked for since then, and was told that it did not get, is the later reason.
    const bool is_asked_since = told != nullptr && told->kind == model_kind::belief_ended &&
                                told->text("why") == "released" && begun != nullptr &&
                                begun > told && begun->text("lock") == lock_;
    if (is_over || (is_told && (told == nullptr || is_asked_since))) told = &event;
  }
  if (told == nullptr) return {};
  const std::string when = milliseconds(told->at);
  if (told->kind == model_kind::step_completed) {
    const std::string detail = brief(told->text("detail"));
    // "a/1's lock" alone would be the lock.
    const bool is_bare = told->text("step").find(' ') == std::string_view::npos;
    return fmt::format(", though {}'s {}{} had come to nothing at {}{}", who_,
                       is_bare ? "call of " : "", brief(told->text("step")), when,
                       detail.empty() ? std::string() : fmt::format(" ({})", detail));
  }
  const std::string_view why = told->text("why");
  if (why == "crashed") return fmt::format(", though {} crashed at {}", who_, when);
  if (why == "released") {
    const auto index = static_cast<EventIndex>(told - facts_.events().data());
    if (const std::int64_t holds = holds_at(index); holds > 1 && told->at >= taken_.at) {
      return fmt::format(", though {} gave one of its {} holds back at {}{}{}", who_, holds, when,
                         refusal_after(*told), vain_call_that_took_it());
    }
    const std::string refusal = refusal_after(*told);
    if (!refusal.empty()) {
      return fmt::format(", though {} tried to give it back at {}{}", who_, when, refusal);
    }
    if (told->at < taken_.at) return fmt::format(", though {} had given it back at {}", who_, when);
    const Event* const done = end_of_step(*told);
    const std::string few =
        done == nullptr ? std::string() : few_of_a_vote(facts_, owner_, told->at, done->at);
    return fmt::format(", though {} gave it back at {}{}{}", who_, when, few.empty() ? "" : ": ",
                       few);
  }
  return fmt::format(", though {} did not believe so from {} on ({})", who_, when, brief(why));
}

/// "; the first came of its lock, which had come to nothing at 5 ms (abandoned by its caller)".
/// Empty: the call that took it was told so.
std::string HolderExplainer::vain_call_that_took_it() const {
  const Event* asked = nullptr;
  for (EventIndex index = 0; index < period_.taken; ++index) {
    const Event& event = facts_.events()[index];
    const bool is_it = event.kind == model_kind::service_invoked && event.text("lock") == lock_ &&
                       event.text("kind") == "acquire" && facts_.is_by(event, owner_);
    if (is_it) asked = &event;
  }
  if (asked == nullptr) return {};
  const auto asked_at = static_cast<EventIndex>(asked - facts_.events().data());
  const Event* const step = facts_.last_of(model_kind::step_invoked, who_, asked_at + 1);
  const Event* const done = step == nullptr ? nullptr : end_of_step(*step);
  if (done == nullptr || done->text("outcome") == "ok") return {};
  const std::string detail = brief(done->text("detail"), 80);
  return fmt::format("; the first came of its call of {}, which had come to nothing at {}{}",
                     brief(step->text("step")), milliseconds(done->at),
                     detail.empty() ? std::string() : fmt::format(" ({})", detail));
}

/// How often the lock counted it then.
std::int64_t HolderExplainer::holds_at(EventIndex index) const {
  const Event* const state = facts_.state_before(index, lock_);
  if (state == nullptr) return 0;
  for (const Holder& holder : holders_from(state->text("holders"))) {
    if (holder.owner == owner_) return holder.count;
  }
  return 0;
}

/// The end of the step that was under way; null: it had none.
const Event* HolderExplainer::end_of_step(const Event& of_it) const {
  const auto first = static_cast<EventIndex>(&of_it - facts_.events().data());
  for (EventIndex index = first; index < facts_.events().size(); ++index) {
    const Event& event = facts_.events()[index];
    if (event.actor == of_it.actor && event.kind == model_kind::step_completed) return &event;
  }
  return nullptr;
}

/// " (unlock came to nothing: …)": what the one who gave it back was told.
std::string HolderExplainer::refusal_after(const Event& given_back) const {
  const Event* const done = end_of_step(given_back);
  if (done == nullptr || done->text("outcome") == "ok") return {};
  const std::string detail = brief(done->text("detail"), 80);
  return fmt::format(" (its {} came to nothing{})", brief(done->text("step")),
                     detail.empty() ? std::string() : ": " + detail);
}

/// "b/1 itself waited for lock "x" from 1 ms on, which a/1 had.": where it will never give it back.
std::string HolderExplainer::own_wait() const {
  for (const sim::Actor& actor : facts_.example().trace.actors) {
    if (!facts_.is_of(actor.name, owner_)) continue;
    const Event* const step = facts_.unanswered_step(actor);
    if (step == nullptr || step->text("lock") == lock_) continue;
    const std::string holders = facts_.holders_before(end_, step->text("lock"));
    return fmt::format("{} itself waited for lock \"{}\" from {} on{}.", who_,
                       brief(step->text("lock")), milliseconds(step->at),
                       holders.empty() ? std::string() : fmt::format(", which {} had", holders));
  }
  return {};
}

}  // namespace

Cause explain_holder(const CauseFacts& facts, const Blocker& blocker, std::string_view victim,
                     sim::TimeNs until_ns, EventIndex end) {
  Cause cause = HolderExplainer(facts, blocker, until_ns, end).tell();
  cause.victim = brief(victim);
  return cause;
}

std::optional<Cause> explain_left_key(const CauseFacts& facts, std::string_view lock,
                                      EventIndex at) {
  const Event* const state = facts.state_before(at, lock);
  if (state == nullptr) return std::nullopt;
  for (const Holder& holder : holders_from(state->text("holders"))) {
    const std::vector<HoldPeriod> periods = facts.hold_periods(holder.owner, lock, at);
    if (periods.empty()) continue;
    const Blocker blocker{std::string(holder.owner), periods.back(), 0};
    return explain_holder(facts, blocker, {}, facts.events().back().at, facts.events().size());
  }
  return std::nullopt;
}

}  // namespace lockstep::reports
