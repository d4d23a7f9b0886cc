#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// What one step of the owner did on the nodes.
struct Step {
  std::map<std::string, int> taken;
  std::map<std::string, int> given_back;
  std::set<std::string> asked;  ///< to give it back
  bool is_over = false;
  bool asks_for_it = false;  ///< else what is executed meanwhile was sent before

  /// Those that it left with a hold more.
  [[nodiscard]] std::set<std::string> nodes() const {
    std::set<std::string> nodes;
    for (const auto& [node, times] : taken) {
      if (left_on(node) > 0) nodes.insert(node);
    }
    return nodes;
  }
  [[nodiscard]] int left_on(const std::string& node) const {
    const auto took = taken.find(node);
    const auto gave = given_back.find(node);
    return (took == taken.end() ? 0 : took->second) - (gave == given_back.end() ? 0 : gave->second);
  }
};

/// Empty: it is not by where it was taken that what a release gives back differs from what was
/// taken, but by how often it was taken, or given back.
std::string explain(const std::vector<Step>& steps, std::size_t majority) {
  std::vector<std::set<std::string>> takings;
  std::set<std::string> all;
  for (const Step& step : steps) {
    for (const auto& [node, times] : step.taken) {
      if (step.left_on(node) > 1) return {};
    }
    const std::set<std::string> nodes = step.nodes();
    // A grant by fewer is another matter.
    if (step.is_over && !nodes.empty() && nodes.size() < majority) return {};
    all.insert(nodes.begin(), nodes.end());
    if (!nodes.empty()) takings.push_back(nodes);
    for (const auto& [node, times] : step.given_back) {
      if (nodes.empty() && times > 1) return {};
    }
    const bool is_release = nodes.empty() && !step.asked.empty() && step.is_over;
    if (is_release &&
        !std::includes(step.asked.begin(), step.asked.end(), all.begin(), all.end())) {
      return {};
    }
  }
  const auto unlike = std::ranges::find_if(
      takings, [&](const std::set<std::string>& nodes) { return nodes != takings.front(); });
  if (unlike == takings.end()) return {};
  return fmt::format("on {}, and once more on {}", fmt::join(takings.front(), ", "),
                     fmt::join(*unlike, ", "));
}

/// Whether the command's first key is the lock.
bool is_about(const Event& command, std::string_view lock) {
  const std::string_view arguments = command.text("arguments");
  return names_lock(arguments.substr(0, arguments.find(' ')), lock);
}

/// Of the masters.
std::size_t majority_of(const CauseFacts& facts) {
  std::set<std::string> masters;
  for (const sim::Actor& actor : facts.example().trace.actors) {
    if (actor.kind == "redis") masters.insert(actor.group);
  }
  return masters.size() / 2 + 1;
}

/// By which command locks are given back; empty: none was.
std::string_view release_label(const CauseFacts& facts) {
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != kind::lock_changed || event.text("cause") != "release") continue;
    if (const Event* const command = facts.command_at(index)) return command->text("label");
  }
  return {};
}

}  // namespace

std::string unlike_takings(const CauseFacts& facts, const std::string& owner, EventIndex before) {
  const std::vector<HoldPeriod> hold_periods = facts.hold_periods(owner, {}, before);
  if (hold_periods.empty() || !facts.is_quorum(owner)) return {};
  const EventIndex taken = hold_periods.back().taken;
  const Event* const taking = facts.command_at(taken);
  if (taking == nullptr) return {};
  const std::string_view giving_back = release_label(facts);
  const std::string_view lock = facts.events()[taken].text("lock");
  std::vector<Step> steps(1);
  for (EventIndex index = 0; index < std::min(before, facts.events().size()); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind == kind::step_invoked && facts.is_by(event, owner)) {
      if (index <= taken) steps.clear();
      steps.emplace_back();
    }
    if (event.kind == kind::step_completed && facts.is_by(event, owner)) {
      steps.back().is_over = true;
    }
    if (event.kind == kind::service_invoked && facts.is_by(event, owner) &&
        event.text("kind").starts_with("acquire")) {
      steps.back().asks_for_it = true;
    }
    const bool is_its =
        event.kind == kind::command_executed && facts.is_for(event, owner) && is_about(event, lock);
    if (!is_its) continue;
    const std::string node = facts.actor_of(event);
    const int did = event.number("writes") > 0 ? 1 : 0;
    if (event.text("label") == taking->text("label")) {
      if (steps.back().asks_for_it) steps.back().taken[node] += did;
    } else if (event.text("label") == giving_back) {
      steps.back().asked.insert(node);
      steps.back().given_back[node] += did;
    }
  }
  return explain(steps, majority_of(facts));
}

std::optional<Cause> explain_uncounted(const CauseFacts& facts, const std::string& owner,
                                       sim::TimeNs by_ns) {
  const auto count_in = [&](const Event& state) -> std::int64_t {
    for (const Holder& holder : holders_from(state.text("holders"))) {
      if (holder.owner == owner) return holder.count;
    }
    return 0;
  };
  std::optional<Cause> found;
  std::string_view asked;  // what its last operation is
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at > by_ns) break;
    if (event.kind == kind::service_invoked && facts.is_by(event, owner)) {
      asked = event.text("kind");
    }
    const bool is_its =
        event.kind == kind::lock_changed && event.text("by") == owner && asked == "acquire";
    const Event* const before = is_its ? facts.state_before(index, event.text("lock")) : nullptr;
    const Event* const command = before == nullptr ? nullptr : facts.command_at(index);
    const bool is_uncounted = command != nullptr && count_in(*before) > 0 &&
                              count_in(event) == count_in(*before) && !facts.is_quorum(owner);
    if (!is_uncounted) continue;
    Cause cause;
    cause.kind = CauseKind::count_wrong;
    cause.victim = brief(owner);
    note_command(cause, facts, *command);
    cause.says.push_back(fmt::format(
        "{}'s {}, executed on {} at {}, took the lock once more, and its count stayed at {}.",
        cause.culprit, cause.operation, cause.server, milliseconds(command->at), count_in(event)));
    found = std::move(cause);
  }
  return found;
}

std::optional<LostVote> lost_vote(const CauseFacts& facts, const std::string& who,
                                  sim::TimeNs from_ns, sim::TimeNs until_ns) {
  if (!facts.is_quorum(who)) return std::nullopt;
  std::set<std::string> masters;
  for (const sim::Actor& actor : facts.example().trace.actors) {
    if (actor.kind == "redis") masters.insert(actor.group);
  }
  LostVote vote{masters.size(), {}};
  bool has_asked = false;  // for more than an answer
  for (const Event& event : facts.events()) {
    if (event.at > until_ns) break;
    const bool is_its =
        event.kind == kind::command_executed && event.at >= from_ns && facts.is_for(event, who);
    if (!is_its) continue;
    const std::string_view command = event.text("command");
    has_asked = has_asked || command.starts_with("EVAL") || command.starts_with("SET");
    if (event.number("writes") > 0) vote.done.insert(facts.actor_of(event));
  }
  if (!has_asked || 2 * vote.done.size() > vote.nodes) return std::nullopt;
  return vote;
}

std::string few_of_a_vote(const CauseFacts& facts, const std::string& who, sim::TimeNs from_ns,
                          sim::TimeNs until_ns) {
  const std::optional<LostVote> vote = lost_vote(facts, who, from_ns, until_ns);
  if (!vote) return {};
  const std::string nodes =
      vote->done.empty() ? "none" : fmt::format("{}", fmt::join(vote->done, " and "));
  return fmt::format("of {} nodes {}{} had done it", vote->nodes, nodes,
                     vote->done.size() == 1 ? " alone" : "");
}

}  // namespace lockstep::reports
