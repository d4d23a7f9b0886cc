// What a careless operator does to a server, and what befalls one that runs on.
#include <fmt/format.h>

#include <set>

#include "scenario/faults/fault_syntax.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

constexpr std::int64_t connections_max = 1'000'000;

/// A lock that some step uses.
std::string read_lock_name(const LocatedText& name, const Scenario& scenario) {
  std::set<std::string_view> used;
  for (const ClientSpec& client : scenario.clients) {
    for (const ThreadSpec& thread : client.threads) {
      visit_possible_steps(thread, [&used](const Step& step) {
        used.insert(step.lock_names.begin(), step.lock_names.end());
      });
    }
  }
  if (used.count(name.text) == 0) {
    const std::vector<std::string_view> names(used.begin(), used.end());
    name.complain(fmt::format("no step uses a lock {}{} (they use {})", in_quotes(name.text),
                              did_you_mean(name.text, names), listed(names)));
  }
  return std::string(name.text);
}

void read_server_fault(const FaultParse& text) {
  FaultSpec& fault = text.fault;
  fault.target = text.participants.node(text.subject()).name;
  if (fault.kind == FaultKind::busy && !text.table.has("for")) {
    text.table.complain_missing("for", "for = \"8s\"");
  }
  if (fault.kind != FaultKind::max_clients) return;
  if (const auto limit = text.table.whole_number("limit", {0, connections_max})) {
    fault.limit = static_cast<std::uint32_t>(*limit);
  }
}

}  // namespace

void read_operator_fault(const FaultParse& text) {
  FaultSpec& fault = text.fault;
  if (fault.kind != FaultKind::delete_key && fault.kind != FaultKind::evict) {
    return read_server_fault(text);
  }
  fault.lock_name = read_lock_name(text.subject(), text.scenario);
  const auto on = text.table.text("on");
  if (!on) text.table.complain_missing("on", "on = \"n1\"");
  fault.target = text.participants.node(*on).name;
  const auto key = text.table.text("key");
  if (!key) return;
  if (key->text.empty()) key->complain("the key has no name; expected one as in '{name}:tickets'");
  fault.key_pattern = key->text;
}

std::string describe_operator_fault(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::flush_all:
      return fmt::format("flush all data of {}", fault.target);
    case FaultKind::script_flush:
      return fmt::format("flush the scripts of {}", fault.target);
    case FaultKind::busy:
      return fmt::format("let a script run away on {}", fault.target);
    case FaultKind::max_clients:
      return fault.limit
                 ? fmt::format("let {} take {} connections at most", fault.target, *fault.limit)
                 : fmt::format("let {} take no more connections", fault.target);
    default:
      break;
  }
  const std::string_view verb = to_string(fault.kind);
  if (fault.key_pattern.empty()) {
    return fmt::format("{} '{}' on {}", verb, fault.lock_name, fault.target);
  }
  return fmt::format("{} '{}' of '{}' on {}", verb, fault.key_pattern, fault.lock_name,
                     fault.target);
}

}  // namespace lockstep::scenario
