#include "app/trace/timeline_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "app/option_words.h"
#include "scenario/text/durations.h"

namespace lockstep::app {
namespace {

sim::TimeNs read_instant(const std::string& argument, const std::string& word) {
  const scenario::ParsedNumber time = scenario::parse_duration(word);
  if (!time.ok() || time.value < 0) {
    refuse_word(argument, word, "a time such as 0s, 1500ms, 1349.2ms or 2s");
  }
  return time.value;
}

void add_instant(CLI::App& command, const std::string& name, std::optional<sim::TimeNs>& time,
                 const std::string& summary) {
  command
      .add_option_function<std::string>(
          name, [&time, name](const std::string& word) { time = read_instant(name, word); },
          summary)
      ->type_name("TIME");
}

void add_parts(CLI::App& command, reports::TimelineOptions& options) {
  add_instant(command, "--from", options.view.from_ns,
              "Only what happened from then on (1500ms, 2s)");
  add_instant(command, "--to", options.view.until_ns, "Only what happened until then");
  command.add_option("--lanes", options.view.lanes, "Only these lanes: a,n1")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  command
      .add_option_function<std::string>(
          "--focus",
          [&options](const std::string& word) {
            constexpr std::array<std::string_view, 1> words = {"violation"};
            if (word != words[0]) refuse_word("--focus", word, "violation", words);
            options.focus = reports::TimelineFocus::violation;
          },
          "violation: only the rows nearest to it")
      ->type_name("WHAT");
}

}  // namespace

void add_timeline_options(CLI::App& command, TimelineArguments& arguments) {
  command.add_option("TRACE", arguments.trace, "A trace, as run wrote it")
      ->required()
      ->type_name("");
  command
      .add_option(
          "-o,--output", arguments.output,
          "A .svg, .png, .pdf, .dot or .mmd (Mermaid), or an HTML report: a .html. Without it,\n"
          "an SVG beside the trace")
      ->type_name("FILE");
  CLI::Option* hero = command.add_flag_callback(
      "--hero", [&arguments] { arguments.form = TimelineForm::hero; },
      "The short form for a slide: time to the right, at most 10 moments");
  command
      .add_option("--beside", arguments.beside,
                  "Another trace, drawn to the right of it, with the first difference marked")
      ->type_name("TRACE")
      ->excludes(hero);
  command.add_flag("--full", arguments.is_full, "Fold nothing (at most 40 rows otherwise)")
      ->excludes(hero);
  add_parts(command, arguments.options);
}

}  // namespace lockstep::app
