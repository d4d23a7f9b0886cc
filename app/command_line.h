// What the user typed: the command and its arguments, or how the command line was wrong.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "app/check_command.h"
#include "app/confirm_command.h"
#include "app/corpus_command.h"
#include "app/explore_command.h"
#include "app/export_command.h"
#include "app/extract_command.h"
#include "app/fuzz_command.h"
#include "app/keep_command.h"
#include "app/lint_command.h"
#include "app/list_command.h"
#include "app/merge_command.h"
#include "app/new_command.h"
#include "app/new_scenario.h"
#include "app/replay_command.h"
#include "app/run_command.h"
#include "app/schema_command.h"
#include "app/serve_command.h"
#include "app/shrink_command.h"
#include "app/step_command.h"
#include "app/timeline_command.h"

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
