// The options of lockstep run on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include "app/run/run_command.h"

namespace lockstep::app {

/// The command fills the arguments, which must outlive the parsing.
void add_run_options(CLI::App& command, RunArguments& arguments);

/// Throws CLI::ValidationError where they don't fit together.
void require_seeds(const RunArguments& arguments);

}  // namespace lockstep::app
