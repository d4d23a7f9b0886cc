// What the user typed: the command and its arguments, or how the command line was wrong.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "app/explore/explore_command.h"
#include "app/fuzz/corpus_command.h"
#include "app/fuzz/fuzz_command.h"
#include "app/fuzz/merge_command.h"
#include "app/history/check_command.h"
#include "app/lock/extract_command.h"
#include "app/lock/lint_command.h"
#include "app/lock/list_command.h"
#include "app/lock/new_command.h"
#include "app/lock/new_scenario.h"
#include "app/lock/schema_command.h"
#include "app/run/run_command.h"
#include "app/serve/serve_command.h"
#include "app/shrink/keep_command.h"
#include "app/shrink/shrink_command.h"
#include "app/trace/confirm_command.h"
#include "app/trace/export_command.h"
#include "app/trace/replay_command.h"
#include "app/trace/step_command.h"
#include "app/trace/timeline_command.h"

namespace lockstep::app {

using Command = std::variant<RunArguments, ReplayArguments, TimelineArguments, ListArguments,
                             ServeArguments, ConfirmArguments, LintArguments, ExtractArguments,
                             NewArguments, NewScenarioArguments, SchemaArguments, CheckArguments,
                             FuzzArguments, CorpusArguments, MergeArguments, ShrinkArguments,
                             KeepArguments, ExploreArguments, StepArguments, ExportArguments>;

/// A command to run, or the text that answers the command line alone and the exit code with it.
struct CommandLine {
  std::optional<Command> command;
  std::string text;  ///< help, the version, or what is wrong
  ExitCode exit_code = ExitCode::as_expected;
};

/// Reads the arguments of main.
[[nodiscard]] CommandLine read_command_line(int count, const char* const* words);

}  // namespace lockstep::app
