#include "search/runs/other_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "model/recorded_trace.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"
#include "search/runs/run_record.h"
#include "sim/trace_kinds.h"

namespace lockstep::search {
namespace {

using scenario::FaultSpec;
using scenario::Scenario;

constexpr std::string_view answer_to = "reply to ";

/// A name that messages have, and whether some go between the hosts that the fault names.
struct MessageName {
  std::string label;
  bool goes_so = false;
};

/// "a" is a host, or all threads of a client; "a/1" one of them.
bool is_of(std::string_view wanted, std::string_view host, std::string_view thread) {
  return wanted.empty() || wanted == host || (wanted == thread && thread.starts_with(host));
}

/// What clients send to servers, or hear from them, in the order of the first of each name: who
/// takes the lock comes first.
std::vector<MessageName> names_in(const RunRecord& example, const FaultSpec& fault,
                                  bool is_answer) {
  constexpr std::array<std::string_view, 2> of_resource = {"read", "write"};
  std::vector<MessageName> names;
  for (const model::RecordedEvent& event : example.trace.events) {
    const std::string_view thread = event.text("on_behalf_of");
    const std::string_view label = event.text("label");
    if (event.kind != sim::trace_kind::message_sent || thread.empty()) continue;
    if (label.starts_with(answer_to) != is_answer) continue;
    const std::string_view asked = is_answer ? label.substr(answer_to.size()) : label;
    if (std::find(of_resource.begin(), of_resource.end(), asked) != of_resource.end()) continue;
    auto name = std::find_if(names.begin(), names.end(),
                             [label](const MessageName& each) { return each.label == label; });
    if (name == names.end()) name = names.insert(name, {std::string(label)});
    const std::string_view from =
        example.trace.actors[static_cast<std::uint32_t>(event.actor)].name;
    name->goes_so |= is_of(fault.message_from, from, thread) &&
                     is_of(fault.message_to, event.text("to"), thread);
  }
  return names;
}

/// What a message is for, by the words that locks and Redis have for it.
enum class Purpose : std::uint8_t { unknown, takes, gives_back, renews };

Purpose purpose_of(std::string_view label) {
  constexpr std::array<std::pair<std::string_view, Purpose>, 9> words = {
      {{"release", Purpose::gives_back},
       {"unlock", Purpose::gives_back},
       {"del", Purpose::gives_back},
       {"renew", Purpose::renews},
       {"extend", Purpose::renews},
       {"expire", Purpose::renews},
       {"acquire", Purpose::takes},
       {"lock", Purpose::takes},
       {"set", Purpose::takes}}};
  for (const auto& [word, purpose] : words) {
    if (label.find(word) != std::string_view::npos) return purpose;
  }
  return Purpose::unknown;
}

/// Those that are for what the file's name is for, where there are some.
void keep_what_is_meant(std::vector<MessageName>& names, std::string_view label) {
  const auto is_meant = [label](const MessageName& each) {
    return purpose_of(each.label) == purpose_of(label);
  };
  if (std::none_of(names.begin(), names.end(), is_meant)) return;
  std::erase_if(names, [&](const MessageName& each) { return !is_meant(each); });
}

LikelyChange named(const Scenario& scenario, std::size_t fault, const MessageName& name,
                   std::string_view why) {
  const FaultSpec& struck = scenario.faults[fault];
  const std::string_view ends = name.goes_so ? std::string_view() : without_ends(struck);
  return {LikelyChange::Part::message, fault,
          fmt::format("{} = \"{}\"  # {}{}", scenario::form_of(struck.kind).word, name.label, why,
                      ends),
          [fault, name](Scenario& changed) {
            FaultSpec& other = changed.faults[fault];
            other.message_label = name.label;
            if (name.goes_so) return;
            other.message_from.clear();
            other.message_to.clear();
          }};
}

}  // namespace

std::string_view without_ends(const FaultSpec& fault) {
  if (fault.message_from.empty()) return fault.message_to.empty() ? "" : "; without `to`";
  return fault.message_to.empty() ? "; without `from`" : "; without `from` and `to`";
}

std::vector<LikelyChange> changes_to_message(const Scenario& scenario, const RunRecord& example,
                                             std::size_t fault, bool is_of_nothing,
                                             const std::string& of_fault) {
  constexpr std::size_t tried_max = 3;
  const FaultSpec& struck = scenario.faults[fault];
  const bool is_any = struck.message_label == scenario::any_message;
  const bool loses = scenario::form_of(struck.kind).amount == scenario::Amount::none;
  const bool is_answer = struck.message_label.starts_with(answer_to) || (is_any && loses);
  std::vector<LikelyChange> changes;
  if (is_any && !is_answer) return changes;
  std::vector<MessageName> names = names_in(example, struck, is_answer);
  keep_what_is_meant(names, is_any ? "acquire" : struck.message_label);
  names.resize(std::min(names.size(), tried_max));
  for (const MessageName& name : names) {
    changes.push_back(named(scenario, fault, name,
                            of_fault + (is_of_nothing ? "it is called so" : "this one alone")));
    changes.back().is_correction = is_of_nothing && !is_any;
  }
  if (names.empty() && !is_any) {
    changes.push_back(named(scenario, fault, {std::string(scenario::any_message)},
                            of_fault + "whatever it is called"));
  }
  return changes;
}

}  // namespace lockstep::search
