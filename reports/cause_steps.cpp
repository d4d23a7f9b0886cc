#include "reports/cause_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/lock_state.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
using checker::milliseconds;
using Event = model::RecordedEvent;

constexpr std::size_t commands_listed_max = 5;

class Steps {
 public:
  explicit Steps(const search::Example& example) : example_(example), trace_(example.trace) {}

  std::vector<std::string> explain() {
    for (const checker::Verdict& verdict : example_.verdicts) {
      if (verdict.kind != checker::VerdictKind::violated) continue;
      for (const checker::Evidence& evidence : verdict.evidence) {
        if (evidence.who == checker::no_name || has_been_told(evidence.who)) continue;
        told_.push_back(evidence.who);
        tell(verdict.property, example_.names.text(evidence.who), evidence);
      }
    }
    return std::move(sentences_);
  }

 private:
  [[nodiscard]] bool has_been_told(checker::NameId who) const {
    return std::find(told_.begin(), told_.end(), who) != told_.end();
  }
  [[nodiscard]] std::string actor_of(const Event& event) const {
    const auto index = static_cast<std::size_t>(event.actor);
    return index < trace_.actors.size() ? brief(trace_.actors[index].name) : "?";
  }

  void tell(checker::Property property, const std::string& who, const checker::Evidence& evidence) {
    if (property == checker::Property::fifo) return tell_lost_place(who, evidence);
    const bool is_granted = property == checker::Property::mutual_exclusion ||
                            property == checker::Property::valid_grant;
    return is_granted ? tell_grant(who, evidence) : tell_last_command(who);
  }

  void tell_lost_place(const std::string& who, const checker::Evidence& evidence);
  void tell_grant(const std::string& who, const checker::Evidence& evidence);
  void tell_last_command(const std::string& who);

  const search::Example& example_;
  const model::RecordedTrace& trace_;
  std::vector<checker::NameId> told_;
  std::vector<std::string> sentences_;
};

constexpr std::size_t no_place = std::string_view::npos;

/// How many are before it; no_place: it is not there.
std::size_t place_of(std::string_view owners, std::string_view who) {
  for (std::size_t place = 0; !owners.empty(); ++place) {
    const std::size_t end = std::min(owners.find(' '), owners.size());
    if (owners.substr(0, end) == who) return place;
    owners.remove_prefix(std::min(end + 1, owners.size()));
  }
  return no_place;
}

/// Whose script took its place in the queue away: another's, or its own that put it further back.
void Steps::tell_lost_place(const std::string& who, const checker::Evidence& evidence) {
  std::string before;
  for (const Event& event : trace_.events) {
    if (event.kind != kind::queue_changed) continue;
    if (evidence.until && event.at > evidence.until->at_ns) break;
    const std::string owners(event.text("owners"));
    const std::string by = brief(event.text("by"));
    const std::size_t was = place_of(before, who);
    const std::size_t is = place_of(owners, who);
    before = owners;
    if (was == no_place || by.empty()) continue;
    if (is == no_place && by != who) {
      sentences_.push_back(fmt::format("A script of {}'s on {} took {} out of the queue at {}.", by,
                                       actor_of(event), brief(who), milliseconds(event.at)));
      return;
    }
    if (is != no_place && is > was) {
      sentences_.push_back(
          fmt::format("A script of {}'s on {} put {} from place {} of the queue to place {} at {}.",
                      by, actor_of(event), brief(who), was + 1, is + 1, milliseconds(event.at)));
      return;
    }
  }
}

/// The writes on which it took the lock for its own, where it never was.
void Steps::tell_grant(const std::string& who, const checker::Evidence& evidence) {
  const auto has_held =
      std::any_of(trace_.events.begin(), trace_.events.end(), [&](const Event& event) {
        return event.kind == kind::lock_changed && event.at <= evidence.from.at_ns &&
               holds(holders_from(event.text("holders")), who);
      });
  if (has_held) return;
  std::string commands;
  std::size_t count = 0;
  for (const Event& event : trace_.events) {
    if (event.at > evidence.from.at_ns) break;
    if (event.kind != kind::command_executed || event.text("on_behalf_of") != who) continue;
    if (event.number("writes") == 0 || ++count > commands_listed_max) continue;
    commands += fmt::format("{}{} on {} at {}", commands.empty() ? "" : ", ",
                            brief(event.text("label")), actor_of(event), milliseconds(event.at));
  }
  if (count > commands_listed_max) commands += " …";
  sentences_.push_back(
      fmt::format("{} took the lock for its own at {}, but at no time before had it been{}.",
                  brief(who), milliseconds(evidence.from.at_ns),
                  commands.empty() ? std::string() : fmt::format(" (its writes: {})", commands)));
}

void Steps::tell_last_command(const std::string& who) {
  const auto last =
      std::find_if(trace_.events.rbegin(), trace_.events.rend(), [&](const Event& event) {
        return event.kind == kind::command_executed && event.text("on_behalf_of") == who;
      });
  if (last == trace_.events.rend()) return;
  sentences_.push_back(
      fmt::format("The last that {} asked for was {}, executed on {} at {}; the "
                  "reply was {}.",
                  brief(who), brief(last->text("label")), actor_of(*last), milliseconds(last->at),
                  brief(last->text("reply"))));
}

}  // namespace

std::vector<std::string> explain_by_steps(const search::Example& example) {
  return Steps(example).explain();
}

}  // namespace lockstep::reports
