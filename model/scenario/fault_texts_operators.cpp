// What a careless operator does to a server's data.
#include <fmt/format.h>

#include <set>

#include "model/scenario/fault_texts.h"
#include "model/scenario/suggest.h"

namespace lockstep::model {
namespace {

/// A lock that some step uses.
std::string read_lock_name(const PlacedText& name, const Scenario& scenario) {
  std::set<std::string_view> used;
  for (const ClientSpec& client : scenario.clients) {
    for (const ThreadSpec& thread : client.threads) {
      for (const Step& step : thread.steps) {
        used.insert(step.lock_names.begin(), step.lock_names.end());
      }
    }
  }
  if (used.count(name.text) == 0) {
    const std::vector<std::string_view> names(used.begin(), used.end());
    name.complain(fmt::format("no step uses a lock {}{} (they use {})", in_quotes(name.text),
                              did_you_mean(name.text, names), listed(names)));
  }
  return std::string(name.text);
}

}  // namespace

void read_operator_fault(const FaultText& text) {
  FaultSpec& fault = text.fault;
  fault.lock_name = read_lock_name(text.subject(), text.scenario);
  const auto on = text.table.text("on");
  if (!on) text.table.complain_missing("on", "on = \"n1\"");
  fault.target = text.cast.node(*on).name;
  const auto key = text.table.text("key");
  if (!key) return;
  if (key->text.empty()) key->complain("the key has no name; expected one as in '{name}:tickets'");
  fault.key_pattern = key->text;
}

std::string tell_operator_fault(const FaultSpec& fault) {
  if (fault.key_pattern.empty()) {
    return fmt::format("delete '{}' on {}", fault.lock_name, fault.target);
  }
  return fmt::format("delete '{}' of '{}' on {}", fault.key_pattern, fault.lock_name, fault.target);
}

}  // namespace lockstep::model
