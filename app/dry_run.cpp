#include "app/dry_run.h"

#include <fmt/format.h>

#include <variant>

#include "app/property_story.h"
#include "model/client/lock_package.h"
#include "model/scenario/explain.h"
#include "model/scenario/parameters.h"
#include "model/simulation/engine.h"
#include "reports/text.h"

namespace lockstep::app {
namespace {

std::string tell_lock(const model::LockPackage& lock) {
  std::string text = fmt::format("\nthe lock {}: {}\n", lock.full_name(), lock.title);
  for (const auto& [name, value] : lock.options) {
    text += fmt::format("  {} = {}\n", name, model::write_value(value));
  }
  return text;
}

std::string tell_properties(std::string_view how,
                            const std::vector<checker::Property>& properties) {
  std::string text;
  for (const checker::Property property : properties) {
    text += fmt::format("  {} {}: {}\n", how, checker::to_string(property), story_of(property));
  }
  return text;
}

std::string tell_expectation(const model::Expectation& expect) {
  std::string text = "\nevery run is judged by what clients saw and by what was true\n";
  text += tell_properties("it holds,", expect.holds);
  text += tell_properties("it is violated,", expect.violates);
  for (const model::Sometimes& each : expect.sometimes) {
    text += fmt::format("  at least one run has this moment: {}\n", each.text);
  }
  return text + "  every fault of the file strikes in at least one run\n";
}

}  // namespace

std::string tell_scenario(const model::Scenario& scenario, const Context& context) {
  const model::LockPackage lock = model::load_lock(scenario, context.script_folders);
  static_cast<void>(model::Engine(context.script_folders).prepare(scenario));
  std::string text = fmt::format("{}\n", scenario.name());
  text += model::explain(scenario);
  text += tell_lock(lock);
  text += tell_expectation(scenario.expect);
  return reports::harmless_lines(text);
}

}  // namespace lockstep::app
