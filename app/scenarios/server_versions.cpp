#include "app/scenarios/server_versions.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "app/exit_code.h"
#include "app/options.h"
#include "checker/property.h"
#include "redis/server/version_traits.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::app {
namespace {

/// "mutual-exclusion is violated in 3 of 20 runs, not in any"; empty where the verdicts are the
/// same. How many runs break is no verdict: it differs with the moments at which things happen.
std::string difference_of(const search::ScenarioOutcome& one,
                          const search::ScenarioOutcome& other) {
  std::string text;
  for (std::size_t i = 0; i < one.properties.size() && i < other.properties.size(); ++i) {
    const std::uint64_t before = one.properties[i].violated;
    const std::uint64_t after = other.properties[i].violated;
    if ((before == 0) == (after == 0)) continue;
    text += fmt::format(
        "{}{} {}", text.empty() ? "" : ", ", checker::to_string(one.properties[i].property),
        after == 0 ? "holds" : fmt::format("is violated in {} of {} runs", after, other.runs));
  }
  return text;
}

}  // namespace

void add_redis_version(CLI::App& command, VersionChoice& choice) {
  add_word(
      command, "--redis-version", "VERSION|all",
      [&choice](const std::string& word) {
        choice.is_all = word == "all";
        if (choice.is_all) return;
        choice.only = redis::find_version(word);
        if (choice.only) return;
        throw CLI::ValidationError(
            "--redis-version",
            fmt::format("the version '{}' is not simulated; {}", word, redis::versions_near(word)));
      },
      "Let every node be this version; all: compare the verdicts under each");
}

void use_version(scenario::Scenario& scenario, const VersionChoice& choice) {
  if (!choice.only) return;
  scenario::Scenario changed = scenario;
  changed.redis.version = *choice.only;
  for (scenario::NodeSpec& node : changed.redis.nodes) node.version.reset();
  std::string row = std::move(changed.row);
  scenario =
      scenario::parse_scenario(changed.path, scenario::write_scenario(changed, changed.path));
  scenario.row = std::move(row);
}

VersionComparison compare_versions(const scenario::Scenario& scenario,
                                   const search::ScenarioOutcome& outcome,
                                   search::SeedRunOptions options, model::Engine& engine) {
  options.needs = search::SeedRunOptions::Needs::left_open;
  VersionComparison comparison{{}, ExitCode::as_expected};
  std::string same;
  std::string others;
  for (const redis::VersionTraits& each : redis::version_table) {
    if (each.version == scenario.redis.version) continue;
    scenario::Scenario other = scenario;
    use_version(other, {each.version, false});
    const search::ScenarioOutcome found = search::run_scenario(other, options, engine);
    comparison.exit_code = worse(comparison.exit_code, exit_code_of(found));
    if (found.interrupted) break;
    const std::string difference = difference_of(outcome, found);
    std::string& list = difference.empty() ? same : others;
    if (!list.empty()) list += difference.empty() ? ", " : "; ";
    list += each.name;
    if (!difference.empty()) list += ": " + difference;
  }
  comparison.line =
      fmt::format("{} on {}: ", scenario.title, redis::to_string(scenario.redis.version));
  if (!same.empty()) comparison.line += "the same verdicts on " + same;
  if (!others.empty()) {
    comparison.line += (same.empty() ? "" : "; ") + ("others on " + others);
  }
  return comparison;
}

}  // namespace lockstep::app
