// The options of lockstep step on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include "app/trace/step_command.h"

namespace lockstep::app {

/// The command fills the arguments, which must outlive the parsing.
void add_step_options(CLI::App& command, StepArguments& arguments);

}  // namespace lockstep::app
