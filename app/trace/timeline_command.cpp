#include "app/trace/timeline_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <ostream>
#include <string_view>
#include <vector>

#include "app/output_file.h"
#include "app/run/html_file.h"
#include "app/run/run_files.h"
#include "reports/text.h"
#include "reports/timeline/hero.h"
#include "reports/timeline/mermaid.h"
#include "reports/timeline/side_by_side.h"
#include "reports/trace/trace_file.h"
#include "scenario/text/located_text.h"
#include "scenario/text/suggest.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

/// "out/gc-pause.trace.jsonl" → "out/gc-pause.svg".
fs::path beside(const std::string& trace) {
  constexpr std::string_view ending = ".trace.jsonl";
  if (trace.ends_with(ending)) return trace.substr(0, trace.size() - ending.size()) + ".svg";
  return trace + ".svg";
}

constexpr std::string_view mermaid_extension = ".mmd";
/// More than these no reader wants and no program shows.
constexpr std::size_t full_rows_max = 2'000;

[[noreturn]] void refuse(const std::string& message) {
  throw scenario::InputError({"timeline", 0, 0}, message);
}

void refuse_of_mermaid(const TimelineArguments& arguments, const fs::path& path) {
  const bool is_picture = !arguments.beside.empty() || arguments.form == TimelineForm::hero;
  if (is_picture || arguments.is_full) {
    refuse(fmt::format("{}: Mermaid has no {}", reports::sanitized(path.string()),
                       is_picture ? "hero and no two runs beside each other" : "room for --full"));
  }
}

void refuse_of_html(const TimelineArguments& arguments, const fs::path& path) {
  const reports::TimelineOptions& options = arguments.options;
  const bool is_part = arguments.is_full || !options.view.lanes.empty() || options.view.from_ns ||
                       options.view.until_ns || options.focus != reports::TimelineFocus::whole_run;
  if (is_part || !arguments.beside.empty() || arguments.form == TimelineForm::hero) {
    refuse(fmt::format("{}: the HTML report shows the whole run, in one form",
                       reports::sanitized(path.string())));
  }
}

reports::TimelineOptions options_of(const TimelineArguments& arguments) {
  reports::TimelineOptions options = arguments.options;
  if (arguments.is_full) options.rows_max = full_rows_max;
  return options;
}

void refuse_too_long(const TimelineArguments& arguments, const reports::Timeline& drawing) {
  if (!arguments.is_full || drawing.rows_folded == 0) return;
  refuse(fmt::format("--full: {} rows are more than {}; --from, --to and --lanes show a part",
                     drawing.rows + drawing.rows_folded, full_rows_max));
}

}  // namespace

reports::PictureFormat picture_format_of(const fs::path& path, PictureFormats formats) {
  const std::vector<std::string_view> extensions =
      formats == PictureFormats::drawn
          ? std::vector<std::string_view>{"svg", "png", "pdf", "dot"}
          : std::vector<std::string_view>{"svg", "png", "pdf", "dot", "mmd", "html"};
  const std::string extension = path.extension().string();
  const std::string_view word = std::string_view(extension).substr(extension.empty() ? 0 : 1);
  if (const auto format = reports::picture_format_from(word)) return *format;
  throw scenario::InputError(
      {path.string(), 0, 0},
      fmt::format("cannot draw {}; expected a name that ends in .{}{}",
                  word.empty() ? "without an extension" : scenario::in_quotes(word),
                  fmt::join(extensions, ", ."), scenario::did_you_mean(word, extensions)));
}

ExitCode timeline(const TimelineArguments& arguments, const Context& context) {
  const fs::path path =
      arguments.output.empty() ? beside(arguments.trace) : fs::path(arguments.output);
  if (path.extension() == ".html") {
    refuse_of_html(arguments, path);
    write_html(path.string(), reports::read_trace_file(arguments.trace), context);
    context.output << reports::sanitized(path.string()) << '\n';
    return ExitCode::as_expected;
  }
  const bool is_mermaid = path.extension() == mermaid_extension;
  const reports::PictureFormat format = is_mermaid
                                            ? reports::PictureFormat::svg
                                            : picture_format_of(path, PictureFormats::of_timelines);
  const reports::TraceFile file = reports::read_trace_file(arguments.trace);
  const reports::TimelineSubject subject =
      reports::timeline_subject(file, replay_command(arguments.trace, context));
  if (is_mermaid) {
    refuse_of_mermaid(arguments, path);
    write_file(path, [&](std::ostream& stream) {
      stream << reports::mermaid_of(subject, arguments.options);
    });
  } else if (!arguments.beside.empty()) {
    const reports::TraceFile other = reports::read_trace_file(arguments.beside);
    write_picture(
        path,
        reports::side_by_side_layout(
            subject, reports::timeline_subject(other, replay_command(arguments.beside, context)),
            options_of(arguments)),
        format);
  } else if (arguments.form == TimelineForm::hero) {
    write_picture(path, reports::hero_layout(subject, arguments.options), format);
  } else {
    const reports::Timeline drawing = reports::layout(subject, options_of(arguments));
    refuse_too_long(arguments, drawing);
    write_picture(path, drawing, format);
  }
  context.output << reports::sanitized(path.string()) << '\n';
  return ExitCode::as_expected;
}

}  // namespace lockstep::app
