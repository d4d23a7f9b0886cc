// When a violation came about; and where nothing explains it what came before: the last write, the
// faults, and what the clients did last by then.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/text.h"
#include "checker/verdict.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// Of the commands of one step the last are told.
constexpr std::size_t commands_told_max = 4;

/// Whether the lock's key is among its arguments; of no lock: always.
bool is_of_lock(const Event& command, std::string_view lock) {
  return lock.empty() || names_lock(command.text("arguments"), lock);
}

class Steps {
 public:
  Steps(const CauseFacts& facts, const std::vector<checker::Verdict>& verdicts)
      : facts_(facts), verdicts_(verdicts) {}

  std::vector<std::string> explain() {
    for (const checker::Verdict& verdict : verdicts_) {
      if (verdict.kind != checker::VerdictKind::violated) continue;
      for (const checker::Evidence& evidence : verdict.evidence) {
        if (evidence.who == checker::no_name) continue;
        // Of who believed to have it, how that came about.
        const bool is_belief = verdict.property == checker::Property::mutual_exclusion ||
                               verdict.property == checker::Property::permits;
        explain_step(facts_.example().judged->names.text(evidence.who),
                     is_belief ? evidence.from : evidence.until.value_or(evidence.from));
      }
    }
    return std::move(sentences_);
  }

 private:
  [[nodiscard]] static bool is_after(EventIndex index, const Event& event,
                                     const checker::Moment& moment) {
    return event.at > moment.at_ns ||
           (event.at == moment.at_ns && static_cast<std::uint64_t>(index) >= moment.order);
  }
  [[nodiscard]] static std::string in_words(const CauseFacts& facts, const Event& command) {
    return fmt::format("{}, executed on {} at {} (the reply: {})", brief(command.text("label")),
                       facts.actor_of(command), milliseconds(command.at),
                       brief(command.text("reply")));
  }

  void explain_step(const std::string& who, const checker::Moment& at);

  const CauseFacts& facts_;
  const std::vector<checker::Verdict>& verdicts_;
  std::set<EventIndex> told_;  // steps
  std::vector<std::string> sentences_;
};

/// The last step about a lock that was begun by then, and the commands that were executed for it.
void Steps::explain_step(const std::string& who, const checker::Moment& at) {
  const Event* step = nullptr;
  EventIndex begun = 0;
  std::vector<const Event*> commands;
  for (EventIndex index = 0; index < facts_.events().size(); ++index) {
    const Event& event = facts_.events()[index];
    if (is_after(index, event, at)) break;
    // Of a write to the resource it matters how its writer came to have the lock.
    const bool is_step = event.kind == kind::step_invoked && !event.text("lock").empty() &&
                         event.text("step") != "write" && facts_.is_by(event, who);
    if (is_step) {
      step = &event;
      begun = index;
      commands.clear();
    } else if (event.kind == kind::command_executed && facts_.is_for(event, who)) {
      commands.push_back(&event);
    }
  }
  if (step == nullptr || !told_.insert(begun).second) return;
  std::string asked;
  const std::size_t first =
      commands.size() > commands_told_max ? commands.size() - commands_told_max : 0;
  for (std::size_t i = first; i < commands.size(); ++i) {
    if (i > first) asked += i + 1 == commands.size() ? ", and " : ", ";
    asked += in_words(facts_, *commands[i]);
  }
  if (asked.empty()) asked = "nothing";
  sentences_.push_back(fmt::format("{}'s {}, begun at {}, had asked for {}{}.", brief(who),
                                   brief(step->text("step")), milliseconds(step->at),
                                   first > 0 ? "…, " : "", asked));
}

/// Each fault once, when it struck first: "drop 'release' from a (6 times)".
std::vector<StruckFault> first_strikes(const std::vector<StruckFault>& all) {
  std::vector<StruckFault> first;
  std::vector<std::size_t> counts;
  for (const StruckFault& each : all) {
    const auto known = std::find_if(first.begin(), first.end(), [&](const StruckFault& other) {
      return other.what == each.what;
    });
    if (known != first.end()) {
      ++counts[static_cast<std::size_t>(known - first.begin())];
    } else {
      first.push_back(each);
      counts.push_back(1);
    }
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (counts[i] > 1) first[i].what += fmt::format(" ({} times)", counts[i]);
  }
  return first;
}

/// Whether some sentence names this instant: then what happened there is told.
bool is_told(const std::vector<Cause>& causes, std::string_view instant) {
  for (const Cause& cause : causes) {
    for (const std::string& sentence : cause.says) {
      for (std::size_t at = sentence.find(instant); at != std::string::npos;
           at = sentence.find(instant, at + 1)) {
        if (at > 0 && sentence[at - 1] == ' ') return true;
      }
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> explain_by_steps(const CauseFacts& facts,
                                          const std::vector<checker::Verdict>& verdicts) {
  return Steps(facts, verdicts).explain();
}

std::vector<StruckFault> struck_faults(const search::RunRecord& example) {
  std::vector<StruckFault> faults;
  for (const Event& event : example.trace.events) {
    if (event.kind != kind::fault_struck) continue;
    faults.push_back({event.at, brief(event.text("what"), 200)});
  }
  return faults;
}

std::string last_write_before(const CauseFacts& facts, std::string_view lock,
                              const checker::Moment& at) {
  const EventIndex end =
      std::min<EventIndex>(static_cast<EventIndex>(at.order), facts.events().size());
  for (EventIndex index = end; index-- > 0;) {
    const Event& event = facts.events()[index];
    const bool is_write = event.kind == kind::command_executed && event.number("writes") > 0 &&
                          is_of_lock(event, lock);
    if (!is_write) continue;
    return fmt::format("The last that wrote before was {}'s {}, executed on {} at {}.",
                       brief(event.text("on_behalf_of")), brief(event.text("label")),
                       facts.actor_of(event), milliseconds(event.at));
  }
  return {};
}

std::optional<Cause> last_write_of_residue(const CauseFacts& facts,
                                           const std::vector<checker::Verdict>& verdicts) {
  for (const checker::Verdict& verdict : verdicts) {
    const bool is_asked = verdict.kind == checker::VerdictKind::violated &&
                          verdict.property == checker::Property::no_leak &&
                          !verdict.evidence.empty() &&
                          verdict.evidence.front().what.starts_with("key ");
    if (!is_asked) continue;
    Cause cause;
    cause.at_ns = verdict.evidence.front().from.at_ns;
    const checker::Evidence& left = verdict.evidence.front();
    cause.says.push_back(last_write_before(facts, quoted_in(left.what), left.from));
    // A script may make the key's name itself.
    if (cause.says.back().empty()) cause.says.back() = last_write_before(facts, {}, left.from);
    return cause;
  }
  return std::nullopt;
}

Cause untold_faults(const CauseFacts& facts, const std::vector<Cause>& causes,
                    sim::TimeNs until_ns) {
  Cause faults;
  std::vector<StruckFault> struck = first_strikes(struck_faults(facts.example()));
  std::erase_if(struck, [until_ns](const StruckFault& fault) { return fault.at_ns > until_ns; });
  const bool are_told = std::all_of(struck.begin(), struck.end(), [&](const StruckFault& fault) {
    return fault.at_ns > 0 && is_told(causes, milliseconds(fault.at_ns));
  });
  if (are_told) return faults;
  for (std::size_t i = 0; i < struck.size();) {
    const sim::TimeNs at_ns = struck[i].at_ns;
    std::vector<std::string> together;
    for (; i < struck.size() && struck[i].at_ns == at_ns; ++i) together.push_back(struck[i].what);
    if (faults.says.empty()) faults.at_ns = at_ns;
    faults.says.push_back(
        together.size() == 1
            ? fmt::format("At {} a fault struck: {}.", milliseconds(at_ns), together.front())
            : fmt::format("At {} {} faults struck: {}.", milliseconds(at_ns), together.size(),
                          fmt::join(together, "; ")));
  }
  return faults;
}

std::string vain_step_before(const CauseFacts& facts, std::string_view who,
                             const checker::Moment& at) {
  for (EventIndex index =
           std::min<EventIndex>(static_cast<EventIndex>(at.order), facts.events().size());
       index-- > 0;) {
    const Event& event = facts.events()[index];
    if (event.kind != kind::step_completed || !facts.is_by(event, who)) continue;
    if (event.text("outcome") == "ok") return {};
    const bool was_unanswered = event.text("detail").starts_with("TIMEOUT");
    return fmt::format("{}'s {} had come to nothing at {}{}.", who, brief(event.text("step")),
                       milliseconds(event.at), was_unanswered ? ", without an answer" : "");
  }
  return {};
}

sim::TimeNs came_about_by(const checker::Verdict& verdict) {
  sim::TimeNs by_ns = 0;
  for (const checker::Evidence& each : verdict.evidence) {
    by_ns = std::max(by_ns, each.until.value_or(each.from).at_ns);
  }
  return by_ns;
}

sim::TimeNs shown_by(const checker::Verdict& verdict) {
  const auto& evidence = verdict.evidence;
  if (verdict.property == checker::Property::mutual_exclusion && evidence.size() > 1) {
    return evidence[1].from.at_ns;
  }
  if (verdict.property == checker::Property::hold_count ||
      verdict.property == checker::Property::valid_grant) {
    return evidence.front().from.at_ns;
  }
  sim::TimeNs over_ns = 0;
  for (const checker::Evidence& each : evidence) {
    over_ns = std::max(over_ns, each.until ? each.until->at_ns : sim::never_ns);
  }
  return over_ns;
}

}  // namespace lockstep::reports
