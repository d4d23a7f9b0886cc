#include <algorithm>
#include <map>
#include <utility>

#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
using Event = CauseFacts::Event;

}  // namespace

std::vector<BlockedCall> blocked_calls_of(const CauseFacts& facts, std::string_view thread) {
  using Place = std::pair<std::string, std::string>;  // node, label
  std::map<Place, std::vector<const TraceMessage*>> answers;
  for (const TraceMessage& message : facts.messages().all()) {
    const std::string_view replied = replied_label(message.label);
    if (message.on_behalf_of != thread || replied.empty()) continue;
    const Event& sent = facts.events()[message.sent];
    answers[{facts.actor_of(sent), std::string(replied)}].push_back(&message);
  }
  std::map<Place, std::vector<EventIndex>> executions;
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != kind::command_executed || event.text("on_behalf_of") != thread) continue;
    executions[{facts.actor_of(event), std::string(event.text("label"))}].push_back(index);
  }
  std::vector<BlockedCall> calls;
  for (const auto& [place, executed] : executions) {
    const std::vector<const TraceMessage*>& its = answers[place];
    auto answer = its.begin();
    for (std::size_t i = 0; i < executed.size(); ++i) {
      const sim::TimeNs at_ns = facts.events()[executed[i]].at;
      const auto is_before = [&](const TraceMessage* each) {
        return facts.events()[each->sent].at < at_ns;
      };
      answer = std::find_if_not(answer, its.end(), is_before);
      const bool is_its =
          answer != its.end() && (i + 1 == executed.size() || (*answer)->sent < executed[i + 1]);
      if (is_its && facts.events()[(*answer)->sent].at == at_ns) {
        ++answer;
      } else {
        calls.push_back({executed[i], is_its ? *answer : nullptr});
      }
    }
  }
  std::sort(calls.begin(), calls.end(),
            [](const BlockedCall& a, const BlockedCall& b) { return a.asked < b.asked; });
  return calls;
}

bool is_wakeup(const CauseFacts& facts, const BlockedCall& call) {
  if (call.answer == nullptr) return false;
  const sim::TimeNs at_ns = facts.events()[call.answer->sent].at;
  const std::string node = facts.actor_of(facts.events()[call.asked]);
  // The server tells what it executed once it has served those who were waiting for it.
  for (EventIndex index = call.answer->sent; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.at != at_ns) return false;
    const bool writes = event.kind == kind::command_executed && event.number("writes") > 0;
    if (writes && facts.actor_of(event) == node) return true;
  }
  return false;
}

}  // namespace lockstep::reports
