// Holds that a server lost: it came back without them, or another became master that had not seen
// them; and what a replica had of its master's writes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/cause/loss_teller.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using Event = CauseFacts::Event;
using checker::milliseconds;

/// "from 1 ms to 2 ms", "from 1 ms on".
std::string span_in_words(sim::TimeNs from_ns, const Event* ended) {
  return ended == nullptr
             ? fmt::format("from {} on", milliseconds(from_ns))
             : fmt::format("from {} to {}", milliseconds(from_ns), milliseconds(ended->at));
}

/// "it lagged by 2s": of a fault that keeps writes from a replica; empty: it does not.
std::string kept_back(std::string_view fault) {
  if (fault.starts_with("stall ")) return "its replication stalled";
  if (fault.starts_with("disconnect ")) return "its link was broken";
  constexpr std::string_view lag = " lag by ";
  const std::size_t at = fault.find(lag);
  if (at == std::string_view::npos) return {};
  const std::string_view by = fault.substr(at + lag.size());
  return fmt::format("it lagged by {}", brief(by.substr(0, by.find(' '))));
}

/// How a hold was lost by a server that came back, or became master, without it.
class FailoverExplainer : private LossTeller {
 public:
  using LossTeller::LossTeller;

  Cause tell() {
    explain();
    return std::move(cause_);
  }

 private:
  void explain();
  void explain_restart(const std::string& node, bool is_one_of_many);
  [[nodiscard]] const Event* promotion() const;
  bool explain_other_clock();
  void explain_promotion();
};

void FailoverExplainer::explain() {
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

void FailoverExplainer::explain_restart(const std::string& node, bool is_one_of_many) {
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
const Event* FailoverExplainer::promotion() const {
  for (const Event& told : facts_.events()) {
    const bool is_it =
        told.kind == model_kind::node_promoted && told.at >= facts_.events()[hold_period_.taken].at;
    if (is_it) return &told;
  }
  return nullptr;
}

/// Where the new master had the lock's key, and its lease was over by its clock.
bool FailoverExplainer::explain_other_clock() {
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

void FailoverExplainer::explain_promotion() {
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

}  // namespace

bool had_reached(const CauseFacts& facts, const Event& write, std::string_view replica,
                 sim::TimeNs by_ns) {
  // What came to a replica whose replication stands still is not applied.
  const Event* applied = nullptr;
  for (const Event& event : facts.events()) {
    const bool is_its =
        (event.kind == model_kind::stream_applied || event.kind == model_kind::dataset_loaded) &&
        event.at <= by_ns && facts.actor_of(event) == replica;
    if (is_its) applied = &event;
  }
  if (applied == nullptr) return false;
  const auto& all = facts.messages().all();
  return std::any_of(all.begin(), all.end(), [&](const TraceMessage& message) {
    const Event& sent = facts.events()[message.sent];
    const bool brings_data =
        message.label == "replication" || message.label == "full synchronisation";
    return brings_data && sent.at >= write.at && sent.text("to") == replica &&
           message.fate == Fate::arrived && facts.events()[message.ended].at <= applied->at;
  });
}

std::string why_unreached(const CauseFacts& facts, std::string_view master,
                          std::string_view replica, sim::TimeNs written_ns) {
  const std::string cut = facts.cut_at(master, replica, written_ns);
  if (!cut.empty()) return fmt::format("{} was cut off from it {}", brief(master), cut);
  // In the words of the trace, which is all that is left of a saved run.
  std::map<std::int64_t, std::pair<const Event*, const Event*>> spans;  // by fault: begun, ended
  for (const Event& event : facts.events()) {
    const bool is_its =
        (event.kind == model_kind::fault_struck || event.kind == model_kind::fault_ended) &&
        event.text("target") == replica;
    if (!is_its) continue;
    auto& [struck, ended] = spans[event.number("fault")];
    if (event.kind == model_kind::fault_ended) {
      ended = &event;
    } else if (event.at <= written_ns) {
      struck = &event;
      ended = nullptr;
    }
  }
  for (const auto& [number, span] : spans) {
    const auto& [struck, ended] = span;
    if (struck == nullptr || (ended != nullptr && ended->at < written_ns)) continue;
    const std::string how = kept_back(struck->text("what"));
    if (!how.empty()) return fmt::format("{} {}", how, span_in_words(struck->at, ended));
  }
  return {};
}

Cause explain_failover(const CauseFacts& facts, const std::string& owner, const HoldPeriod& lost) {
  return FailoverExplainer(facts, owner, lost).tell();
}

}  // namespace lockstep::reports
