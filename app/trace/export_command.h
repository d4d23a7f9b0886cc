// lockstep export: the history of a saved run, for Jepsen's checkers and for lockstep check.
#pragma once

#include <string>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

struct ExportArguments {
  std::string trace;
  std::string output;  ///< empty: standard output
};

/// Throws model::InputError where the trace is none, has no operation on a lock, or the file is not
/// writable.
[[nodiscard]] ExitCode export_history(const ExportArguments& arguments, const Context& context);

}  // namespace lockstep::app
