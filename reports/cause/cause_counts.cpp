#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "reports/trace/lock_state.h"
#include "search/runs/run_record.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using checker::counted;
using checker::milliseconds;
using Event = CauseFacts::Event;

constexpr std::size_t takers_told_max = 4;

bool judges(const search::RunRecord& example, checker::Property property) {
  return std::any_of(example.verdicts.begin(), example.verdicts.end(),
                     [property](const auto& verdict) { return verdict.property == property; });
}

/// "acquire permits=3" → 3; 1 where the step names no number.
std::int64_t wanted_by(std::string_view step) {
  constexpr std::string_view key = "permits=";
  const std::size_t at = step.find(key);
  std::int64_t number = 1;
  if (at != std::string_view::npos) {
    std::from_chars(step.data() + at + key.size(), step.data() + step.size(), number);
  }
  return number;
}

/// Of permits that are in use, whose number nobody sets. None: it is not known who has them, or
/// nobody took any.
std::optional<std::int64_t> permits_in_all(const CauseFacts& facts, std::string_view lock) {
  if (!knows_owners_of_permits(facts)) return std::nullopt;
  std::optional<std::int64_t> left;
  for (const Event& event : facts.events()) {
    if (event.text("lock") != lock) continue;
    if (event.kind == model_kind::number_changed) left = event.number("left");
    if (event.kind != model_kind::lock_changed || !left) continue;
    std::int64_t all = *left;
    for (const Holder& holder : holders_from(event.text("holders"))) all += holder.count;
    return all;
  }
  return std::nullopt;
}

/// What one thread took and has not given back, or counted down.
struct Taken {
  std::int64_t count = 0;
  EventIndex last = 0;
};

/// The lock's number up to an event.
struct Count {
  std::optional<EventIndex> set;  // the first of all
  std::int64_t left = -1;         // -1: no such key; of permits in use: one more is out than exist
  bool are_in_use = false;
  std::map<std::string, Taken> taken;
  std::vector<std::pair<EventIndex, std::int64_t>> changes;

  void add(EventIndex index, const Event& event) {
    const std::int64_t now = event.number("left");
    changes.emplace_back(index, now);
    const bool is_set = left < 0 && !are_in_use;
    const std::int64_t lower_by = left - now;
    left = now;
    if (!set) set = index;
    if (is_set || event.text("by").empty()) return;
    Taken& by = taken[std::string(event.text("by"))];
    by.count = std::max<std::int64_t>(0, by.count + lower_by);
    if (lower_by > 0) by.last = index;
  }
  [[nodiscard]] std::int64_t total() const {
    std::int64_t sum = std::max<std::int64_t>(0, left);
    for (const auto& [who, what] : taken) sum += what.count;
    return sum;
  }
  /// Since when the number has been enough without a break.
  template <typename IsEnough>
  [[nodiscard]] EventIndex enough_since(IsEnough is_enough_of) const {
    EventIndex since = 0;
    bool was_enough = false;
    for (const auto& [index, number] : changes) {
      const bool is_enough = is_enough_of(number);
      if (is_enough && !was_enough) since = index;
      was_enough = is_enough;
    }
    return since;
  }
};

class CountExplainer {
 public:
  CountExplainer(const CauseFacts& facts, std::string_view waiter, std::string_view lock,
                 EventIndex end)
      : facts_(facts), waiter_(brief(waiter)), lock_(lock), end_(end) {
    if (const std::optional<std::int64_t> all = permits_in_all(facts, lock)) {
      count_.left = *all;
      count_.are_in_use = true;
    }
    for (EventIndex index = 0; index < end; ++index) {
      const Event& event = facts.events()[index];
      if (event.kind == model_kind::number_changed && event.text("lock") == lock) {
        count_.add(index, event);
      }
    }
  }

  CountExplanation explain_permits() {
    const Event* const asked = facts_.last_of(model_kind::step_invoked, waiter_, end_);
    const std::int64_t wanted = asked == nullptr ? 1 : wanted_by(asked->text("step"));
    if (!count_.set) {
      say(end_ - 1, CauseKind::count_wrong, {}, "Nobody had set how many permits \"{}\" has.",
          brief(lock_));
    } else if (count_.left >= wanted) {
      explanation_.enough_since_ns =
          at(count_.enough_since([wanted](std::int64_t number) { return number >= wanted; }));
      explanation_.enough = fmt::format("{} of \"{}\" {} free", counted(count_.left, "permit"),
                                        brief(lock_), count_.left == 1 ? "was" : "were");
    } else {
      explain_takers();
      std::string waited =
          fmt::format("{} waited for {}, with {} left.", waiter_, counted(wanted, "permit"),
                      count_.left <= 0 ? std::string("none") : std::to_string(count_.left));
      if (explanation_.causes.empty()) {
        say(count_.changes.back().first, CauseKind::count_wrong, {}, "{}", waited);
      } else {
        explanation_.causes.back().says.push_back(std::move(waited));
      }
    }
    return std::move(explanation_);
  }

  [[nodiscard]] std::vector<std::string> dead_with_permits() const {
    std::vector<std::string> lines;
    for (const auto& [who, taken] : count_.taken) {
      if (taken.count == 0 || lines.size() == takers_told_max) continue;
      std::string died = death_in_words(who, taken, count_.total());
      if (!died.empty()) lines.push_back(std::move(died));
    }
    return lines;
  }

  CountExplanation explain_latch() {
    if (!count_.set) {
      say(end_ - 1, CauseKind::unknown, {},
          "Nobody had set latch \"{}\", so that it was open, and {} waited for it all the same.",
          brief(lock_), waiter_);
    } else if (count_.left <= 0) {
      explanation_.enough_since_ns =
          at(count_.enough_since([](std::int64_t number) { return number <= 0; }));
      explanation_.enough = fmt::format("Latch \"{}\" was open", brief(lock_));
    } else {
      explain_counters();
    }
    return std::move(explanation_);
  }

 private:
  /// A cause of its own, which began with this event and is of somebody's doing.
  template <typename... Values>
  void say(EventIndex index, CauseKind kind, std::string_view culprit,
           fmt::format_string<Values...> format, Values&&... values) {
    explanation_.causes.push_back({.kind = kind,
                                   .victim = waiter_,
                                   .culprit = brief(culprit),
                                   .operation = {},
                                   .server = {},
                                   .at_ns = at(index),
                                   .before = {},
                                   .after = {},
                                   .says = {fmt::format(format, std::forward<Values>(values)...)}});
  }
  [[nodiscard]] sim::TimeNs at(EventIndex index) const { return facts_.events()[index].at; }
  /// When the thread's process last crashed; null if it did not.
  [[nodiscard]] const Event* crash_of(std::string_view thread) const {
    return facts_.last_of(sim_kind::process_crashed, brief(facts_.group_of(thread)), end_);
  }
  [[nodiscard]] CauseKind kind_of_living(std::string_view who, EventIndex taken) const;
  [[nodiscard]] std::string permits_in_words(std::int64_t count, std::int64_t total) const {
    // How many there are in all went with the key.
    if (count_.left < 0 && !count_.are_in_use)
      return fmt::format("{} of \"{}\"", counted(count, "permit"), brief(lock_));
    return total == 1 ? fmt::format("The only permit of \"{}\"", brief(lock_))
                      : fmt::format("{} of the {} permits of \"{}\"", count, total, brief(lock_));
  }
  /// Empty if they live.
  [[nodiscard]] std::string death_in_words(std::string_view who, const Taken& taken,
                                           std::int64_t total) const {
    const Event* const crash = crash_of(who);
    if (crash == nullptr || crash->at < at(taken.last)) return {};
    return fmt::format("{} died with {} at {}; nobody gives {} back.",
                       permits_in_words(taken.count, total), brief(facts_.group_of(who)),
                       milliseconds(crash->at), taken.count == 1 ? "it" : "them");
  }
  void explain_takers();
  void explain_counters();

  const CauseFacts& facts_;
  const std::string waiter_;
  const std::string_view lock_;
  const EventIndex end_;
  Count count_;
  CountExplanation explanation_;
};

/// Who lives and has some: it may not know, where the step that took them had come to nothing.
CauseKind CountExplainer::kind_of_living(std::string_view who, EventIndex taken) const {
  if (facts_.is_of(waiter_, who)) return CauseKind::waits_for_itself;
  for (EventIndex index = taken; index < end_; ++index) {
    const Event& event = facts_.events()[index];
    if (event.kind != model_kind::step_completed || !facts_.is_by(event, who)) continue;
    return event.text("outcome") == "ok" ? CauseKind::held : CauseKind::left_behind;
  }
  return CauseKind::held;
}

/// Who has the permits, the dead first.
void CountExplainer::explain_takers() {
  const std::int64_t total = count_.total();
  std::vector<Cause> alive;
  std::size_t told = 0;
  for (const auto& [who, taken] : count_.taken) {
    if (taken.count == 0 || ++told > takers_told_max) continue;
    const std::string part = permits_in_words(taken.count, total);
    if (const std::string died = death_in_words(who, taken, total); !died.empty()) {
      say(taken.last, CauseKind::left_behind, who, "{}", died);
    } else {
      // It may not know that it has them.
      const std::string disruptions =
          facts_.disruptions(who, at(taken.last), facts_.events()[end_ - 1].at, lock_);
      alive.push_back(
          {.kind = kind_of_living(who, taken.last),
           .victim = waiter_,
           .culprit = brief(who),
           .operation = {},
           .server = {},
           .at_ns = at(taken.last),
           .before = {},
           .after = {},
           .says = {fmt::format("{} {} {}'s since {}{}{}.", part, taken.count == 1 ? "was" : "were",
                                brief(who), milliseconds(at(taken.last)),
                                disruptions.empty() ? "" : "; meanwhile ", disruptions)}});
    }
  }
  explanation_.causes.insert(explanation_.causes.end(), alive.begin(), alive.end());
}

/// Who counted a latch down last, and who died.
void CountExplainer::explain_counters() {
  const auto [last, left] = count_.changes.back();
  const std::string by = brief(facts_.events()[last].text("by"));
  const bool is_only = count_.changes.size() == 1;
  // Anew, where a new master had lost it. A number that nobody changed came with such a one.
  const bool is_set = is_only || (!by.empty() && count_.changes.end()[-2].second < left);
  std::string sentence =
      fmt::format("Latch \"{}\" {} {}", brief(lock_), is_set ? "was set to" : "stood at", left);
  if (is_set) {
    if (!by.empty()) sentence += fmt::format(" by {}", by);
    sentence += fmt::format(" at {}", milliseconds(at(last)));
  } else {
    sentence += fmt::format(" from {} on", milliseconds(at(last)));
    if (!by.empty()) sentence += fmt::format(", when {} had counted it down", by);
  }
  sentence += fmt::format(", and nobody counted it down any more; {} waited for 0", waiter_);
  say(last, CauseKind::left_behind, {}, "{}.", sentence);
  for (const sim::Actor& actor : facts_.example().trace.actors) {
    if (actor.kind != "client-thread" || facts_.is_of(actor.name, waiter_)) continue;
    const Event* const crash = crash_of(actor.name);
    if (crash != nullptr && crash->at >= at(last)) {
      explanation_.causes.back().culprit = brief(actor.name);
      explanation_.causes.back().says.push_back(
          fmt::format("{} crashed at {}.", brief(actor.group), milliseconds(crash->at)));
      return;
    }
  }
}

/// -1: there is none.
std::int64_t number_at(const CauseFacts& facts, std::string_view lock, sim::TimeNs at_ns) {
  std::int64_t number = -1;
  for (const Event& event : facts.events()) {
    if (event.at > at_ns) break;
    const bool is_its = event.kind == model_kind::number_changed && event.text("lock") == lock;
    if (is_its) number = event.number("left");
  }
  return number;
}

}  // namespace

std::optional<Cause> explain_lost_count(const CauseFacts& facts, sim::TimeNs by_ns) {
  std::map<std::string, const Event*, std::less<>> changes;  // by lock: the last
  for (const Event& event : facts.events()) {
    if (event.at > by_ns) break;
    if (event.kind != model_kind::number_changed) continue;
    const auto known = changes.find(event.text("lock"));
    const std::int64_t before = known == changes.end() ? -1 : known->second->number("left");
    const std::string shard = facts.group_of(facts.actor_of(event));
    const bool is_of_a_node = before >= 0 && event.text("by").empty() &&
                              facts.change_of_a_node_at(event.at, shard) != nullptr;
    const Event* node = is_of_a_node ? facts.successor_from(event.at, shard) : nullptr;
    if (node != nullptr && node->at > by_ns) node = nullptr;
    if (node != nullptr && number_at(facts, event.text("lock"), node->at) != before) {
      Cause cause;
      cause.kind = CauseKind::lost_by_server;
      cause.server = facts.actor_of(*node);
      cause.at_ns = node->at;
      cause.before = std::to_string(before);
      const bool is_promoted = node->kind == model_kind::node_promoted;
      const std::string why = is_promoted ? why_unreached(facts, node->text("in_place_of"),
                                                          cause.server, known->second->at)
                                          : std::string();
      cause.says.push_back(
          fmt::format("{} {} at {} without the last changes of \"{}\", which had stood at {}{}.",
                      cause.server, is_promoted ? "became master" : "came back",
                      milliseconds(node->at), brief(event.text("lock")), cause.before,
                      why.empty() ? std::string() : fmt::format(" ({})", why)));
      return cause;
    }
    changes[std::string(event.text("lock"))] = &event;
  }
  return std::nullopt;
}

std::optional<Cause> explain_early_pass(const CauseFacts& facts, const checker::Evidence& passed) {
  const std::string& who = facts.example().judged->names.text(passed.who);
  const sim::TimeNs at_ns = passed.until.value_or(passed.from).at_ns;
  const Event* const step = facts.last_of(model_kind::step_invoked, who, facts.event_after(at_ns));
  if (step == nullptr) return std::nullopt;
  const std::int64_t left = number_at(facts, step->text("lock"), at_ns);
  const Event* const over =
      facts.last_of(model_kind::step_completed, who, facts.event_after(at_ns));
  if (left <= 0 || over == nullptr || over < step) return std::nullopt;
  Cause cause;
  cause.kind = CauseKind::believed_refused;
  cause.victim = brief(who);
  cause.culprit = brief(who);
  cause.operation = brief(step->text("step"));
  cause.at_ns = at_ns;
  std::string sentence = fmt::format("{} took latch \"{}\" for open at {}, when {} left",
                                     brief(who), brief(step->text("lock")), milliseconds(at_ns),
                                     left == 1 ? "1 was" : fmt::format("{} were", left));
  for (const Event& event : facts.events()) {
    if (event.at > at_ns) break;
    const bool is_answer = event.kind == model_kind::command_executed && event.at >= step->at &&
                           facts.is_for(event, who) && !event.text("reply").starts_with("[");
    if (!is_answer) continue;
    cause.server = facts.actor_of(event);
    cause.says = {fmt::format("{}; {} had told it {} at {} (the reply to its {}).", sentence,
                              cause.server, brief(event.text("reply")), milliseconds(event.at),
                              brief(event.text("label")))};
  }
  if (cause.says.empty()) cause.says.push_back(sentence + ".");
  return cause;
}

bool is_counting_lock(const search::RunRecord& example) {
  return judges(example, checker::Property::permits) || judges(example, checker::Property::latch);
}

std::vector<std::string> permits_of_the_dead(const search::RunRecord& example) {
  std::vector<std::string> lines;
  if (!judges(example, checker::Property::permits)) return lines;
  const CauseFacts facts(example);
  std::set<std::string, std::less<>> locks;
  for (const Event& event : facts.events()) {
    if (event.kind == model_kind::number_changed) locks.emplace(event.text("lock"));
  }
  for (const std::string& lock : locks) {
    const CountExplainer teller(facts, {}, lock, facts.events().size());
    for (std::string& line : teller.dead_with_permits()) lines.push_back(std::move(line));
  }
  return lines;
}

CountExplanation explain_count(const CauseFacts& facts, std::string_view waiter,
                               std::string_view lock, EventIndex end) {
  CountExplainer teller(facts, waiter, lock, end);
  return judges(facts.example(), checker::Property::latch) ? teller.explain_latch()
                                                           : teller.explain_permits();
}

}  // namespace lockstep::reports
