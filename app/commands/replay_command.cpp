// lockstep replay: runs saved traces again and compares event by event.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/interruption.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "reports/shown_run.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "reports/trace/trace_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "sim/versions.h"

namespace lockstep::app {
namespace {

struct ReplayArguments {
  std::vector<std::string> traces;
  OutputFormat format = OutputFormat::text;
};

/// As expected if every replay gave the same events and hash.
class ReplayCommand {
 public:
  ReplayCommand(const ReplayArguments& arguments, const Context& context)
      : arguments_(arguments),
        context_(context),
        engine_(context.script_folders, context.programs) {}

  ExitCode run() {
    for (const std::string& path : arguments_.traces) {
      if (is_interrupted()) {
        exit_code_ = worse(exit_code_, ExitCode::unknown);
        break;
      }
      replay_one(path);
    }
    if (arguments_.format == OutputFormat::json) {
      context_.output
          << reports::Json{{"schema", replay_document_version}, {"replays", replays_}}.dump(2)
          << '\n';
    }
    return exit_code_;
  }

 private:
  void replay_one(const std::string& path) {
    try {
      const reports::TraceFile file = reports::read_trace_file(path);
      const scenario::Scenario scenario = reports::scenario_of(file);
      const search::ReplayResult result = search::replay(scenario, file.example, engine_);
      if (!result.same) exit_code_ = worse(exit_code_, ExitCode::not_as_expected);
      report(file, result);
    } catch (const scenario::InputError& error) {
      print_error(context_, error);
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }

  void report(const reports::TraceFile& file, const search::ReplayResult& result) {
    if (arguments_.format == OutputFormat::json) {
      add_json(file, result);
      return;
    }
    const model::RecordedTrace& trace = result.example.trace;
    std::ostream& output = context_.output;
    if (result.same) {
      output << fmt::format("the same {} events, hash {:016x}  {}\n", trace.events.size(),
                            trace.hash, reports::sanitized(file.path));
    } else {
      output << fmt::format("not the same  {}\n  {}\n", reports::sanitized(file.path),
                            reports::sanitized(result.difference));
    }
    output << fmt::format("  {} ({}, {})\n", reports::sanitized(file.scenario_title),
                          reports::sanitized(file.scenario_path), reports::made_by(file.example));
    for (const checker::Verdict& verdict : result.example.verdicts) {
      if (verdict.kind == checker::VerdictKind::holds) continue;
      output << fmt::format("  {} is {}: {}\n", checker::to_string(verdict.property),
                            checker::to_string(verdict.kind), reports::sanitized(verdict.summary));
    }
    output.flush();
  }

  void add_json(const reports::TraceFile& file, const search::ReplayResult& result) {
    reports::Json verdicts = reports::Json::object();
    for (const checker::Verdict& verdict : result.example.verdicts) {
      verdicts[std::string(checker::to_string(verdict.property))] =
          checker::to_string(verdict.kind);
    }
    replays_.push_back({{"trace", reports::json_text(file.path)},
                        {"scenario", reports::json_text(file.scenario_path)},
                        {"seed", reports::json_number(file.example.seed)},
                        {"same", result.same},
                        {"difference", reports::json_text(result.difference)},
                        {"events", result.example.trace.events.size()},
                        {"hash", reports::json_hash(result.example.trace.hash)},
                        {"verdicts", std::move(verdicts)}});
  }

  const ReplayArguments& arguments_;
  const Context& context_;
  model::Engine engine_;
  reports::Json replays_ = reports::Json::array();
  ExitCode exit_code_ = ExitCode::as_expected;
};

ExitCode run_replay(const ReplayArguments& arguments, const Context& context) {
  return ReplayCommand(arguments, context).run();
}

void add_options(CLI::App& command, ReplayArguments& arguments) {
  command.add_option("TRACE", arguments.traces, "Traces, as run wrote them")
      ->required()
      ->type_name("");
  add_format(command, arguments.format);
}

}  // namespace

CommandDescription replay_command() {
  return describe_command<ReplayArguments>(
      {.name = "replay",
       .summary = "Run saved traces again and compare every event",
       .examples = "lockstep replay lockstep-out/gc-pause.trace.jsonl"},
      {.add_options = add_options,
       .format = [](const ReplayArguments& arguments) { return arguments.format; },
       .run = run_replay});
}

}  // namespace lockstep::app
