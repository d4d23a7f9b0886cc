// How somebody came to believe in a lock that was not its own.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/history.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

constexpr std::size_t writes_listed_max = 5;
/// An acquisition that took less did not outlast a lease.
constexpr sim::DurationNs long_ns = 100 * sim::millisecond_ns;

/// " with the argument -2": of a number below zero, most likely of a lease. Empty: none.
std::string negative_argument_of(const Event& command) {
  std::string_view words = command.text("arguments");
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    const bool is_negative = word.size() > 1 && word.front() == '-' &&
                             word.find_first_not_of("0123456789", 1) == std::string_view::npos;
    if (is_negative) return fmt::format(" with the argument {}", brief(word));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
  return {};
}

/// "set on n1 at 1 ms, n2 at 2 ms, del on n1 at 3 ms".
class Writes {
 public:
  void add(const std::string& what, const std::string& node, sim::TimeNs at_ns) {
    words_ += words_.empty() ? "" : ", ";
    if (what != last_) words_ += what + " on ";
    words_ += fmt::format("{} at {}", node, milliseconds(at_ns));
    last_ = what;
  }
  [[nodiscard]] const std::string& in_words() const { return words_; }

 private:
  std::string words_;
  std::string last_;
};

/// " (its writes: …)", by which it may have thought to have it.
std::string writes_of(const CauseFacts& facts, const std::string& owner, sim::TimeNs from_ns,
                      sim::TimeNs until_ns) {
  Writes writes;
  std::size_t count = 0;
  for (const Event& event : facts.events()) {
    if (event.at > until_ns) break;
    if (event.at < from_ns || event.kind != model_kind::command_executed) continue;
    if (!facts.is_for(event, owner) || event.number("writes") == 0) continue;
    if (++count > writes_listed_max) continue;
    writes.add(brief(event.text("label")) + negative_argument_of(event), facts.actor_of(event),
               event.at);
  }
  if (count == 0) return {};
  return fmt::format(" (what it wrote: {}{})", writes.in_words(),
                     count > writes_listed_max ? " …" : "");
}

/// ", and its acquire, executed on n1 at 5 ms, was refused (the reply: 12)": the last attempt,
/// where a single server was asked and it wrote nothing.
std::string refusal_of(const CauseFacts& facts, const std::string& owner, std::string_view step,
                       sim::TimeNs from_ns, sim::TimeNs until_ns) {
  const Event* attempt = nullptr;
  for (const Event& event : facts.events()) {
    if (event.at > until_ns) break;
    const bool is_its = event.kind == model_kind::command_executed && event.at >= from_ns &&
                        facts.is_for(event, owner);
    const std::string_view command = event.text("command");
    if (!is_its || (!command.starts_with("EVAL") && !command.starts_with("SET"))) continue;
    const bool is_elsewhere =
        attempt != nullptr && facts.actor_of(*attempt) != facts.actor_of(event);
    if (event.number("writes") > 0 || is_elsewhere) return {};
    attempt = &event;
  }
  if (attempt == nullptr) return {};
  return fmt::format(", and its {}, executed on {} at {}, was refused (the reply: {}){}",
                     brief(attempt->text("label")), facts.actor_of(*attempt),
                     milliseconds(attempt->at), brief(attempt->text("reply")),
                     step.empty()
                         ? std::string()
                         : fmt::format(", but its {} said yes", step.substr(0, step.find(' '))));
}

/// ", but had sent no request to acquire it": of a call in which nobody was asked for anything.
std::string unsent_acquire(const CauseFacts& facts, const std::string& owner, sim::TimeNs from_ns,
                           sim::TimeNs until_ns) {
  return facts.has_sent(owner, from_ns, until_ns) ? std::string()
                                                  : ", but had sent no request to acquire it";
}

/// Whether its owner was paused as it lost the lock, or the reply that told of the grant under way.
bool was_told_late(const CauseFacts& facts, const std::string& owner, sim::TimeNs lost_ns) {
  if (!facts.pause_at(facts.group_of(owner), lost_ns).empty()) return true;
  const auto& all = facts.messages().all();
  return std::any_of(all.begin(), all.end(), [&](const TraceMessage& message) {
    return facts.is_of(message.on_behalf_of, owner) && !replied_label(message.label).empty() &&
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
                        event.at <= until_ns && facts.is_for(event, owner) &&
                        event.number("writes") > 0;
    if (is_its) granted.insert(facts.group_of(facts.actor_of(event)));
  }
  return masters.size() > 1 && 2 * granted.size() > masters.size();
}

/// What others wrote on nodes of a vote where the owner had taken the lock for this grant: since
/// then it had nothing there. A release that another asked for is the reason.
void add_overwriting(const CauseFacts& facts, const std::string& owner, sim::TimeNs from_ns,
                     sim::TimeNs until_ns, Cause& grant) {
  std::map<std::string, sim::TimeNs> taken;  // by node: when
  std::string_view asking;                   // what takes the lock
  Writes since;
  const Event* const own =
      facts.last_of(model_kind::service_invoked, brief(owner), facts.event_after(until_ns));
  const sim::DurationNs lease_ns =
      own == nullptr ? 0 : own->number("lease_ms") * sim::millisecond_ns;
  bool are_over = lease_ns > 0;
  const Event* freed = nullptr;
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at > until_ns) break;
    const bool is_write = event.kind == model_kind::command_executed && event.at >= from_ns &&
                          event.number("writes") > 0;
    if (!is_write || event.text("command").find("EXPIRE") != std::string_view::npos) continue;
    const std::string node = facts.actor_of(event);
    const std::string by(event.text("on_behalf_of"));
    if (facts.is_of(by, owner)) {
      if (asking.empty()) asking = event.text("label");
      if (event.text("label") == asking) {
        taken[node] = event.at;
      } else {
        taken.erase(node);  // given back
      }
      continue;
    }
    const auto its = taken.find(node);
    if (by.empty() || its == taken.end()) continue;
    are_over = are_over && event.at >= its->second + lease_ns;
    taken.erase(its);
    const Event* const asked = facts.last_of(model_kind::service_invoked, brief(by), index);
    const bool is_release =
        asked != nullptr && asked->text("kind").find("release") != std::string_view::npos;
    if (is_release && freed == nullptr) freed = &event;
    since.add(fmt::format("{}'s {}", brief(by), brief(event.text("label"))), node, event.at);
  }
  if (since.in_words().empty()) return;
  if (freed != nullptr) {
    grant.kind = CauseKind::removed;
    note_command(grant, facts, *freed);
  }
  grant.says.push_back(fmt::format(
      "By then {}others had written there: {}.",
      are_over ? fmt::format("its leases of {} had ended, and ", milliseconds(lease_ns)) : "",
      since.in_words()));
}

/// Whether an old master alone granted it, which is told for itself.
bool is_by_an_old_master(const CauseFacts& facts, const std::string& owner, sim::TimeNs from_ns,
                         sim::TimeNs until_ns) {
  bool has_written = false;
  for (const Event& event : facts.events()) {
    if (event.at > until_ns) break;
    const bool is_its = event.kind == model_kind::command_executed && event.at >= from_ns &&
                        facts.is_for(event, owner) && event.number("writes") > 0;
    if (!is_its) continue;
    if (!was_deposed(facts, event)) return false;
    has_written = true;
  }
  return has_written;
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
    const bool is_its =
        event.at == at.at_ns && event.kind == model_kind::belief_began && facts.is_by(event, owner);
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
  const bool is_lost = !hold_periods.empty() && hold_periods.back().lost;
  const HoldPeriod* const lost = is_lost ? &hold_periods.back() : nullptr;
  const bool had_it = lost != nullptr && facts.events()[*lost->lost].at >= from_ns;
  Cause grant;
  if (had_it) {
    grant = *explain_loss_at(facts, owner, *lost->lost);
    // Where the lock was taken away meanwhile, however soon the reply came, that is the reason.
    const bool is_over = grant.kind == CauseKind::lease_ended || grant.kind == CauseKind::clock;
    if (is_over && was_told_late(facts, owner, grant.at_ns)) grant.kind = CauseKind::late_reply;
    if (is_over && grant.kind != CauseKind::clock)
      grant.mistake = late_belief(facts, owner, from_ns, grant.at_ns, at.at_ns);
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
  const bool is_old = lost == nullptr && is_by_an_old_master(facts, owner, from_ns, at.at_ns);
  std::string sentence =
      fmt::format("{} took the lock for its own at {}", brief(owner), milliseconds(at.at_ns));
  sentence +=
      had_it ? fmt::format(", but had lost it at {}", milliseconds(facts.events()[*lost->lost].at))
      : lost != nullptr ? fmt::format(", but had had it last until {}",
                                      milliseconds(facts.events()[*lost->lost].at))
      : is_old          ? std::string()
                        : std::string(", but had had it at no time before");
  const std::string others =
      facts.holders_before(at.order, had_it               ? facts.events()[lost->taken].text("lock")
                                     : invoked == nullptr ? std::string_view()
                                                          : invoked->text("lock"));
  if (!others.empty()) {
    sentence += fmt::format(", {} by then it was {}'s", is_old ? "but" : "and", others);
  }
  if (invoked != nullptr) sentence += fmt::format("; it had asked at {}", milliseconds(from_ns));
  const std::string disruptions = facts.disruptions(owner, from_ns, at.at_ns, grant.says);
  if (!disruptions.empty()) sentence += fmt::format(", and {}", disruptions);
  if (!had_it) sentence += refusal_of(facts, owner, grant.operation, from_ns, at.at_ns);
  if (!had_it) sentence += unsent_acquire(facts, owner, from_ns, at.at_ns);
  if (!had_it) sentence += writes_of(facts, owner, from_ns, at.at_ns);
  grant.says.push_back(sentence + ".");
  if (!had_it) add_overwriting(facts, owner, from_ns, at.at_ns, grant);
  return grant;
}

// -- mistakes --

Mistake late_belief(const CauseFacts& facts, const std::string& owner, sim::TimeNs asked_ns,
                    sim::TimeNs lost_ns, sim::TimeNs believed_ns) {
  Mistake mistake{brief(owner), believed_ns, {}};
  const std::string process = facts.group_of(owner);
  const sim::DurationNs gained_ns = wall_clock_ahead_ns(facts, process, believed_ns) -
                                    wall_clock_ahead_ns(facts, process, asked_ns);
  // Right, that clock would have shown it that its lease was over.
  const bool is_misled = gained_ns < 0 && believed_ns + gained_ns < lost_ns;
  mistake.what =
      is_misled
          ? fmt::format(
                "by its clock {} have passed since it asked, in truth {}",
                milliseconds(std::max<sim::DurationNs>(0, believed_ns - asked_ns + gained_ns)),
                milliseconds(believed_ns - asked_ns))
          : fmt::format("its lease has been over for {}", milliseconds(believed_ns - lost_ns));
  return mistake;
}

std::optional<Mistake> renewal_without_majority(const CauseFacts& facts, const std::string& owner,
                                                sim::TimeNs from_ns, sim::TimeNs until_ns) {
  const Event* asked = nullptr;
  std::string label;
  for (const Event& event : facts.events()) {
    if (event.at >= until_ns) break;
    if (event.at < from_ns) continue;
    if (event.kind == model_kind::command_executed && facts.is_for(event, owner)) {
      label = event.text("label");
    }
    if (!facts.is_by(event, owner)) continue;
    if (event.kind == model_kind::step_invoked) asked = &event;
    const bool is_success = asked != nullptr && event.kind == model_kind::step_completed &&
                            event.text("outcome") == "ok" && is_renewal(label);
    const std::optional<LostVote> vote =
        is_success ? lost_vote(facts, owner, asked->at, event.at) : std::nullopt;
    if (!vote || vote->done.empty()) continue;
    return Mistake{brief(owner), event.at,
                   fmt::format("takes {} of {} nodes for enough", vote->done.size(), vote->nodes)};
  }
  return std::nullopt;
}

std::optional<Mistake> counted_from_reply(const CauseFacts& facts, const HoldPeriod& hold,
                                          const std::string& owner, sim::TimeNs until_ns) {
  if (!hold.last_set) return std::nullopt;
  const Event& set = facts.events()[*hold.last_set];
  const sim::DurationNs lease_ns = set.number("lease_ends_ns") - set.at;
  std::optional<sim::TimeNs> heard_ns;
  for (EventIndex index = *hold.last_set; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at > until_ns) break;
    if (facts.actor_of(event) != brief(owner)) continue;
    if (event.kind == model_kind::service_completed && !heard_ns) heard_ns = event.at;
    if (event.at < until_ns || event.kind != model_kind::belief_ended) continue;
    const sim::TimeNs from_ns = heard_ns.value_or(set.at);
    const sim::DurationNs told_ns = until_ns - from_ns;
    const bool is_it =
        event.text("why") == "validity" && told_ns <= lease_ns && told_ns > lease_ns / 10 * 9;
    if (!is_it) return std::nullopt;
    return Mistake{brief(owner), from_ns,
                   fmt::format("counts its lease from the reply: until {}, in truth {}",
                               milliseconds(until_ns), milliseconds(lease_end_of(set)))};
  }
  return std::nullopt;
}

}  // namespace lockstep::reports
