// lockstep step: goes through a run event by event, forward and back.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ascii_output.h"
#include "app/command.h"
#include "app/context.h"
#include "app/findings/failing_run.h"
#include "app/interruption.h"
#include "app/session/step_session.h"
#include "model/engine/engine.h"
#include "reports/text.h"
#include "reports/trace/trace_file.h"
#include "scenario/file/scenario_file.h"

namespace lockstep::app {
namespace {

enum class CharacterSet : std::uint8_t { utf8, ascii };

struct StepArguments {
  std::string target;  ///< a trace, or a scenario
  std::uint64_t seed = 1;
  std::optional<std::string> commands;  ///< in place of standard input
  CharacterSet characters = CharacterSet::utf8;
};

/// As expected if every command was understood, bad input if one was not; not as expected if the
/// trace's run is no longer the same.
class StepCommand {
 public:
  StepCommand(const StepArguments& arguments, const Context& context)
      : arguments_(arguments),
        context_(context),
        engine_(context.script_folders, context.programs) {}

  ExitCode run() {
    SteppedRun run;
    run.scenario = scenario();
    run.example = file_ ? replayed(run.scenario) : first_run(run.scenario);
    const reports::CapturedStates taken =
        reports::capture_states(run.scenario, run.example, engine_);
    if (!taken.difference.empty()) {
      print_error(context_, fmt::format("{}: the run is not the same any more: {}",
                                        arguments_.target, taken.difference));
      return ExitCode::not_as_expected;
    }
    run.states = taken.states;
    // With the faults that the run drew, so that each can be left out.
    run.scenario = search::close_faults(run.scenario, run.example.faults);
    StepSession session(std::move(run), engine_);
    write(session.greeting());
    write(session.answer("where").text);
    return arguments_.commands ? obey_words(session) : obey_input(session);
  }

 private:
  scenario::Scenario scenario() {
    if (!is_trace_file(arguments_.target)) return only_row();
    file_ = reports::read_trace_file(arguments_.target);
    return reports::scenario_of(*file_);
  }

  scenario::Scenario only_row() const {
    std::vector<scenario::Scenario> rows = scenario::load_scenarios(arguments_.target);
    if (rows.size() == 1) return std::move(rows.front());
    throw scenario::InputError::about(
        arguments_.target,
        fmt::format(
            "it has {} rows; lockstep run --out writes a trace of each, to be stepped through",
            rows.size()));
  }

  search::RunRecord replayed(const scenario::Scenario& scenario) {
    search::ReplayResult result = search::replay(scenario, file_->example, engine_);
    if (!result.same) return file_->example;  // capturing its states reports the difference
    result.example.origin = file_->example.origin;
    return std::move(result.example);
  }

  search::RunRecord first_run(const scenario::Scenario& scenario) {
    return search::run_scenario(scenario, {arguments_.seed, 1, &is_interrupted}, engine_).example;
  }

  ExitCode obey_words(StepSession& session) {
    std::string_view left = *arguments_.commands;
    while (!left.empty()) {
      const std::size_t end = std::min(left.find_first_of(";\n"), left.size());
      if (!obey(session, left.substr(0, end))) break;
      left.remove_prefix(std::min(end + 1, left.size()));
    }
    return exit_code_;
  }

  ExitCode obey_input(StepSession& session) {
    const bool is_terminal = isatty(STDIN_FILENO) != 0;
    std::string line;
    while (!is_interrupted()) {
      if (is_terminal) context_.output << session.prompt() << std::flush;
      if (!std::getline(std::cin, line)) break;
      if (!obey(session, line)) return is_terminal ? ExitCode::as_expected : exit_code_;
    }
    if (is_terminal) context_.output << '\n';
    // A typing mistake is visible at a terminal; a script has to fail.
    return is_terminal ? ExitCode::as_expected : exit_code_;
  }

  /// Returns false if the session is over.
  bool obey(StepSession& session, std::string_view line) {
    const StepSession::Answer answer = session.answer(line);
    if (answer.reply == StepSession::Reply::not_understood) {
      context_.output.flush();
      context_.errors << (arguments_.characters == CharacterSet::ascii ? in_ascii(answer.text)
                                                                       : answer.text)
                      << std::flush;
      exit_code_ = ExitCode::bad_input;
      return true;
    }
    write(answer.text);
    return answer.reply != StepSession::Reply::quit;
  }

  void write(const std::string& text) {
    context_.output << (arguments_.characters == CharacterSet::ascii ? in_ascii(text) : text)
                    << std::flush;
  }

  const StepArguments& arguments_;
  const Context& context_;
  model::Engine engine_;
  std::optional<reports::TraceFile> file_;
  ExitCode exit_code_ = ExitCode::as_expected;
};

ExitCode run_step(const StepArguments& arguments, const Context& context) {
  return StepCommand(arguments, context).run();
}

void add_options(CLI::App& command, StepArguments& arguments) {
  command.add_option("TARGET", arguments.target, "A trace, as run wrote it, or a scenario")
      ->required()
      ->type_name("");
  add_number(command, "--seed", arguments.seed, "The scenario's run of this seed (1)");
  command
      .add_option("--commands", arguments.commands,
                  "What to do, with semicolons between; without it, lines of standard input")
      ->type_name("TEXT");
  command.add_flag_callback(
      "--ascii", [&arguments] { arguments.characters = CharacterSet::ascii; },
      "Write no characters beyond ASCII");
}

}  // namespace

CommandDescription step_command() {
  return describe_command<StepArguments>(
      {.name = "step",
       .summary = "Go through a run event by event, with everybody's state",
       .examples = "lockstep step lockstep-out/gc-pause.trace.jsonl\n"
                   "  lockstep step scenarios/known-bugs/gc-pause.toml --commands "
                   "'violation; state; without 1'"},
      {.add_options = add_options, .run = run_step});
}

}  // namespace lockstep::app
