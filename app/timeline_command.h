// lockstep timeline: draws a saved trace.
#pragma once

#include <string>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

struct TimelineArguments {
  std::string trace;
  std::string output;  ///< empty: beside the trace, as SVG
};

/// Throws model::InputError where the trace is none, the format unknown, the file not writable.
[[nodiscard]] ExitCode timeline(const TimelineArguments& arguments, const Context& context);

}  // namespace lockstep::app
