// lockstep keep: takes small scenarios of findings into a folder of regressions.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/interruption.h"
#include "app/output/output_file.h"
#include "app/output/output_place.h"
#include "app/scenarios/scenario_paths.h"
#include "app/search/kept_findings.h"
#include "model/engine/engine.h"
#include "reports/formats/console.h"
#include "reports/text.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"
#include "scenario/text/source_file.h"
#include "search/runs/seed_runs.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

/// What a kept scenario expects.
enum class KeptAs : std::uint8_t {
  as_is,  ///< what its file says
  fixed,  ///< that what it violates holds: the lock was mended
};

struct KeepArguments {
  std::vector<std::string> scenarios;
  std::string folder = KeptFindings::folder;
  std::uint64_t seeds = 50;
  KeptAs kept_as = KeptAs::as_is;
};

/// Equal for two scenarios that tell the same story.
struct RegressionKey {
  std::string lock;
  std::vector<checker::Property> properties;
  std::vector<scenario::FaultKind> kinds;

  friend bool operator==(const RegressionKey&, const RegressionKey&) = default;
};

RegressionKey key_of(const scenario::Scenario& scenario) {
  RegressionKey key{lock_of(scenario), scenario.expect.violates, {}};
  if (key.properties.empty()) key.properties = scenario.expect.holds;
  for (const scenario::FaultSpec& fault : scenario.faults) key.kinds.push_back(fault.kind);
  std::sort(key.properties.begin(), key.properties.end());
  std::sort(key.kinds.begin(), key.kinds.end());
  return key;
}

/// The comment at the head of a file, which says where it came from.
std::string head_of(const std::string& text) {
  std::istringstream lines(text);
  std::string head;
  for (std::string line; std::getline(lines, line) && line.starts_with('#');) head += line + '\n';
  return head;
}

bool has_scenarios(const fs::path& folder) {
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (scenario::is_scenario_file(entry->path())) return true;
  }
  return false;
}

/// Not as expected if a scenario is not as it expects, or the folder has one of the same lock that
/// breaks, or keeps, the same properties by the same kinds of fault. Overwrites nothing.
class KeepCommand {
 public:
  KeepCommand(const KeepArguments& arguments, const Context& context)
      : arguments_(arguments),
        context_(context),
        engine_(context.script_folders, context.programs) {}

  ExitCode run() {
    for (const ScenarioPath& path : find_scenarios(arguments_.scenarios)) {
      if (is_interrupted()) {
        print_error(context_, "interrupted: what is named above was kept");
        return worse(exit_code_, ExitCode::unknown);
      }
      try_to_keep(path.path);
    }
    return exit_code_;
  }

 private:
  void try_to_keep(const std::string& path) {
    try {
      keep(path);
    } catch (const scenario::InputError& error) {
      print_error(context_, error);
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }

  void keep(const std::string& path) {
    scenario::Scenario scenario = scenario::load_scenario(path);
    if (scenario.expect.violates.empty()) {
      throw scenario::InputError(
          scenario.expect.place,
          "this violates nothing, so it would tell nothing new; expected the "
          "scenario of a finding, with 'violates'");
    }
    if (arguments_.kept_as == KeptAs::fixed) {
      if (const auto kept = same_regression(scenario)) return turn(*kept);
      expect_to_hold(scenario);
    }
    const fs::path place = fs::path(arguments_.folder) / fs::path(path).filename();
    if (const auto same = same_regression(scenario)) {
      return refuse(path, fmt::format("{} tells the same story: {} of this lock", same->name(),
                                      arguments_.kept_as == KeptAs::fixed ? "what is to hold"
                                                                          : "what is violated"));
    }
    std::error_code error;
    if (fs::exists(place, error)) {
      throw scenario::InputError::about(place.string(),
                                        "there is such a file already; expected another name");
    }
    if (!is_as_expected(scenario)) return;
    const std::string text = head_of(scenario.text) + scenario::write_scenario(scenario, place);
    write_file(place, [&text](std::ostream& stream) { stream << text; });
    context_.output << fmt::format("{}\n", reports::sanitized(place.string()));
    context_.output.flush();
  }

  static void expect_to_hold(scenario::Scenario& scenario) {
    scenario::Expectation& expect = scenario.expect;
    expect.holds.insert(expect.holds.begin(), expect.violates.begin(), expect.violates.end());
    expect.violates.clear();
  }

  /// A file of the folder, whose lock was mended since it was kept: what it violated is to hold.
  void turn(scenario::Scenario kept) {
    if (!kept.row.empty()) {
      throw scenario::InputError::about(
          kept.path, "this file has parameters; expected one story, or 'holds' written by hand");
    }
    expect_to_hold(kept);
    if (!is_as_expected(kept)) return;
    const std::string text = head_of(kept.text) + scenario::write_scenario(kept, kept.path);
    write_file(kept.path, [&text](std::ostream& stream) { stream << text; });
    context_.output << fmt::format("{}: what it violated is to hold from now on\n",
                                   reports::sanitized(kept.path));
    context_.output.flush();
  }

  [[nodiscard]] std::optional<scenario::Scenario> same_regression(
      const scenario::Scenario& scenario) const {
    if (!has_scenarios(arguments_.folder)) return std::nullopt;
    const RegressionKey key = key_of(scenario);
    for (const ScenarioPath& each : find_scenarios({arguments_.folder})) {
      for (const scenario::Scenario& kept : scenario::load_scenarios(each.path)) {
        if (key_of(kept) == key) return kept;
      }
    }
    return std::nullopt;
  }

  bool is_as_expected(const scenario::Scenario& scenario) {
    const search::ScenarioOutcome outcome =
        search::run_scenario(scenario, {1, arguments_.seeds, &is_interrupted}, engine_);
    if (outcome.interrupted) {
      print_error(context_,
                  fmt::format("interrupted: {} was not kept", reports::sanitized(scenario.path)));
      exit_code_ = worse(exit_code_, ExitCode::unknown);
      return false;
    }
    if (outcome.kind == search::OutcomeKind::as_expected) return true;
    const bool is_known = outcome.kind == search::OutcomeKind::not_as_expected;
    exit_code_ = worse(exit_code_, is_known ? ExitCode::not_as_expected : ExitCode::unknown);
    context_.output << reports::console_report(outcome, context_.style, {});
    print_error(context_, fmt::format("{} was not kept: it is not as it expects",
                                      reports::sanitized(scenario.path)));
    return false;
  }

  void refuse(const std::string& path, const std::string& why) {
    print_error(context_, fmt::format("{} was not kept: {}", reports::sanitized(path),
                                      reports::sanitized(why)));
    exit_code_ = worse(exit_code_, ExitCode::not_as_expected);
  }

  const KeepArguments& arguments_;
  const Context& context_;
  model::Engine engine_;
  ExitCode exit_code_ = ExitCode::as_expected;
};

ExitCode run_keep(const KeepArguments& arguments, const Context& context) {
  return KeepCommand(arguments, context).run();
}

void add_options(CLI::App& command, KeepArguments& arguments) {
  command
      .add_option("SCENARIO", arguments.scenarios,
                  "Small scenarios of findings, as fuzz and shrink wrote them")
      ->required()
      ->type_name("");
  writes_to(command
                .add_option("--to", arguments.folder,
                            "Write them into this folder (scenarios/regressions)")
                ->type_name("DIR"),
            OutputPlace::folder);
  add_number(command, "--seeds", arguments.seeds,
             "See that they are as expected with so many (50)");
  command.add_flag_callback(
      "--mended", [&arguments] { arguments.kept_as = KeptAs::fixed; },
      "The lock was mended: what they violate is to hold from now on");
}

void require_seeds(const CLI::App& /*command*/, KeepArguments& arguments) {
  if (arguments.seeds == 0) throw CLI::ValidationError("--seeds: expected at least 1");
}

}  // namespace

CommandDescription keep_command() {
  return describe_command<KeepArguments>(
      {.name = "keep",
       .summary = "Take the small scenario of a finding into a folder of regressions",
       .examples = "lockstep keep lockstep-out/plain-mutual-exclusion-pause.toml"},
      {.add_options = add_options, .complete = require_seeds, .run = run_keep});
}

}  // namespace lockstep::app
