#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "checker/evidence.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/cause/loss_teller.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace sim_kind = sim::trace_kind;
namespace model_kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// How an owner lost a lock.
class LossExplainer : private LossTeller {
 public:
  /// What is to be explained was to be seen at `shown_ns`.
  LossExplainer(const CauseFacts& facts, std::string owner, const HoldPeriod& hold_period,
                sim::TimeNs shown_ns = 0)
      : LossTeller(facts, std::move(owner), hold_period), shown_ns_(shown_ns) {}

  Cause tell() {
    if (std::optional<Cause> own = explain_own_lease(facts_, owner_, hold_period_)) return *own;
    const std::string_view change = event_.text("cause");
    if (change == "expiry") {
      explain_expiry();
    } else if (change == "eviction") {
      explain_eviction();
    } else if (change == "other") {
      explain_operator();
    } else {
      return change == "failover" ? explain_failover(facts_, owner_, hold_period_)
                                  : explain_removal(facts_, owner_, hold_period_);
    }
    return std::move(cause_);
  }

 private:
  void explain_expiry();
  void explain_shortening();
  [[nodiscard]] bool gives_back(const Event& set) const;
  [[nodiscard]] std::string told_meanwhile(const Event& set) const;
  [[nodiscard]] std::string lease_too_short(bool are_clocks_told) const;
  [[nodiscard]] std::string unasked(sim::TimeNs set_ns) const;
  [[nodiscard]] std::string renewed_in_part(sim::TimeNs set_ns) const;
  [[nodiscard]] std::string crash_of_a_voter(sim::TimeNs set_ns) const;
  [[nodiscard]] std::string renewals_over() const;
  [[nodiscard]] const TraceMessage* lost_message_of(EventIndex invoked, EventIndex completed) const;
  [[nodiscard]] std::string clock_steps() const;
  [[nodiscard]] bool is_over_anyway() const;
  [[nodiscard]] std::string faults_since(sim::TimeNs from_ns) const;
  [[nodiscard]] std::string place_of_expiry() const;
  [[nodiscard]] std::string majority_lost() const;
  void explain_eviction();
  void explain_operator();

  const sim::TimeNs shown_ns_;
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

/// ", as a had asked for no renewal": of a hold that its owner asked for without a lease, which
/// lasts as long as somebody renews it. Empty: its process had, or one or its reply was still under
/// way as the lock was taken, or its caller has chosen a lease.
std::string LossExplainer::unasked(sim::TimeNs set_ns) const {
  const Event* const step = facts_.last_of(model_kind::step_invoked, who_, hold_period_.taken);
  if (step == nullptr || step->text("step").find("lease=") != std::string_view::npos) return {};
  const std::string process = facts_.group_of(owner_);
  const bool was_just_taken = hold_period_.last_set == hold_period_.taken;
  for (const TraceMessage& message : facts_.messages().all()) {
    const sim::TimeNs sent_ns = facts_.events()[message.sent].at;
    if (sent_ns >= event_.at || facts_.group_of(message.on_behalf_of) != process) continue;
    const bool is_under_way =
        was_just_taken && message.sent < *hold_period_.last_set &&
        message.ended > *hold_period_.last_set &&
        (is_renewal(message.label) || is_renewal(replied_label(message.label)));
    const bool is_meanwhile = sent_ns > set_ns && is_renewal(message.label);
    if (is_under_way || is_meanwhile) return {};
  }
  return fmt::format(", as {} had asked for no renewal", brief(process));
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
                            facts_.is_for(event, owner_) && event.number("writes") > 0;
    if (!is_renewal) continue;
    // The other votes of what set it.
    constexpr sim::DurationNs one_round_ns = sim::second_ns;
    const bool is_of_setting = event.text("label") == setting->text("label");
    if (is_of_setting && event.at < set_ns + one_round_ns) continue;
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
  return fmt::format(", though its {} renewed {}{} at {}{}", brief(label),
                     fmt::join(nodes, " and "), nodes.size() == 1 ? " alone" : " only",
                     milliseconds(at_ns), crash_of_a_voter(set_ns));
}

/// ", as n3 had crashed at 4 ms": of a node that has the lock for its owner. Empty: none had.
std::string LossExplainer::crash_of_a_voter(sim::TimeNs set_ns) const {
  const Event* const begun =
      facts_.last_of(model_kind::step_invoked, who_, hold_period_.taken);  // its call of lock
  if (begun == nullptr) return {};
  std::set<std::string> voters;
  for (const Event& event : facts_.events()) {
    if (event.at >= event_.at) break;
    const bool is_vote = event.kind == model_kind::command_executed && event.at >= begun->at &&
                         event.at <= set_ns && facts_.is_for(event, owner_) &&
                         event.number("writes") > 0;
    if (is_vote && event.text("label").find("release") != std::string_view::npos) {
      voters.erase(facts_.actor_of(event));
    } else if (is_vote) {
      voters.insert(facts_.actor_of(event));
    }
    const bool is_crash = event.kind == sim_kind::process_crashed && event.at > set_ns &&
                          voters.contains(facts_.actor_of(event));
    if (is_crash) {
      return fmt::format(", as {} had crashed at {}", facts_.actor_of(event),
                         milliseconds(event.at));
    }
  }
  return {};
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
    if (event.kind == model_kind::service_invoked && event.text("kind").starts_with("renew") &&
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

/// Whether what set the lease was a release: of a vote, one for which a hold went at the same time.
bool LossExplainer::gives_back(const Event& set) const {
  return std::ranges::any_of(facts_.events(), [&](const Event& each) {
    return each.at == set.at && each.kind == model_kind::lock_changed &&
           each.text("cause") == "release" && each.text("lock") == set.text("lock") &&
           each.text("by") == set.text("by");
  });
}

/// "; meanwhile a/2 had been told, at 20,008 ms, that it has the lock": of another thread of the
/// client, by whose hold a release may go. Empty: none had.
std::string LossExplainer::told_meanwhile(const Event& set) const {
  if (!gives_back(set) || facts_.group_of(set.text("by")) != facts_.group_of(who_)) {
    return {};
  }
  const Event* told = nullptr;
  for (EventIndex index = hold_period_.taken; index < *hold_period_.shortened; ++index) {
    const Event& event = facts_.events()[index];
    const std::string who = facts_.actor_of(event);
    const bool is_of_another = event.kind == model_kind::service_completed &&
                               event.text("outcome") == "ok" && !facts_.is_by(event, owner_) &&
                               facts_.group_of(who) == facts_.group_of(who_);
    if (!is_of_another) continue;
    const Event* const asked = facts_.last_of(model_kind::service_invoked, who, index);
    const bool is_of_it = asked != nullptr && asked->text("kind").starts_with("acquire") &&
                          asked->text("lock") == set.text("lock");
    if (is_of_it) told = &event;
  }
  if (told == nullptr) return {};
  return fmt::format("; meanwhile {} had been told, at {}, that it has the lock",
                     brief(facts_.actor_of(*told)), milliseconds(told->at));
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
  const std::string given_up = given_up_asking(facts_, owner_, operation, *hold_period_.shortened);
  // Only what is given back can undo; who asks again sets the lease anew.
  const std::string undone =
      gives_back(set) ? attempt_undone(facts_, owner_, operation, *hold_period_.shortened)
                      : std::string();
  const std::string told = told_meanwhile(set);
  const bool is_odd = !given_up.empty() || !undone.empty();
  say("{}, executed on {} at {}{}, cut what was left of {}'s lease from {} to {}{}{}.",
      by.empty() ? operation : fmt::format("{}'s {}{}", by, is_odd ? "own " : "", operation),
      cause_.server, milliseconds(set.at), given_up, who_, cause_.before, cause_.after, undone,
      told);
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
        facts_.disruptions(owner_, set_ns + 1, event_.at, event_.text("lock"));  // not what set it
    const Event* const setting = facts_.command_at(*hold_period_.last_set);
    const bool is_anothers =
        setting != nullptr && !hold_period_.renewed_by.empty() && hold_period_.renewed_by != who_;
    sentence += is_anothers
                    ? fmt::format("; {}'s {}, executed at {}, had set it", hold_period_.renewed_by,
                                  brief(setting->text("label")), milliseconds(set_ns))
                : hold_period_.last_set == hold_period_.taken
                    ? fmt::format("; taken at {}, it was never renewed", milliseconds(set_ns))
                : setting == nullptr
                    ? fmt::format("; nothing had renewed it since {}", milliseconds(set_ns))
                    : fmt::format("; nothing had renewed it since its {} at {}",
                                  brief(setting->text("label")), milliseconds(set_ns));
    const std::string too_short = lease_too_short(!blame.words.empty());
    sentence += too_short;
    const std::string unrenewed = too_short.empty() ? unasked(set_ns) : std::string();
    sentence += unrenewed;
    sentence += renewed_in_part(set_ns);
    cause_.mistake = renewal_without_majority(facts_, owner_, set_ns, event_.at);
    const std::string stop = facts_.pause_within(node, set_ns + 1, event_.at);
    if (disruptions.empty() && stop.empty()) sentence += faults_since(set_ns);
    if (!stop.empty()) sentence += fmt::format(", as {} was paused {}", node, stop);
    const std::string over = disruptions.empty() ? renewals_over() : std::string();
    sentence += over;
    if (!disruptions.empty()) sentence += fmt::format(", and meanwhile {}", disruptions);
    // A fault may keep for later what came when the hold was asked for.
    const Event* const asked =
        facts_.last_of(model_kind::service_invoked, who_, hold_period_.taken);
    const std::string earlier =
        disruptions.empty() && over.empty() && !unrenewed.empty() && asked != nullptr
            ? facts_.disruptions(owner_, asked->at, set_ns, event_.text("lock"))
            : std::string();
    if (!earlier.empty()) sentence += fmt::format(", and before that {}", earlier);
  }
  cause_.says.push_back(sentence + ".");
  if (is_by_clock && facts_.is_quorum(owner_)) {
    cause_.says.push_back(lost_before(facts_, hold_period_, node));
  }
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
