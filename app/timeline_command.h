// lockstep timeline: draws a saved trace.
#pragma once

#include <filesystem>
#include <string>

#include "app/context.h"
#include "app/exit_code.h"
#include "reports/timeline.h"

namespace lockstep::app {

struct TimelineArguments {
  std::string trace;
  std::string output;  ///< empty: beside the trace, as SVG
};

/// Throws model::InputError where the trace is none, the format unknown, the file not writable.
[[nodiscard]] ExitCode timeline(const TimelineArguments& arguments, const Context& context);

/// By the file's ending. Throws model::InputError where it is no picture's.
[[nodiscard]] reports::PictureFormat picture_format_of(const std::filesystem::path& path);

}  // namespace lockstep::app
