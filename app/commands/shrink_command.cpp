// lockstep shrink: makes a failing scenario, or the run of a trace, as small as it can be.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/findings/failing_run.h"
#include "app/findings/shrunk_files.h"
#include "app/interruption.h"
#include "app/output/file_names.h"
#include "app/output/output_place.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/lock/known_messages.h"
#include "reports/formats/shrink_report.h"
#include "reports/text.h"
#include "scenario/file/scenario_file.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

struct ShrinkArguments {
  std::vector<std::string> targets;  ///< scenario files and traces
  /// Which property to look for; any of them that the scenario names if it isn't given. For a
  /// scenario, the runs in which to look for a violation, and their first seed.
  FailingRunQuery query;
  std::string output_folder = "lockstep-out";
  OutputFormat format = OutputFormat::text;
};

/// "gc-pause" of "out/gc-pause.found.trace.jsonl", and of "scenarios/gc-pause.toml".
std::string base_name(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  for (const std::string_view ending : {".toml", ".jsonl", ".trace", ".found"}) {
    if (name.size() <= ending.size() || !name.ends_with(ending)) continue;
    name.resize(name.size() - ending.size());
  }
  return name;
}

/// Not as expected if nothing broke in a target, or a trace's run is no longer the same.
class ShrinkCommand {
 public:
  ShrinkCommand(const ShrinkArguments& arguments, const Context& context)
      : arguments_(arguments),
        context_(context),
        engine_(context.script_folders, context.programs) {}

  ExitCode run() {
    require_writable_folder(arguments_.output_folder);
    for (const std::string& target : arguments_.targets) {
      if (is_interrupted()) break;
      try_to_shrink(target);
    }
    if (is_interrupted()) {
      print_error(context_, "interrupted: this is how small it was made until then");
      exit_code_ = worse(exit_code_, ExitCode::unknown);
    }
    if (arguments_.format == OutputFormat::json) context_.output << reports::shrink_json(all_);
    return exit_code_;
  }

 private:
  /// A target that is wrong does not take the others with it.
  void try_to_shrink(const std::string& target) {
    try {
      const std::string name = base_name(target) + ".small";
      if (is_trace_file(target)) {
        return shrink_one(failing_run_of_trace(target, arguments_.query, engine_), target, name);
      }
      for (const scenario::Scenario& row : scenario::load_scenarios(target)) {
        if (is_interrupted()) return;
        model::require_known_messages(row, context_.script_folders);
        shrink_one(find_failing_run(row, arguments_.query, engine_), row.name(),
                   file_name_of_row(name, row.row));
      }
    } catch (const scenario::InputError& error) {
      print_error(context_, error);
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }

  void shrink_one(const FailingRunResult& found, const std::string& target,
                  const std::string& name) {
    if (!found.run) {
      if (is_interrupted()) return;
      print_error(context_, fmt::format("{}: {}", reports::sanitized(target),
                                        reports::sanitized(found.why_not)));
      exit_code_ = worse(exit_code_, ExitCode::not_as_expected);
      return;
    }
    all_.push_back(save_shrunk(*found.run, make_small(*found.run, engine_),
                               arguments_.output_folder, names_.take(name), context_, engine_));
    if (arguments_.format == OutputFormat::json) return;
    const reports::SavedShrunk& saved = all_.back();
    if (all_.size() > 1) context_.output << '\n';
    context_.output << fmt::format("{}\n  {} is violated\n", reports::sanitized(target),
                                   checker::to_string(saved.property))
                    << reports::shrunk_in_words(saved, context_.style);
    context_.output.flush();
  }

  const ShrinkArguments& arguments_;
  const Context& context_;
  model::Engine engine_;
  UniqueNames names_;
  std::vector<reports::SavedShrunk> all_;
  ExitCode exit_code_ = ExitCode::as_expected;
};

ExitCode run_shrink(const ShrinkArguments& arguments, const Context& context) {
  return ShrinkCommand(arguments, context).run();
}

checker::Property read_property(const std::string& word) {
  std::vector<std::string_view> words;
  for (const checker::Property each : checker::all_properties()) {
    words.push_back(checker::to_string(each));
  }
  if (const auto property = checker::property_from(word)) return *property;
  refuse_word("--property", word, "a property (lockstep list properties)", words);
}

void add_options(CLI::App& command, ShrinkArguments& arguments) {
  FailingRunQuery& query = arguments.query;
  command
      .add_option("TARGET", arguments.targets,
                  "Scenario files in which something breaks, and traces of runs in which it did")
      ->required()
      ->type_name("");
  add_word(
      command, "--property", "WORD",
      [&query](const std::string& word) { query.property = read_property(word); },
      "What is to break (the first that breaks of those that the scenario names)");
  add_number(command, "--runs", query.runs,
             "Look for a run of a scenario that breaks it in so many (1000)");
  add_number(command, "--seed", query.seed, "The first seed, or the search's (1)");
  writes_to(
      command
          .add_option("-o,--out", arguments.output_folder,
                      "Write the small scenario, its trace and its timeline here (lockstep-out)")
          ->type_name("DIR"),
      OutputPlace::folder);
  add_format(command, arguments.format);
}

void require_runs(const CLI::App& /*command*/, ShrinkArguments& arguments) {
  const FailingRunQuery& query = arguments.query;
  if (query.runs == 0) throw CLI::ValidationError("--runs: expected at least 1");
  if (query.seed > UINT64_MAX - (query.runs - 1)) {
    throw CLI::ValidationError("--runs: there are no so many seeds after --seed");
  }
}

}  // namespace

CommandDescription shrink_command() {
  return describe_command<ShrinkArguments>(
      {.name = "shrink",
       .summary = "Make a failing scenario, or the run of a trace, as small as it can be",
       .examples = "lockstep shrink my-scenario.toml\n"
                   "  lockstep shrink lockstep-out/plain-mutual-exclusion-pause.found.trace.jsonl"},
      {.add_options = add_options,
       .complete = require_runs,
       .format = [](const ShrinkArguments& arguments) { return arguments.format; },
       .run = run_shrink});
}

}  // namespace lockstep::app
