#include "app/timeline_command.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <ostream>

#include "app/html_file.h"
#include "app/run_files.h"
#include "model/scenario/placed_text.h"
#include "model/scenario/suggest.h"
#include "reports/text.h"
#include "reports/trace_file.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

/// "out/gc-pause.trace.jsonl" → "out/gc-pause.svg".
fs::path beside(const std::string& trace) {
  constexpr std::string_view ending = ".trace.jsonl";
  if (trace.ends_with(ending)) return trace.substr(0, trace.size() - ending.size()) + ".svg";
  return trace + ".svg";
}

}  // namespace

reports::PictureFormat picture_format_of(const fs::path& path) {
  constexpr std::array<std::string_view, 4> extensions = {"svg", "png", "pdf", "dot"};
  const std::string extension = path.extension().string();
  const std::string_view word = std::string_view(extension).substr(extension.empty() ? 0 : 1);
  if (const auto format = reports::picture_format_from(word)) return *format;
  throw model::InputError(
      {path.string(), 0, 0},
      fmt::format("cannot draw {}; expected a name that ends in .svg, .png, "
                  ".pdf or .dot{}",
                  word.empty() ? "without an extension" : model::in_quotes(word),
                  model::did_you_mean(word, extensions)));
}

ExitCode timeline(const TimelineArguments& arguments, const Context& context) {
  const fs::path path =
      arguments.output.empty() ? beside(arguments.trace) : fs::path(arguments.output);
  if (path.extension() == ".html") {
    write_html(path.string(), reports::read_trace_file(arguments.trace), context);
    context.output << reports::harmless(path.string()) << '\n';
    return ExitCode::as_expected;
  }
  const reports::PictureFormat format = picture_format_of(path);
  const reports::TraceFile file = reports::read_trace_file(arguments.trace);
  const reports::Timeline drawing =
      reports::layout(reports::timeline_subject(file, replay_command(arguments.trace, context)));
  write_picture(path, drawing, format);
  context.output << reports::harmless(path.string()) << '\n';
  return ExitCode::as_expected;
}

}  // namespace lockstep::app
