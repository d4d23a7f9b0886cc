// lockstep timeline: draws a saved trace.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/exit_code.h"
#include "app/output/html_file.h"
#include "app/output/output_file.h"
#include "app/output/output_place.h"
#include "app/output/picture_file.h"
#include "app/output/run_files.h"
#include "reports/text.h"
#include "reports/timeline/chrome_trace.h"
#include "reports/timeline/hero.h"
#include "reports/timeline/mermaid.h"
#include "reports/timeline/plantuml.h"
#include "reports/timeline/side_by_side.h"
#include "reports/timeline/timeline.h"
#include "reports/trace/trace_file.h"
#include "scenario/text/durations.h"
#include "scenario/text/suggest.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

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

/// "out/gc-pause.trace.jsonl" → "out/gc-pause.svg".
fs::path beside(const std::string& trace) {
  constexpr std::string_view ending = ".trace.jsonl";
  if (trace.ends_with(ending)) return trace.substr(0, trace.size() - ending.size()) + ".svg";
  return trace + ".svg";
}

/// The forms that are text, and how errors call them.
struct TextForm {
  std::string_view extension;
  std::string_view name;
  std::string (*text)(const reports::TimelineSubject&, const reports::TimelineOptions&);
};
constexpr std::array<TextForm, 3> text_forms{
    {{".mmd", "Mermaid", &reports::mermaid_of},
     {".puml", "PlantUML", &reports::plantuml_of},
     {".json", "a Chrome trace", &reports::chrome_trace_of}}};

const TextForm* text_form_of(const fs::path& path) {
  const std::string extension = path.extension().string();
  for (const TextForm& each : text_forms) {
    if (each.extension == extension) return &each;
  }
  return nullptr;
}

/// More rows than this are of no use to readers, and no program shows them.
constexpr std::size_t full_rows_max = 2'000;

[[noreturn]] void refuse(const std::string& message) {
  throw scenario::InputError::about("timeline", message);
}

void refuse_of_text(const TextForm& form, const TimelineArguments& arguments,
                    const fs::path& path) {
  const bool is_picture = !arguments.beside.empty() || arguments.form == TimelineForm::hero;
  const bool is_whole = form.extension == ".json";  // it has room for all
  if (is_picture || (arguments.is_full && !is_whole)) {
    refuse(fmt::format("{}: {} has no {}", reports::sanitized(path.string()), form.name,
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

ExitCode run_timeline(const TimelineArguments& arguments, const Context& context) {
  const fs::path path =
      arguments.output.empty() ? beside(arguments.trace) : fs::path(arguments.output);
  if (path.extension() == ".html") {
    refuse_of_html(arguments, path);
    write_html(path.string(), reports::read_trace_file(arguments.trace), context);
    context.output << reports::sanitized(path.string()) << '\n';
    return ExitCode::as_expected;
  }
  const TextForm* const text_form = text_form_of(path);
  const reports::PictureFormat format = text_form != nullptr
                                            ? reports::PictureFormat::svg
                                            : picture_format_of(path, PictureFormats::of_timelines);
  const reports::TraceFile file = reports::read_trace_file(arguments.trace);
  const reports::TimelineSubject subject =
      reports::timeline_subject(file, replay_command_in_file(arguments.trace, context));
  if (text_form != nullptr) {
    refuse_of_text(*text_form, arguments, path);
    write_file(
        path, [&](std::ostream& stream) { stream << text_form->text(subject, arguments.options); });
  } else if (!arguments.beside.empty()) {
    const reports::TraceFile other = reports::read_trace_file(arguments.beside);
    write_picture(
        path,
        reports::side_by_side_layout(
            subject,
            reports::timeline_subject(other, replay_command_in_file(arguments.beside, context)),
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

sim::TimeNs read_instant(const std::string& argument, const std::string& word) {
  const scenario::ParsedNumber time = scenario::parse_duration(word);
  if (!time.ok() || time.value < 0) {
    refuse_word(argument, word, "a time such as 0s, 1500ms, 1349.2ms or 2s");
  }
  return time.value;
}

void add_instant(CLI::App& command, const std::string& name, std::optional<sim::TimeNs>& time,
                 const std::string& summary) {
  add_word(
      command, name, "TIME",
      [&time, name](const std::string& word) { time = read_instant(name, word); }, summary);
}

void add_parts(CLI::App& command, reports::TimelineOptions& options) {
  add_instant(command, "--from", options.view.from_ns,
              "Only what happened from then on (1500ms, 2s)");
  add_instant(command, "--to", options.view.until_ns, "Only what happened until then");
  command.add_option("--lanes", options.view.lanes, "Only these lanes: a,n1")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  add_word(
      command, "--focus", "WHAT",
      [&options](const std::string& word) {
        constexpr std::array<std::string_view, 1> words = {"violation"};
        (void)read_choice("--focus", word, words);
        options.focus = reports::TimelineFocus::violation;
      },
      "violation: only the rows nearest to it");
}

void add_options(CLI::App& command, TimelineArguments& arguments) {
  command.add_option("TRACE", arguments.trace, "A trace, as run wrote it")
      ->required()
      ->type_name("");
  writes_to(
      command
          .add_option(
              "-o,--output", arguments.output,
              "A .svg, .png, .pdf, .dot, .mmd (Mermaid), .puml (PlantUML) or .json (for Perfetto "
              "and\n"
              "chrome://tracing), or an HTML report: a .html. Without it, an SVG beside the trace")
          ->type_name("FILE"),
      OutputPlace::file);
  CLI::Option* const hero = command.add_flag_callback(
      "--hero", [&arguments] { arguments.form = TimelineForm::hero; },
      "The short form for a slide: time to the right, at most 10 moments");
  command
      .add_option("--beside", arguments.beside,
                  "Another trace, drawn to the right of it, with the first difference marked")
      ->type_name("TRACE")
      ->excludes(hero);
  command
      .add_flag("--full", arguments.is_full,
                "Fold nothing (at most 40 rows otherwise); of pictures and a .json")
      ->excludes(hero);
  add_parts(command, arguments.options);
}

}  // namespace

CommandDescription timeline_command() {
  return describe_command<TimelineArguments>(
      {.name = "timeline",
       .summary = "Draw a saved trace",
       .examples = "lockstep timeline lockstep-out/gc-pause.trace.jsonl -o gc-pause.pdf"},
      {.add_options = add_options, .run = run_timeline});
}

}  // namespace lockstep::app
