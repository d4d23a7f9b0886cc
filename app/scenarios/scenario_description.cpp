#include "app/scenarios/scenario_description.h"

#include <fmt/format.h>

#include <variant>

#include "app/context.h"
#include "app/scenarios/property_description.h"
#include "checker/property.h"
#include "model/engine/engine.h"
#include "model/lock/lock_package.h"
#include "reports/text.h"
#include "scenario/explain.h"
#include "scenario/options.h"
#include "scenario/parameters.h"
#include "scenario/scenario.h"

namespace lockstep::app {
namespace {

std::string describe_lock(const model::LockPackage& lock) {
  std::string text = fmt::format("\nthe lock {}: {}\n", lock.full_name(), lock.title);
  for (const auto& [name, value] : *lock.options) {
    text += fmt::format("  {} = {}\n", name, scenario::write_value(value));
  }
  return text;
}

std::string describe_properties(std::string_view how,
                                const std::vector<checker::Property>& properties) {
  std::string text;
  for (const checker::Property property : properties) {
    text += fmt::format("  {} {}: {}\n", how, checker::to_string(property),
                        describe_property(property));
  }
  return text;
}

std::string describe_expectation(const scenario::Expectation& expect) {
  std::string text = "\nevery run is judged by what clients saw and by what was true\n";
  text += describe_properties("it holds,", expect.holds);
  text += describe_properties("it is violated,", expect.violates);
  for (const scenario::Sometimes& each : expect.sometimes) {
    text += fmt::format("  at least one run has this moment: {}\n", each.text);
  }
  return text + "  every fault of the file strikes in at least one run\n";
}

}  // namespace

std::string describe_scenario(const scenario::Scenario& scenario, const Context& context) {
  const model::LockPackage lock = model::load_lock(scenario, context.script_folders);
  static_cast<void>(model::Engine(context.script_folders, context.programs).prepare(scenario));
  std::string text = fmt::format("{}\n", scenario.name());
  text += scenario::explain(scenario);
  text += describe_lock(lock);
  text += describe_expectation(scenario.expect);
  return reports::sanitized_lines(text);
}

}  // namespace lockstep::app
