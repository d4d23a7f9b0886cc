#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "checker/evidence.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// How an owner lost a lock.
class LossExplainer {
 public:
  /// What is to be explained was to be seen at `shown_ns`.
  LossExplainer(const CauseFacts& facts, std::string owner, const HoldPeriod& hold_period,
                sim::TimeNs shown_ns = 0)
      : facts_(facts),
        shown_ns_(shown_ns),
        owner_(std::move(owner)),
        hold_period_(hold_period),
        event_(facts.events()[*hold_period.lost]),
        who_(brief(owner_)),
        when_(milliseconds(event_.at)) {}

  Cause tell() {
    if (std::optional<Cause> own = explain_own_lease(facts_, owner_, hold_period_)) return *own;
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
  [[nodiscard]] std::string lease_too_short(bool are_clocks_told) const;
  [[nodiscard]] std::string renewed_in_part(sim::TimeNs set_ns) const;
  [[nodiscard]] std::string renewals_over() const;
  [[nodiscard]] const TraceMessage* lost_message_of(EventIndex invoked, EventIndex completed) const;
  [[nodiscard]] std::string clock_steps() const;
  [[nodiscard]] bool is_over_anyway() const;
  [[nodiscard]] std::string faults_since(sim::TimeNs from_ns) const;
  [[nodiscard]] std::string place_of_expiry() const;
  void explain_failover();
  void explain_restart(const std::string& node, bool is_one_of_many);
  [[nodiscard]] const Event* promotion() const;
  bool explain_other_clock();
  void explain_promotion();
  [[nodiscard]] std::string majority_lost() const;
  void explain_eviction();
  void explain_operator();
  void explain_taking();
  [[nodiscard]] std::string lateness_of(const Event& command, std::string_view by) const;
  [[nodiscard]] std::string why_so_late(const std::string& by) const;
  [[nodiscard]] std::string given_up_asking(std::string_view label) const;
  [[nodiscard]] bool has_lost_reply(std::string_view label, sim::TimeNs from_ns) const;

  const CauseFacts& facts_;
  const sim::TimeNs shown_ns_;
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

/// Whether the lease would have been over by then at a node with a right clock, too.
bool LossExplainer::is_over_anyway() const {
  const std::string node = place_of_expiry();
  const sim::TimeNs set_ns = facts_.events()[*hold_period_.last_set].at;
  const sim::DurationNs gained_ns =
      wall_clock_ahead_ns(facts_, node, event_.at) - wall_clock_ahead_ns(facts_, node, set_ns);
  return shown_ns_ >= event_.at + gained_ns;
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

/// ", for 30 ms, though a/1 had asked for 30,000 ms": what a script made of the owner's wish.
/// Empty: about that, or nobody knows.
std::string LossExplainer::lease_too_short(bool are_clocks_told) const {
  const Event& set = facts_.events()[*hold_period_.last_set];
  const Event* const asked =
      facts_.last_of(model_kind::service_invoked, who_, *hold_period_.last_set);
  const bool is_its =
      asked != nullptr && set.text("by") == owner_ && asked->text("lock") == set.text("lock");
  const sim::DurationNs wanted_ns =
      is_its ? asked->number("lease_ms") * sim::millisecond_ns : sim::DurationNs{0};
  const sim::DurationNs given_ns = lease_end_of(set) - set.at;
  // Clocks that are wrong make less of a difference, where they are told of, and else next to none.
  if (given_ns >= (are_clocks_told ? wanted_ns / 2 : wanted_ns / 10 * 9)) return {};
  return fmt::format(", for {}, though {} had asked for {}", milliseconds(given_ns), who_,
                     milliseconds(wanted_ns));
}

/// ", though its extend renewed n3 alone at 8,050 ms": of a vote less than half of the nodes.
/// Empty: none of them was, or it is no vote.
std::string LossExplainer::renewed_in_part(sim::TimeNs set_ns) const {
  const Event* const setting = facts_.command_at(*hold_period_.last_set);
  if (!facts_.is_quorum(owner_) || setting == nullptr) return {};
  std::string label;
  sim::TimeNs at_ns = 0;
  std::vector<std::string> nodes;
  for (const Event& event : facts_.events()) {
    if (event.at >= event_.at) break;
    const bool is_renewal = event.kind == model_kind::command_executed && event.at > set_ns &&
                            facts_.is_for(event, owner_) && event.number("writes") > 0 &&
                            event.text("label") != setting->text("label");
    if (!is_renewal) continue;
    if (nodes.empty()) {
      label = event.text("label");
      at_ns = event.at;
    }
    // Anything else than one more renewal is no story of this kind.
    if (event.text("label") != label) return {};
    const std::string node = facts_.actor_of(event);
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
  if (nodes.empty()) return {};
  return fmt::format(", though its {} renewed {}{} at {}", brief(label), fmt::join(nodes, " and "),
                     nodes.size() == 1 ? " alone" : " only", milliseconds(at_ns));
}

/// "; its last renewal, begun at 1 ms, had come to nothing (its renew was lost: dropped), and no
/// other was begun": of this lock and for this owner. Empty: it did not come to nothing, or there
/// was none, or a later one.
std::string LossExplainer::renewals_over() const {
  std::optional<EventIndex> asked_at;
  bool is_in_vain = false;
  EventIndex completed = 0;
  for (EventIndex index = hold_period_.taken; index < *hold_period_.lost; ++index) {
    const Event& event = facts_.events()[index];
    if (!facts_.is_by(event, owner_)) continue;
    if (event.kind == model_kind::service_invoked && event.text("kind") == "renew" &&
        event.text("lock") == event_.text("lock")) {
      asked_at = index;
      is_in_vain = false;
    } else if (event.kind == model_kind::service_completed && asked_at &&
               event.number("operation") == facts_.events()[*asked_at].number("operation")) {
      is_in_vain = event.text("outcome") != "ok";
      completed = index;
    }
  }
  if (!is_in_vain || *asked_at >= *hold_period_.last_set) return {};
  const sim::TimeNs asked_ns = facts_.events()[*asked_at].at;
  const std::string node = facts_.actor_of(event_);
  const std::string stop = facts_.pause_at(node, asked_ns);
  std::string why;
  if (!stop.empty()) why = fmt::format(" ({} was paused {})", node, stop);
  if (const TraceMessage* const message = lost_message_of(*asked_at, completed)) {
    why = fmt::format(" ({} was lost: {})", its_message(message->label), facts_.why_lost(*message));
  }
  return fmt::format(
      "; its last renewal, begun at {}, had come to nothing{}, and no other was begun",
      milliseconds(asked_ns), why);
}

/// The first lost message of an operation: a request that was sent before its owner began another,
/// or the reply to one. Null: none.
const TraceMessage* LossExplainer::lost_message_of(EventIndex invoked, EventIndex completed) const {
  const TraceMessage* first = nullptr;
  EventIndex until = completed;
  std::vector<const TraceMessage*> requests;
  for (const TraceMessage& message : facts_.messages().all()) {
    const bool is_within = message.sent > invoked && message.sent < completed;
    if (!is_within || !facts_.is_of(message.on_behalf_of, owner_)) continue;
    if (first == nullptr) {
      first = &message;
      for (EventIndex index = message.sent; index < until; ++index) {
        const Event& event = facts_.events()[index];
        const bool is_next =
            event.kind == model_kind::service_invoked && facts_.is_by(event, owner_);
        if (is_next) until = index;
      }
    }
    const bool is_request = message.label == first->label && message.sent < until;
    const bool is_reply =
        std::any_of(requests.begin(), requests.end(), [&](const TraceMessage* request) {
          return replied_label(message.label) == request->label && message.from == request->to &&
                 message.sent > request->ended;
        });
    if (is_request) requests.push_back(&message);
    if ((is_request || is_reply) && message.fate == Fate::lost) return &message;
  }
  return nullptr;
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
  const ClockBlame blame = clocks_to_blame(facts_, owner_, hold_period_);
  if (steps.empty() && pause.empty() && !blame.words.empty()) {
    sentence += blame.words;
    if (blame.explains) {
      cause_.kind = CauseKind::clock;
      if (!blame.server.empty()) cause_.server = blame.server;
      if (blame.is_of_the_owner) cause_.culprit = who_;
    }
  }
  if (!pause.empty()) sentence += fmt::format(", while {} was paused {}", brief(process), pause);
  sentence += steps;
  const bool is_by_clock = !steps.empty() && !is_over_anyway();
  if (is_by_clock && pause.empty()) cause_.kind = CauseKind::clock;
  if (!node.empty() && facts_.is_quorum(owner_)) {
    sentence += fmt::format(", so that {} had no majority any more", who_);
  }
  if (pause.empty() && !is_by_clock) {
    const sim::TimeNs set_ns = facts_.events()[*hold_period_.last_set].at;
    const std::string disruptions =
        facts_.disruptions(owner_, set_ns, event_.at, event_.text("lock"));
    const Event* const setting = facts_.command_at(*hold_period_.last_set);
    const bool is_anothers =
        setting != nullptr && !hold_period_.renewed_by.empty() && hold_period_.renewed_by != who_;
    sentence += is_anothers
                    ? fmt::format("; {}'s {}, executed at {}, had set it", hold_period_.renewed_by,
                                  brief(setting->text("label")), milliseconds(set_ns))
                : hold_period_.last_set == hold_period_.taken
                    ? fmt::format("; taken at {}, it was never renewed", milliseconds(set_ns))
                    : fmt::format("; nothing had renewed it since {}", milliseconds(set_ns));
    sentence += lease_too_short(!blame.words.empty());
    sentence += renewed_in_part(set_ns);
    const std::string stop = facts_.pause_within(node, set_ns + 1, event_.at);
    if (disruptions.empty() && stop.empty()) sentence += faults_since(set_ns);
    if (!stop.empty()) sentence += fmt::format(", as {} was paused {}", node, stop);
    if (disruptions.empty()) sentence += renewals_over();
    if (!disruptions.empty()) sentence += fmt::format(", and meanwhile {}", disruptions);
  }
  cause_.says.push_back(sentence + ".");
  if (is_by_clock && facts_.is_quorum(owner_)) {
    cause_.says.push_back(lost_before(facts_, hold_period_, node));
  }
}

void LossExplainer::explain_failover() {
  cause_.kind = CauseKind::lost_by_server;
  const bool is_one_of_many = facts_.is_quorum(owner_);
  // Of a vote any node may have been the one.
  const std::string shard =
      is_one_of_many ? std::string() : facts_.group_of(facts_.actor_of(event_));
  if (const Event* const successor = facts_.successor_from(event_.at, shard)) {
    cause_.server = facts_.actor_of(*successor);
    cause_.at_ns = successor->at;
  }
  const Event* const happened = facts_.change_of_a_node_at(event_.at);
  if (is_one_of_many && happened != nullptr) cause_.server = facts_.actor_of(*happened);
  if (!is_one_of_many && explain_other_clock()) return;
  explain_restart(happened == nullptr ? facts_.actor_of(event_) : facts_.actor_of(*happened),
                  is_one_of_many);
  if (!is_one_of_many) {
    explain_promotion();
  } else if (happened != nullptr && happened->kind == model_kind::node_promoted) {
    const std::string node = facts_.actor_of(*happened);
    const std::string master(happened->text("in_place_of"));
    const std::string why =
        why_unreached(facts_, master, node, facts_.events()[hold_period_.taken].at);
    say("{} became master in place of {} at {} without {}'s key{}, so that {} had no majority any "
        "more.",
        node, brief(master), milliseconds(happened->at), who_,
        why.empty() ? std::string() : fmt::format(" ({})", why), who_);
  }
  if (is_one_of_many) cause_.says.push_back(lost_before(facts_, hold_period_, cause_.server));
}

void LossExplainer::explain_restart(const std::string& node, bool is_one_of_many) {
  const Event* const successor = is_one_of_many ? nullptr : facts_.successor_from(event_.at);
  for (const Event& told : facts_.events()) {
    if (told.at > event_.at && (successor == nullptr || &told > successor)) break;
    if (facts_.actor_of(told) != node) continue;
    if (told.kind == sim_kind::process_crashed) {
      say("{} {} at {}, and {}'s {} with it.", node, how_ended(facts_.events(), told),
          milliseconds(told.at), who_, is_one_of_many ? "key" : "lock");
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

/// The first promotion since it was taken; null: none.
const Event* LossExplainer::promotion() const {
  for (const Event& told : facts_.events()) {
    const bool is_it =
        told.kind == model_kind::node_promoted && told.at >= facts_.events()[hold_period_.taken].at;
    if (is_it) return &told;
  }
  return nullptr;
}

/// Where the new master had the lock's key, and its lease was over by its clock.
bool LossExplainer::explain_other_clock() {
  const Event* const promoted = promotion();
  if (promoted == nullptr) return false;
  const std::string master = brief(promoted->text("in_place_of"));
  const std::string node = facts_.actor_of(*promoted);
  const Event& set = facts_.events()[*hold_period_.last_set];
  if (!had_reached(facts_, set, node, promoted->at)) return false;
  const sim::DurationNs ahead_ns = wall_clock_ahead_ns(facts_, node, promoted->at) -
                                   wall_clock_ahead_ns(facts_, master, promoted->at);
  const sim::DurationNs left_ns = lease_end_of(set) - promoted->at;
  if (ahead_ns <= 0 || left_ns <= 0 || ahead_ns < left_ns) return false;
  cause_.kind = CauseKind::clock;
  cause_.before = milliseconds(left_ns);
  cause_.after = milliseconds(0);
  say("{} became master in place of {} at {}; its wall clock is {} ahead of {}'s, so that {}'s "
      "lease, of which {} were left, was over there.",
      node, master, milliseconds(promoted->at), milliseconds(ahead_ns), master, who_,
      milliseconds(left_ns));
  return true;
}

void LossExplainer::explain_promotion() {
  const Event* const promoted = promotion();
  if (promoted == nullptr) return;
  const std::string master(promoted->text("in_place_of"));
  const std::string node = facts_.actor_of(*promoted);
  const Event& taken = facts_.events()[hold_period_.taken];
  if (had_reached(facts_, taken, node, promoted->at)) {
    return say("{} became master in place of {} at {} and did not have {}'s lock.", node,
               brief(master), milliseconds(promoted->at), who_);
  }
  const std::string why = why_unreached(facts_, master, node, taken.at);
  say("{} became master in place of {} at {} without knowing of {}'s lock: the write had not "
      "reached it{}.",
      node, brief(master), milliseconds(promoted->at), who_,
      why.empty() ? std::string() : ", as " + why);
}

/// ", so that a/1 had no majority any more": of one node of several.
std::string LossExplainer::majority_lost() const {
  return facts_.is_quorum(owner_) ? fmt::format(", so that {} had no majority any more", who_)
                                  : std::string();
}

void LossExplainer::explain_eviction() {
  cause_.kind = CauseKind::erased;
  cause_.server = place_of_fault(facts_, owner_, hold_period_);
  const std::string fault = facts_.fault_at(*hold_period_.lost);
  if (!fault.starts_with("evict")) {
    return say("{} was at its memory limit and evicted {}'s lock at {}{}.", cause_.server, who_,
               when_, majority_lost());
  }
  say("{} evicted {}'s lock at {}, as at its memory limit (the fault: {}){}.", cause_.server, who_,
      when_, fault, majority_lost());
}

void LossExplainer::explain_operator() {
  cause_.kind = CauseKind::erased;
  cause_.server = place_of_fault(facts_, owner_, hold_period_);
  const std::string fault = facts_.fault_at(*hold_period_.lost);
  const bool is_flush = fault.starts_with("flush");
  say("An operator deleted {} on {} at {}{}.",
      is_flush ? fmt::format("all data, and {}'s lock with it,", who_)
               : fmt::format("{}'s lock", who_),
      cause_.server, when_, majority_lost());
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
    const std::string disruptions =
        facts_.disruptions(owner_, taken_ns, event_.at, event_.text("lock"));
    const bool was_unheard = has_lost_reply(what, taken_ns);
    if (!disruptions.empty()) {
      sentence +=
          fmt::format("; before that {}{}", disruptions, was_unheard ? ", and it asked again" : "");
    }
    const std::string takings = unlike_takings(facts_, owner_, *hold_period_.lost);
    if (!takings.empty()) sentence += fmt::format("; it had taken it {}", takings);
    const std::optional<Cause> uncounted = explain_uncounted(facts_, owner_, event_.at);
    if (uncounted && uncounted->at_ns >= taken_ns) cause_.says.push_back(uncounted->says.front());
    if (was_unheard) cause_.kind = CauseKind::executed_twice;
    return cause_.says.push_back(sentence + ".");
  }
  say("{}'s {}, executed on {} at {}, took the lock from {}{}{}{}.", brief(by), what, node, when_,
      who_, command == nullptr ? std::string() : lateness_of(*command, by), why_so_late(by),
      own_lease_over(facts_, owner_, hold_period_));
}

/// " though a/1 had stopped waiting for it at 2 ms": of the request that did it. Empty: it had not.
std::string LossExplainer::given_up_asking(std::string_view label) const {
  for (const TraceMessage& message : facts_.messages().all()) {
    const bool is_it = facts_.is_of(message.on_behalf_of, owner_) && message.label == label &&
                       message.ended < *hold_period_.lost &&
                       facts_.events()[message.ended].at == event_.at;
    if (!is_it) continue;
    for (EventIndex index = message.sent; index < message.ended; ++index) {
      const Event& event = facts_.events()[index];
      const bool is_given_up = event.kind == model_kind::step_completed &&
                               event.text("outcome") != "ok" && facts_.is_by(event, owner_);
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
    return facts_.is_of(message.on_behalf_of, owner_) && message.fate == Fate::lost &&
           replied_label(message.label) == label && sent_ns >= from_ns && sent_ns < event_.at;
  });
}

/// "; a/1's own hold had ended at 2 ms, while a was paused from 1 ms to 3 ms": of who gave back
/// what was its own no more. Empty: it never was, or it takes the lock.
std::string LossExplainer::why_so_late(const std::string& by) const {
  if (event_.text("cause") == "acquire") return {};
  const std::vector<HoldPeriod> own =
      facts_.hold_periods(by, event_.text("lock"), *hold_period_.lost);
  if (own.empty() || !own.back().lost) return {};
  const Event& ended = facts_.events()[*own.back().lost];
  if (ended.text("by") == by) return {};
  const std::string process = facts_.group_of(by);
  const std::string pause = facts_.pause_at(process, ended.at);
  return fmt::format("; {}'s own hold had ended at {}{}", brief(by), milliseconds(ended.at),
                     pause.empty()
                         ? std::string()
                         : fmt::format(", while {} was paused {}", brief(process), pause));
}

std::string LossExplainer::lateness_of(const Event& command, std::string_view by) const {
  for (const TraceMessage& message : facts_.messages().all()) {
    const bool is_meant = message.delayed_by_ns > 0 && facts_.is_of(message.on_behalf_of, by) &&
                          message.label == command.text("label") &&
                          facts_.events()[message.ended].at == event_.at;
    if (!is_meant) continue;
    return fmt::format("; it had been sent at {} and came {} late",
                       milliseconds(facts_.events()[message.sent].at),
                       milliseconds(message.delayed_by_ns));
  }
  return {};
}

}  // namespace

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
  const bool is_own = !hold_periods.empty() && hold_periods.back().lost &&
                      facts.events()[*hold_periods.back().lost].text("by") == owner;
  if (!is_own) return std::nullopt;
  // What it believed to be over it gave back on purpose.
  const EventIndex lost = *hold_periods.back().lost;
  const Event* const began = facts.last_of(model_kind::belief_began, brief(owner), lost);
  const Event* const ended = facts.last_of(model_kind::belief_ended, brief(owner), lost);
  if (ended != nullptr && (began == nullptr || began < ended)) return std::nullopt;
  return LossExplainer(facts, owner, hold_periods.back()).tell();
}

std::optional<Cause> explain_loss_at(const CauseFacts& facts, const std::string& owner,
                                     EventIndex event, sim::TimeNs shown_ns) {
  for (const HoldPeriod& hold_period : facts.hold_periods(owner, {}, event + 1)) {
    if (hold_period.lost == event) {
      return LossExplainer(facts, owner, hold_period, shown_ns).tell();
    }
  }
  return std::nullopt;
}

}  // namespace lockstep::reports
