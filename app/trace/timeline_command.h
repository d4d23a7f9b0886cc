// lockstep timeline: draws a saved trace.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/context.h"
#include "app/exit_code.h"
#include "reports/timeline/timeline.h"

namespace lockstep::app {

enum class TimelineForm : std::uint8_t {
  lanes,  ///< time downwards
  hero,   ///< the short form for a slide, time to the right
};

struct TimelineArguments {
  std::string trace;
  std::string output;  ///< empty: beside the trace, as SVG
  std::string beside;  ///< another trace to draw to the right of it; empty: none
  TimelineForm form = TimelineForm::lanes;
  reports::TimelineOptions options;
  bool is_full = false;  ///< nothing is folded
};

/// Throws model::InputError where the trace is none, the format unknown, the file not writable, or
/// what is to be drawn is not there.
[[nodiscard]] ExitCode timeline(const TimelineArguments& arguments, const Context& context);

/// What a command can write for a picture's name: Graphviz's formats, or a timeline's others, too.
enum class PictureFormats : std::uint8_t { drawn, of_timelines };

/// By the file's ending. Throws model::InputError where it is no drawn picture's; it names all that
/// the command can write.
[[nodiscard]] reports::PictureFormat picture_format_of(const std::filesystem::path& path,
                                                       PictureFormats formats);

}  // namespace lockstep::app
