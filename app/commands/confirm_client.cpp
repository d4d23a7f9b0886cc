#include "app/commands/confirm_client.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/context.h"
#include "app/exit_code.h"
#include "app/interruption.h"
#include "app/output/run_files.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/lock/lock_package.h"
#include "reports/formats/console.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "reports/trace/trace_file.h"
#include "scenario/scenario.h"
#include "scenario/text/suggest.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/seed_runs.h"
#include "search/runs/with_programs.h"
#include "sim/versions.h"

namespace lockstep::app {
namespace {

using reports::sanitized;

/// What the trace's run broke, as far as it is judged of programs.
std::vector<checker::Property> broken_in(const reports::TraceFile& file) {
  std::vector<checker::Property> broken;
  for (const checker::Verdict& verdict : file.example.verdicts) {
    const bool counts = verdict.kind == checker::VerdictKind::violated &&
                        !model::needs_declared_operations(verdict.property);
    if (counts) broken.push_back(verdict.property);
  }
  return broken;
}

std::string names_of(const std::vector<checker::Property>& properties) {
  std::vector<std::string_view> names;
  for (const checker::Property property : properties) names.push_back(checker::to_string(property));
  return scenario::listed(names);
}

class ClientConfirmer {
 public:
  ClientConfirmer(const ClientConfirmation& asked, const Context& context)
      : asked_(asked), context_(context), engine_(context.script_folders, context.programs) {}

  ExitCode run() {
    const scenario::ProgramSpec program = program_of(asked_.client, asked_.reuse);
    for (const std::string& path : asked_.traces) {
      if (is_interrupted()) return worse(exit_code_, ExitCode::unknown);
      try {
        confirm_one(path, program);
      } catch (const scenario::InputError& error) {
        print_error(context_, error);
        exit_code_ = worse(exit_code_, ExitCode::bad_input);
      }
    }
    if (asked_.format == OutputFormat::json) {
      context_.output << reports::Json{{"schema", confirm_document_version},
                                       {"confirmations", confirmations_}}
                             .dump(2)
                      << '\n';
    }
    return exit_code_;
  }

 private:
  void confirm_one(const std::string& path, const scenario::ProgramSpec& program) {
    const reports::TraceFile file = reports::read_trace_file(path);
    const scenario::Scenario modelled = reports::scenario_of(file);
    if (scenario::has_program(modelled)) {
      throw scenario::InputError::about(
          path,
          "its clients are programs already; expected the run of a client model, which --client "
          "compares with the real one");
    }
    const std::vector<checker::Property> broken = broken_in(file);
    if (broken.empty()) {
      throw scenario::InputError::about(
          path,
          "its run broke nothing that is judged of a real client: there is nothing to confirm");
    }
    // Made again, the run tells its faults, also those that it drew.
    const search::ReplayResult replayed = search::replay(modelled, file.example, engine_);
    if (!replayed.same) {
      throw scenario::InputError::about(path,
                                        "this run cannot be made again, so there is nothing to "
                                        "confirm: " +
                                            replayed.difference);
    }
    scenario::Scenario scenario =
        search::with_programs(search::close_faults(modelled, replayed.example.faults), program);
    scenario.expect.violates = broken;
    scenario.expect.holds.clear();
    scenario.expect.sometimes.clear();
    search::require_reproducible(scenario, file.example.seed, engine_, context_.programs);
    const search::ScenarioOutcome outcome =
        search::run_scenario(scenario, {file.example.seed, asked_.seeds, &is_interrupted}, engine_);
    if (outcome.runs == 0) return;
    exit_code_ = worse(exit_code_, exit_code_of(outcome));
    report(file, outcome, broken);
  }

  static std::string_view headline_of(const search::ScenarioOutcome& outcome) {
    switch (outcome.kind) {
      case search::OutcomeKind::as_expected:
        return "the real client does it too";
      case search::OutcomeKind::not_as_expected:
        return "the real client went another way";
      case search::OutcomeKind::unknown:
        return "unknown whether the real client does it";
    }
    return {};
  }

  void report(const reports::TraceFile& file, const search::ScenarioOutcome& outcome,
              const std::vector<checker::Property>& broken) {
    const std::string name =
        std::filesystem::path(file.path).stem().stem().string() + ".real-client";
    std::filesystem::create_directories(asked_.output_folder);
    const reports::RunArtifacts artifacts =
        write_run_files(outcome, asked_.output_folder, name, LongTraces::left_out, context_);
    if (asked_.format == OutputFormat::json) {
      add_json(file, outcome, artifacts);
      return;
    }
    context_.output << fmt::format("{}: {}  {}\n", headline_of(outcome), names_of(broken),
                                   sanitized(file.path))
                    << reports::console_report(outcome, context_.style, artifacts,
                                               context_.columns);
    context_.output.flush();
  }

  void add_json(const reports::TraceFile& file, const search::ScenarioOutcome& outcome,
                const reports::RunArtifacts& artifacts) {
    reports::Json properties = reports::Json::object();
    for (const search::PropertySummary& each : outcome.properties) {
      properties[std::string(checker::to_string(each.property))] = {{"violated", each.violated},
                                                                    {"held", each.held}};
    }
    confirmations_.push_back({{"trace", reports::json_text(file.path)},
                              {"scenario", reports::json_text(file.scenario_path)},
                              {"seed", reports::json_number(file.example.seed)},
                              {"client", reports::json_text(asked_.client)},
                              {"confirmed", outcome.kind == search::OutcomeKind::as_expected},
                              {"runs", outcome.runs},
                              {"properties", std::move(properties)},
                              {"trace_of_client", reports::json_text(artifacts.trace)}});
  }

  const ClientConfirmation& asked_;
  const Context& context_;
  model::Engine engine_;
  reports::Json confirmations_ = reports::Json::array();
  ExitCode exit_code_ = ExitCode::as_expected;
};

}  // namespace

scenario::ProgramSpec program_of(const std::string& command_line,
                                 scenario::ProgramSpec::Reuse reuse) {
  scenario::ProgramSpec program;
  program.reuse = reuse;
  std::optional<std::string> word;
  char quote = '\0';
  for (std::size_t i = 0; i < command_line.size(); ++i) {
    const char letter = command_line[i];
    const bool is_escaped = letter == '\\' && quote != '\'' && i + 1 < command_line.size();
    if (quote == '\0' && (letter == ' ' || letter == '\t' || letter == '\n')) {
      if (word) program.command.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (!word) word.emplace();
    if (is_escaped) {
      *word += command_line[++i];
    } else if (quote != '\0' ? letter == quote : letter == '"' || letter == '\'') {
      quote = quote == '\0' ? letter : '\0';
    } else {
      *word += letter;
    }
  }
  if (quote != '\0') {
    throw scenario::InputError::about("--client",
                                      fmt::format("the quote {} is never closed", quote));
  }
  if (word) program.command.push_back(*word);
  if (program.command.empty()) {
    throw scenario::InputError::about(
        "--client", "it is empty; expected as in --client \"python3 adapter.py\"");
  }
  return program;
}

ExitCode confirm_with_client(const ClientConfirmation& asked, const Context& context) {
  return ClientConfirmer(asked, context).run();
}

}  // namespace lockstep::app
