#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

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

constexpr std::size_t writes_listed_max = 5;
/// An acquisition that took less did not outlast a lease.
constexpr sim::DurationNs long_ns = 100 * sim::millisecond_ns;

/// How an owner lost a lock.
class LossExplainer {
 public:
  LossExplainer(const CauseFacts& facts, std::string owner, const HoldPeriod& hold_period)
      : facts_(facts),
        owner_(std::move(owner)),
        hold_period_(hold_period),
        event_(facts.events()[*hold_period.lost]),
        who_(brief(owner_)),
        when_(milliseconds(event_.at)) {}

  Cause tell() {
    cause_.victim = who_;
    cause_.server = facts_.actor_of(event_);
    cause_.at_ns = event_.at;
    const std::string_view change = event_.text("cause");
    if (change == "expiry") {
      explain_expiry();
    } else if (change == "failover") {
      explain_failover();
    } else if (change == "eviction") {
      explain_eviction();
    } else if (change == "other") {
      explain_operator();
    } else {
      explain_taking();
    }
    return std::move(cause_);
  }

 private:
  template <typename... Values>
  void say(fmt::format_string<Values...> format, Values&&... values) {
    cause_.says.push_back(fmt::format(format, std::forward<Values>(values)...));
  }
  void explain_expiry();
  void explain_shortening();
  [[nodiscard]] std::string clock_steps() const;
  [[nodiscard]] std::string faults_since(sim::TimeNs from_ns) const;
  [[nodiscard]] std::string place_of_expiry() const;
  void explain_failover();
  void explain_restart(const std::string& node, bool is_one_of_many);
  void explain_promotion();
  void explain_eviction();
  void explain_operator();
  void explain_taking();
  [[nodiscard]] std::string lateness_of(const Event& command, std::string_view by) const;
  [[nodiscard]] std::string given_up_asking(std::string_view label) const;
  [[nodiscard]] bool has_lost_reply(std::string_view label, sim::TimeNs from_ns) const;

  const CauseFacts& facts_;
  const std::string owner_;
  const HoldPeriod& hold_period_;
  const Event& event_;  // the lock-changed
  const std::string who_;
  const std::string when_;
  Cause cause_;
};

/// The node whose clock ended it; of a quorum no one node did it otherwise.
std::string LossExplainer::place_of_expiry() const {
  for (const Event& event : facts_.events()) {
    const bool is_step = event.kind == model_kind::clock_changed && event.number("by_ns") != 0;
    if (is_step && event.at == event_.at) return facts_.actor_of(event);
  }
  return facts_.is_quorum(owner_) ? std::string() : facts_.actor_of(event_);
}

std::string LossExplainer::clock_steps() const {
  std::string drift;
  const Event* last = nullptr;  // step
  std::size_t steps = 0;
  const std::string node = place_of_expiry();
  for (const Event& changed : facts_.events()) {
    if (changed.kind != model_kind::clock_changed || changed.at > event_.at) continue;
    if (facts_.actor_of(changed) != node) continue;
    if (changed.number("by_ns") != 0) {
      last = &changed;
      ++steps;
    } else if (changed.number("drift_ppm") != 0) {
      drift = fmt::format(", with {}'s clock off by {} ppm since {}", node,
                          changed.number("drift_ppm"), milliseconds(changed.at));
    }
  }
  if (last == nullptr) return drift;
  return fmt::format(", after {}'s clock had stepped {}by {}{}", node,
                     steps == 1 ? std::string() : fmt::format("{} times, at last ", steps),
                     milliseconds(last->number("by_ns")), drift);
}

/// "; at 1 ms a fault struck: postpone …": what befell its process and leaves no other trace.
std::string LossExplainer::faults_since(sim::TimeNs from_ns) const {
  const std::string process = facts_.group_of(owner_);
  for (const Event& told : facts_.events()) {
    if (told.at > event_.at) break;
    const bool is_its = told.kind == model_kind::fault_struck && told.at >= from_ns &&
                        told.text("target") == process;
    if (!is_its) continue;
    return fmt::format("; at {} a fault struck: {}", milliseconds(told.at),
                       brief(told.text("what"), 200));
  }
  return {};
}

/// "20,000 ms", "no end".
std::string lease_left(sim::TimeNs ends_ns, sim::TimeNs at_ns) {
  if (ends_ns == sim::never_ns) return "no end";
  return milliseconds(std::max<sim::TimeNs>(0, ends_ns - at_ns));
}

/// Somebody's operation left it less than it had.
void LossExplainer::explain_shortening() {
  const Event& set = facts_.events()[*hold_period_.shortened];
  const Event* const command = facts_.command_at(*hold_period_.shortened);
  const std::string by = brief(set.text("by"));
  const std::string operation =
      brief(command == nullptr ? set.text("cause") : command->text("label"));
  cause_.kind = CauseKind::lease_shortened;
  cause_.culprit = by;
  cause_.operation = operation;
  cause_.server = facts_.actor_of(set);
  cause_.at_ns = set.at;
  cause_.before = lease_left(hold_period_.would_have_ended_ns, set.at);
  cause_.after = lease_left(set.number("lease_ends_ns"), set.at);
  say("{}, executed on {} at {}, cut what was left of {}'s lease from {} to {}.",
      by.empty() ? operation : fmt::format("{}'s {}", by, operation), cause_.server,
      milliseconds(set.at), who_, cause_.before, cause_.after);
  say("The lease of {} ended at {}.", who_, when_);
}

void LossExplainer::explain_expiry() {
  if (hold_period_.shortened) return explain_shortening();
  const std::string node = place_of_expiry();
  cause_.kind = CauseKind::lease_ended;
  cause_.server = node;
  std::string sentence = fmt::format("The lease of {} ended at {}", who_, when_);
  sentence += node.empty() ? fmt::format(" on so many nodes that {} had no majority any more", who_)
                           : fmt::format(" on {}", node);
  const std::string process = facts_.group_of(owner_);
  const std::string pause = facts_.pause_at(process, event_.at);
  const std::string steps = clock_steps();
  if (!pause.empty()) sentence += fmt::format(", while {} was paused {}", brief(process), pause);
  sentence += steps;
  if (!steps.empty() && pause.empty()) cause_.kind = CauseKind::clock;
  if (!node.empty() && facts_.is_quorum(owner_)) {
    sentence += fmt::format(", so that {} had no majority any more", who_);
  }
  if (pause.empty() && steps.empty()) {
    const sim::TimeNs set_ns = facts_.events()[*hold_period_.last_set].at;
    const std::string disruptions = facts_.disruptions(owner_, set_ns, event_.at);
    const Event* const setting = facts_.command_at(*hold_period_.last_set);
    const bool is_anothers =
        setting != nullptr && !hold_period_.renewed_by.empty() && hold_period_.renewed_by != who_;
    sentence += is_anothers
                    ? fmt::format("; {}'s {}, executed at {}, had set it", hold_period_.renewed_by,
                                  brief(setting->text("label")), milliseconds(set_ns))
                : hold_period_.last_set == hold_period_.taken
                    ? fmt::format("; taken at {}, it was never renewed", milliseconds(set_ns))
                    : fmt::format("; nothing had renewed it since {}", milliseconds(set_ns));
    const std::string stop = facts_.pause_within(node, set_ns, event_.at);
    if (disruptions.empty() && stop.empty()) sentence += faults_since(set_ns);
    if (!stop.empty()) sentence += fmt::format(", as {} was paused {}", node, stop);
    if (!disruptions.empty()) sentence += fmt::format(", and meanwhile {}", disruptions);
  }
  cause_.says.push_back(sentence + ".");
}

void LossExplainer::explain_failover() {
  cause_.kind = CauseKind::lost_by_server;
  if (const Event* const successor = facts_.successor_from(event_.at)) {
    cause_.server = facts_.actor_of(*successor);
    cause_.at_ns = successor->at;
  }
  const bool is_one_of_many = facts_.is_quorum(owner_);
  const Event* const happened = facts_.change_of_a_node_at(event_.at);
  explain_restart(happened == nullptr ? facts_.actor_of(event_) : facts_.actor_of(*happened),
                  is_one_of_many);
  if (!is_one_of_many) {
    explain_promotion();
  } else if (happened != nullptr && happened->kind == model_kind::node_promoted) {
    const std::string node = facts_.actor_of(*happened);
    const std::string master(happened->text("in_place_of"));
    const std::string cut = facts_.cut_at(master, node, facts_.events()[hold_period_.taken].at);
    say("{} became master in place of {} at {} without {}'s key{}, so that {} had no majority any "
        "more.",
        node, brief(master), milliseconds(happened->at), who_,
        cut.empty() ? std::string()
                    : fmt::format(" (it was cut off from {} {})", brief(master), cut),
        who_);
  }
}

void LossExplainer::explain_restart(const std::string& node, bool is_one_of_many) {
  const Event* const successor = is_one_of_many ? nullptr : facts_.successor_from(event_.at);
  for (const Event& told : facts_.events()) {
    if (told.at > event_.at && (successor == nullptr || &told > successor)) break;
    if (facts_.actor_of(told) != node) continue;
    if (told.kind == sim_kind::process_crashed) {
      say("{} crashed at {}, and {}'s {} with it.", node, milliseconds(told.at), who_,
          is_one_of_many ? "key" : "lock");
    } else if (told.kind == model_kind::disk_lost) {
      say("Its power was lost, and with it what its append-only file had not synced.");
    } else if (told.kind == model_kind::dataset_restored) {
      const std::string_view from = told.text("from");
      say("It came back at {} {}{}.", milliseconds(told.at),
          from == "nothing" ? std::string("with nothing on its disk")
                            : fmt::format("with what its {} had", brief(from)),
          is_one_of_many && told.at == event_.at
              ? fmt::format(", so that {} had no majority any more", who_)
              : std::string());
    }
  }
}

void LossExplainer::explain_promotion() {
  for (const Event& told : facts_.events()) {
    if (told.kind != model_kind::node_promoted ||
        told.at < facts_.events()[hold_period_.taken].at) {
      continue;
    }
    const std::string master(told.text("in_place_of"));
    const std::string node = facts_.actor_of(told);
    const sim::TimeNs taken_ns = facts_.events()[hold_period_.taken].at;
    const std::string cut = facts_.cut_at(master, node, taken_ns);
    say("{} became master in place of {} at {} without knowing of {}'s lock: the write had not "
        "reached it{}.",
        node, brief(master), milliseconds(told.at), who_,
        cut.empty() ? std::string()
                    : fmt::format(", as {} was cut off from it {}", brief(master), cut));
    return;
  }
}

void LossExplainer::explain_eviction() {
  cause_.kind = CauseKind::erased;
  const std::string fault = facts_.fault_at(*hold_period_.lost);
  if (!fault.starts_with("evict")) {
    return say("{} was at its memory limit and evicted {}'s lock at {}.", facts_.actor_of(event_),
               who_, when_);
  }
  say("{} evicted {}'s lock at {}, as at its memory limit (the fault: {}).",
      facts_.actor_of(event_), who_, when_, fault);
}

void LossExplainer::explain_operator() {
  cause_.kind = CauseKind::erased;
  const std::string fault = facts_.fault_at(*hold_period_.lost);
  const bool is_flush = fault.starts_with("flush");
  say("An operator deleted {} on {} at {}.",
      is_flush ? fmt::format("all data, and {}'s lock with it,", who_)
               : fmt::format("{}'s lock", who_),
      facts_.actor_of(event_), when_);
}

void LossExplainer::explain_taking() {
  const Event* const command = facts_.command_at(*hold_period_.lost);
  const std::string by(event_.text("by"));
  const std::string what =
      command == nullptr ? brief(event_.text("cause")) : brief(command->text("label"));
  const std::string node = facts_.actor_of(command == nullptr ? event_ : *command);
  cause_.kind = CauseKind::removed;
  cause_.culprit = brief(by);
  cause_.operation = what;
  cause_.server = node;
  if (by == owner_) {
    std::string sentence = fmt::format(
        "{}'s own {}, executed on {} at {}{}, gave up its last hold while it still believed that "
        "it had the lock",
        who_, what, node, when_, given_up_asking(what));
    const sim::TimeNs taken_ns = facts_.events()[hold_period_.taken].at;
    const std::string disruptions = facts_.disruptions(owner_, taken_ns, event_.at);
    if (!disruptions.empty()) sentence += fmt::format("; before that {}", disruptions);
    const std::string takings = unlike_takings(facts_, owner_, *hold_period_.lost);
    if (!takings.empty()) sentence += fmt::format("; it had taken it {}", takings);
    if (has_lost_reply(what, taken_ns)) cause_.kind = CauseKind::executed_twice;
    return cause_.says.push_back(sentence + ".");
  }
  say("{}'s {}, executed on {} at {}, took the lock from {}{}.", brief(by), what, node, when_, who_,
      command == nullptr ? std::string() : lateness_of(*command, by));
}

/// " though a/1 had stopped waiting for it at 2 ms": of the request that did it. Empty: it had not.
std::string LossExplainer::given_up_asking(std::string_view label) const {
  for (const TraceMessage& message : facts_.messages().all()) {
    const bool is_it = message.on_behalf_of == owner_ && message.label == label &&
                       message.ended < *hold_period_.lost &&
                       facts_.events()[message.ended].at == event_.at;
    if (!is_it) continue;
    for (EventIndex index = message.sent; index < message.ended; ++index) {
      const Event& event = facts_.events()[index];
      const bool is_given_up = event.kind == model_kind::step_completed &&
                               event.text("outcome") != "ok" && facts_.actor_of(event) == who_;
      if (!is_given_up) continue;
      return fmt::format(" though {} had stopped waiting for it at {}", who_,
                         milliseconds(event.at));
    }
  }
  return {};
}

/// Whether its owner never heard of such a request of its own that was executed before.
bool LossExplainer::has_lost_reply(std::string_view label, sim::TimeNs from_ns) const {
  const auto& all = facts_.messages().all();
  return std::any_of(all.begin(), all.end(), [&](const TraceMessage& message) {
    const sim::TimeNs sent_ns = facts_.events()[message.sent].at;
    return message.on_behalf_of == owner_ && message.fate == Fate::lost &&
           replied_label(message.label) == label && sent_ns >= from_ns && sent_ns < event_.at;
  });
}

std::string LossExplainer::lateness_of(const Event& command, std::string_view by) const {
  for (const TraceMessage& message : facts_.messages().all()) {
    const bool is_meant = message.delayed_by_ns > 0 && message.on_behalf_of == by &&
                          message.label == command.text("label") &&
                          facts_.events()[message.ended].at == event_.at;
    if (!is_meant) continue;
    return fmt::format("; it had been sent at {} and came {} late",
                       milliseconds(facts_.events()[message.sent].at),
                       milliseconds(message.delayed_by_ns));
  }
  return {};
}

/// " (its writes: …)", by which it may have thought to have it.
std::string writes_of(const CauseFacts& facts, const std::string& owner, sim::TimeNs from_ns,
                      sim::TimeNs until_ns) {
  std::string writes;
  std::size_t count = 0;
  for (const Event& event : facts.events()) {
    if (event.at > until_ns) break;
    if (event.at < from_ns || event.kind != model_kind::command_executed) continue;
    if (event.text("on_behalf_of") != owner || event.number("writes") == 0) continue;
    if (++count > writes_listed_max) continue;
    writes +=
        fmt::format("{}{} on {} at {}", writes.empty() ? "" : ", ", brief(event.text("label")),
                    facts.actor_of(event), milliseconds(event.at));
  }
  if (writes.empty()) return {};
  return fmt::format(" (what it wrote: {}{})", writes, count > writes_listed_max ? " …" : "");
}

/// Whether its owner was paused as it lost the lock, or the reply that told of the grant under way.
bool was_told_late(const CauseFacts& facts, const std::string& owner, sim::TimeNs lost_ns) {
  if (!facts.pause_at(facts.group_of(owner), lost_ns).empty()) return true;
  const auto& all = facts.messages().all();
  return std::any_of(all.begin(), all.end(), [&](const TraceMessage& message) {
    return message.on_behalf_of == owner && !replied_label(message.label).empty() &&
           message.fate == Fate::arrived && facts.events()[message.sent].at <= lost_ns &&
           facts.events()[message.ended].at > lost_ns;
  });
}

/// Whether most of the masters did what the owner asked them for: then it had no majority because
/// of the time that this took.
bool got_a_majority(const CauseFacts& facts, const std::string& owner, sim::TimeNs from_ns,
                    sim::TimeNs until_ns) {
  std::set<std::string> masters;
  for (const sim::Actor& actor : facts.example().trace.actors) {
    if (actor.kind == "redis") masters.insert(actor.group);
  }
  std::set<std::string> granted;
  for (const Event& event : facts.events()) {
    const bool is_its = event.kind == model_kind::command_executed && event.at >= from_ns &&
                        event.at <= until_ns && event.text("on_behalf_of") == owner &&
                        event.number("writes") > 0;
    if (is_its) granted.insert(facts.group_of(facts.actor_of(event)));
  }
  return masters.size() > 1 && 2 * granted.size() > masters.size();
}

const HoldPeriod* last_lost(const std::vector<HoldPeriod>& hold_periods) {
  const bool is_lost = !hold_periods.empty() && hold_periods.back().lost.has_value();
  return is_lost ? &hold_periods.back() : nullptr;
}

bool has_one_now(const std::vector<HoldPeriod>& hold_periods) {
  return std::any_of(hold_periods.begin(), hold_periods.end(),
                     [](const HoldPeriod& hold_period) { return !hold_period.lost.has_value(); });
}

/// Of the lock that the owner began to believe in without having it, where it took several; else of
/// any.
std::vector<HoldPeriod> periods_of_untrue_grant(const CauseFacts& facts, const std::string& owner,
                                                const checker::Moment& at) {
  for (const Event& event : facts.events()) {
    if (event.at > at.at_ns) break;
    const bool is_its = event.at == at.at_ns && event.kind == model_kind::belief_began &&
                        facts.actor_of(event) == owner;
    if (!is_its) continue;
    std::vector<HoldPeriod> found = facts.hold_periods(owner, event.text("lock"), at.order);
    if (!has_one_now(found)) return found;
  }
  return facts.hold_periods(owner, {}, at.order);
}

}  // namespace

std::optional<Cause> explain_grant(const CauseFacts& facts, const std::string& owner,
                                   const checker::Moment& at) {
  const std::vector<HoldPeriod> hold_periods = periods_of_untrue_grant(facts, owner, at);
  if (has_one_now(hold_periods)) return std::nullopt;
  const Event* const invoked = facts.last_of(model_kind::step_invoked, brief(owner), at.order);
  const sim::TimeNs from_ns = invoked == nullptr ? 0 : invoked->at;
  const HoldPeriod* const lost = last_lost(hold_periods);
  const bool had_it = lost != nullptr && facts.events()[*lost->lost].at >= from_ns;
  Cause grant;
  if (had_it) {
    grant = LossExplainer(facts, owner, *lost).tell();
    if (was_told_late(facts, owner, grant.at_ns)) grant.kind = CauseKind::late_reply;
  } else {
    const bool took_long = at.at_ns - from_ns >= long_ns;
    grant.kind = took_long && got_a_majority(facts, owner, from_ns, at.at_ns)
                     ? CauseKind::late_reply
                     : CauseKind::believed_refused;
    grant.at_ns = at.at_ns;
  }
  grant.victim = brief(owner);
  grant.culprit = brief(owner);
  grant.operation = invoked == nullptr ? std::string() : brief(invoked->text("step"));
  std::string sentence =
      fmt::format("{} took the lock for its own at {}", brief(owner), milliseconds(at.at_ns));
  sentence +=
      had_it ? fmt::format(", but had lost it at {}", milliseconds(facts.events()[*lost->lost].at))
             : std::string(", but had had it at no time before");
  const std::string others =
      facts.holders_before(at.order, had_it               ? facts.events()[lost->taken].text("lock")
                                     : invoked == nullptr ? std::string_view()
                                                          : invoked->text("lock"));
  if (!others.empty()) sentence += fmt::format(", and by then it was {}'s", others);
  if (invoked != nullptr) sentence += fmt::format("; it had asked at {}", milliseconds(from_ns));
  const std::string disruptions = facts.disruptions(owner, from_ns, at.at_ns, grant.says);
  if (!disruptions.empty()) sentence += fmt::format(", and {}", disruptions);
  if (!had_it) sentence += writes_of(facts, owner, from_ns, at.at_ns);
  grant.says.push_back(sentence + ".");
  return grant;
}

std::optional<Cause> explain_loss(const CauseFacts& facts, const std::string& owner,
                                  EventIndex before) {
  const std::vector<HoldPeriod> hold_periods = facts.hold_periods(owner, {}, before);
  for (auto hold_period = hold_periods.rbegin(); hold_period != hold_periods.rend();
       ++hold_period) {
    if (!hold_period->lost) continue;
    const Event& lost = facts.events()[*hold_period->lost];
    if (lost.text("by") != owner) return LossExplainer(facts, owner, *hold_period).tell();
  }
  return std::nullopt;
}

std::optional<Cause> explain_own_loss(const CauseFacts& facts, const std::string& owner,
                                      EventIndex before) {
  const std::vector<HoldPeriod> hold_periods = facts.hold_periods(owner, {}, before);
  const HoldPeriod* const lost = last_lost(hold_periods);
  const bool is_own = lost != nullptr && facts.events()[*lost->lost].text("by") == owner;
  if (!is_own) return std::nullopt;
  return LossExplainer(facts, owner, *lost).tell();
}

std::optional<Cause> explain_loss_at(const CauseFacts& facts, const std::string& owner,
                                     EventIndex event) {
  for (const HoldPeriod& hold_period : facts.hold_periods(owner, {}, event + 1)) {
    if (hold_period.lost == event) return LossExplainer(facts, owner, hold_period).tell();
  }
  return std::nullopt;
}

std::vector<Cause> explain_overlap(const CauseFacts& facts, const checker::Evidence& first,
                                   const checker::Evidence& second) {
  const checker::Names& names = facts.example().names;
  const std::string& owner = names.text(first.who);
  const std::string& other = names.text(second.who);
  const std::vector<HoldPeriod> hold_periods = facts.hold_periods(owner, {}, second.from.order);
  const HoldPeriod* const lost = last_lost(hold_periods);
  if (lost == nullptr) {
    std::vector<Cause> causes;
    for (const checker::Evidence* const evidence : {&first, &second}) {
      std::optional<Cause> cause = explain_grant(facts, names.text(evidence->who), evidence->from);
      if (cause) causes.push_back(*std::move(cause));
    }
    return causes;
  }
  Cause cause = LossExplainer(facts, owner, *lost).tell();
  const sim::TimeNs lost_at = facts.events()[*lost->lost].at;
  if (lost_at < second.from.at_ns) {
    cause.says.push_back(fmt::format("{} was granted the lock at {}.", brief(other),
                                     milliseconds(second.from.at_ns)));
  }
  if (lost_at < first.from.at_ns) {
    const Event* const asked =
        facts.last_of(model_kind::step_invoked, brief(owner), first.from.order);
    cause.says.push_back(fmt::format(
        "{} took it for its own at {}, {} after it had lost it{}.", brief(owner),
        milliseconds(first.from.at_ns), milliseconds(first.from.at_ns - lost_at),
        asked == nullptr ? std::string()
                         : fmt::format("; it had asked for it at {}", milliseconds(asked->at))));
  } else if (first.until && first.until->at_ns > lost_at) {
    cause.says.push_back(fmt::format("{} went on believing until {}: {} too long.", brief(owner),
                                     milliseconds(first.until->at_ns),
                                     milliseconds(first.until->at_ns - lost_at)));
  }
  return {std::move(cause)};
}

}  // namespace lockstep::reports
