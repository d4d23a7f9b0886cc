// lockstep extract: finds the Lua in the string literals of a library's source.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "advice/script_extraction.h"
#include "app/command.h"
#include "app/context.h"
#include "app/output/output_file.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/source_location.h"
#include "scenario/text/suggest.h"
#include "scenario/text/text_file.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

struct ExtractArguments {
  std::vector<std::string> paths;
  std::string save_folder;  ///< empty: print
  std::string name;         ///< only the script of this name; empty: all
  OutputFormat format = OutputFormat::text;
};

advice::HostLanguage language_of(const std::string& path) {
  if (const std::optional<advice::HostLanguage> language = advice::language_of_file(path)) {
    return *language;
  }
  throw scenario::InputError::about(path,
                                    "expected a file of Java (.java), JavaScript (.js, .mjs, "
                                    ".cjs, .jsx) or TypeScript (.ts, .mts, .cts, .tsx)");
}

/// Sanitized, but with its line ends and tabs.
std::string shown(std::string_view script) {
  std::string text;
  for (;;) {
    const std::size_t tab = script.find('\t');
    text += reports::sanitized_lines(script.substr(0, tab));
    if (tab == std::string_view::npos) return text;
    text += '\t';
    script.remove_prefix(tab + 1);
  }
}

struct FoundScript {
  std::string path;
  advice::ExtractedScript script;
};

/// Reports files that can't be read, and goes on with the others; bad input then. Not as expected
/// if nothing is found. Saves all scripts or none, and overwrites no file.
class ExtractCommand {
 public:
  ExtractCommand(const ExtractArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context) {}

  ExitCode run() {
    for (const std::string& path : arguments_.paths) read(path);
    name_all();
    if (!arguments_.name.empty()) keep_named();
    tell_of_holes();
    if (found_.empty() && exit_code_ == ExitCode::as_expected) {
      print_error(context_, "there is no Lua in a string literal here");
      exit_code_ = ExitCode::not_as_expected;
    }
    if (!arguments_.save_folder.empty()) save();
    if (arguments_.format == OutputFormat::json) {
      print_json();
    } else if (arguments_.save_folder.empty()) {
      print_scripts();
    } else {
      print_saved();
    }
    return exit_code_;
  }

 private:
  void read(const std::string& path) {
    try {
      const advice::HostLanguage language = language_of(path);
      const std::string source = scenario::read_text_file(path);
      scenario::require_utf8(path, source);
      advice::Extraction extraction = advice::extract_scripts(source, language);
      for (const advice::HostComplaint& each : extraction.complaints) {
        refuse(scenario::InputError({path, each.place.line, each.place.column}, each.what));
      }
      for (advice::ExtractedScript& script : extraction.scripts) {
        found_.push_back({path, std::move(script)});
      }
    } catch (const scenario::InputError& error) {
      refuse(error);
    }
  }

  void refuse(const scenario::InputError& error) {
    print_error(context_, error);
    exit_code_ = ExitCode::bad_input;
  }

  void name_all() {
    std::vector<advice::ExtractedScript*> scripts;
    for (FoundScript& each : found_) scripts.push_back(&each.script);
    advice::number_names(scripts);
  }

  void keep_named() {
    std::vector<std::string> names;
    for (const FoundScript& each : found_) names.push_back(each.script.name);
    std::erase_if(found_,
                  [&](const FoundScript& each) { return each.script.name != arguments_.name; });
    if (!found_.empty()) return;
    const std::vector<std::string_view> known(names.begin(), names.end());
    print_error(
        context_,
        fmt::format("there is no script {}{} (there are {})", scenario::in_quotes(arguments_.name),
                    scenario::did_you_mean(arguments_.name, known), scenario::listed(known)));
    exit_code_ = ExitCode::bad_input;
  }

  void tell_of_holes() const {
    for (const FoundScript& each : found_) {
      for (const advice::ScriptHole& hole : each.script.holes) {
        context_.errors << reports::sanitized(
                               fmt::format("{}:{}:{}: note: {} has a part that is no literal: {}",
                                           each.path, hole.place.line, hole.place.column,
                                           each.script.name, reports::brief(hole.expression)))
                        << std::endl;
      }
    }
  }

  [[nodiscard]] fs::path place_of(const FoundScript& found) const {
    return fs::path(arguments_.save_folder) / (found.script.name + ".lua");
  }

  /// Looks at all places before it writes to the first.
  void save() const {
    for (const FoundScript& each : found_) {
      std::error_code error;
      if (fs::exists(place_of(each), error)) {
        throw scenario::InputError::about(place_of(each).string(),
                                          "this file is there already, and was left as it is");
      }
    }
    for (const FoundScript& each : found_) {
      write_file(place_of(each), [&](std::ostream& stream) { stream << each.script.body; });
    }
  }

  void print_saved() const {
    for (const FoundScript& each : found_) {
      context_.output << reports::sanitized(fmt::format("{}  from {}:{}", place_of(each).string(),
                                                        each.path, each.script.place.line))
                      << '\n';
    }
  }

  void print_scripts() const {
    for (const FoundScript& each : found_) {
      if (&each != &found_.front()) context_.output << '\n';
      context_.output << reports::sanitized(fmt::format("-- {} ({}:{})", each.script.name,
                                                        each.path, each.script.place.line))
                      << '\n'
                      << shown(each.script.body);
      if (!each.script.body.ends_with('\n')) context_.output << '\n';
    }
  }

  void print_json() const {
    reports::Json scripts = reports::Json::array();
    for (const FoundScript& each : found_) {
      reports::Json holes = reports::Json::array();
      for (const advice::ScriptHole& hole : each.script.holes) {
        holes.push_back({{"line", hole.place.line},
                         {"column", hole.place.column},
                         {"expression", reports::json_text(hole.expression)}});
      }
      reports::Json script = {{"name", reports::json_text(each.script.name)},
                              {"file", reports::json_text(each.path)},
                              {"line", each.script.place.line},
                              {"script", reports::json_text(each.script.body)},
                              {"not_literal", std::move(holes)}};
      if (!arguments_.save_folder.empty()) {
        script["saved"] = reports::json_text(place_of(each).string());
      }
      scripts.push_back(std::move(script));
    }
    context_.output << reports::Json{{"scripts", std::move(scripts)}}.dump(2) << '\n';
  }

  const ExtractArguments& arguments_;
  const Context& context_;
  std::vector<FoundScript> found_;
  ExitCode exit_code_ = ExitCode::as_expected;
};

ExitCode run_extract(const ExtractArguments& arguments, const Context& context) {
  return ExtractCommand(arguments, context).run();
}

void add_options(CLI::App& command, ExtractArguments& arguments) {
  command.add_option("FILE", arguments.paths, "Files of a library's source")
      ->required()
      ->type_name("");
  command
      .add_option("--save", arguments.save_folder,
                  "Write each script to DIR/NAME.lua, over no file that is there")
      ->type_name("DIR");
  command.add_option("--name", arguments.name, "Only the script of this name")->type_name("NAME");
  add_format(command, arguments.format);
}

}  // namespace

CommandDescription extract_command() {
  return describe_command<ExtractArguments>(
      {.name = "extract",
       .summary = "Find the Lua in the string literals of Java, JavaScript and TypeScript files",
       .examples = "lockstep extract Lock.java --save scripts"},
      {.add_options = add_options,
       .format = [](const ExtractArguments& arguments) { return arguments.format; },
       .run = run_extract});
}

}  // namespace lockstep::app
