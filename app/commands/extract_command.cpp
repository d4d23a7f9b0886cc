// lockstep extract: finds the Lua in a library's source, in whichever language that is written.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
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
#include "app/output/output_place.h"
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

bool is_lua_file(const fs::path& path) { return path.extension() == ".lua"; }

/// Throws an InputError for files of other languages.
advice::Extraction extract_file(const fs::path& path, std::string_view source) {
  if (is_lua_file(path)) return advice::extract_lua(source, path.stem().string());
  if (const std::optional<advice::HostLanguage> language = advice::language_of_file(path)) {
    const std::string ending = path.extension().string();
    return advice::extract_scripts(source, *language, ending == ".jsx" || ending == ".tsx");
  }
  throw scenario::InputError::about(
      path.string(),
      fmt::format("expected a file of {}, or a script (.lua)", advice::listed_languages()));
}

/// The files of a folder that may have scripts, in the order of their paths, without those of
/// hidden folders and node_modules.
std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    const std::string name = each->path().filename().string();
    std::error_code ignored;
    if (each->is_directory(ignored)) {
      if (name.starts_with(".") || name == "node_modules") each.disable_recursion_pending();
    } else if (is_lua_file(each->path()) || advice::language_of_file(each->path())) {
      paths.push_back(each->path().string());
    }
  }
  if (error) throw scenario::InputError::about(folder.string(), error.message());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// Names that say that it is a script, not which: the file's says more.
bool says_nothing(std::string_view name) {
  constexpr std::array<std::string_view, 7> words = {"script", "content", "lua", "source",
                                                     "code",   "body",    "text"};
  return std::find(words.begin(), words.end(), name) != words.end();
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
/// if nothing is found, or something is not whole. Saves all scripts or none, and overwrites no
/// file.
class ExtractCommand {
 public:
  ExtractCommand(const ExtractArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context) {}

  ExitCode run() {
    for (const std::string& path : arguments_.paths) {
      std::error_code error;
      if (!fs::is_directory(path, error)) {
        read(path);
        continue;
      }
      for (const std::string& file : files_below(path)) read(file);
    }
    name_all();
    if (!arguments_.name.empty()) keep_named();
    tell_of_parts();
    tell_of_unresolved();
    if (found_.empty() && exit_code_ == ExitCode::as_expected) {
      print_error(context_, "there is no Lua here");
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
      const std::string source = scenario::read_text_file(path);
      scenario::require_utf8(path, source);
      advice::Extraction extraction = extract_file(path, source);
      for (const advice::HostComplaint& each : extraction.complaints) {
        refuse(scenario::InputError({path, each.place.line, each.place.column}, each.what));
      }
      for (advice::ExtractedScript& script : extraction.scripts) {
        if (says_nothing(script.name))
          script.name = script.short_name = fs::path(path).stem().string();
        found_.push_back({path, std::move(script)});
      }
      for (advice::UnresolvedScript& each : extraction.unresolved) {
        unresolved_.push_back({path, std::move(each)});
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
    bool is_full = false;  // Class.method, not the method alone
    for (const FoundScript& each : found_) {
      names.push_back(each.script.name);
      is_full = is_full || each.script.name == arguments_.name;
    }
    std::erase_if(found_, [&](const FoundScript& each) {
      return (is_full ? each.script.name : each.script.short_name) != arguments_.name;
    });
    unresolved_.clear();
    if (!found_.empty()) return;
    const std::vector<std::string_view> known(names.begin(), names.end());
    print_error(
        context_,
        fmt::format("there is no script {}{} (there are {})", scenario::in_quotes(arguments_.name),
                    scenario::did_you_mean(arguments_.name, known), scenario::listed(known)));
    exit_code_ = ExitCode::bad_input;
  }

  void tell_of_parts() {
    for (const FoundScript& each : found_) {
      if (!each.script.fault.empty()) {
        tell(each.path, each.script.place,
             fmt::format("{} is no whole script: {}", each.script.name, each.script.fault));
      }
      for (const advice::ScriptHole& hole : each.script.holes) {
        tell(each.path, hole.place,
             fmt::format("{} has a part that is not known here: {}", each.script.name,
                         reports::brief(hole.expression)));
      }
    }
  }

  /// What is not resolved here may be a file that is read too, or come from whoever calls.
  void tell_of_unresolved() {
    for (const Unresolved& each : unresolved_) {
      const advice::UnresolvedScript& script = each.script;
      if (script.is_given) continue;
      if (script.file.empty()) {
        tell(each.path, script.place,
             fmt::format("the script here is not in this file: {}", reports::brief(script.what)));
      } else if (!is_read(script.file)) {
        tell(each.path, script.place,
             fmt::format("the script here is in a file of its own: {}", script.file));
      }
    }
  }

  [[nodiscard]] bool is_read(const std::string& file) const {
    const fs::path name = fs::path(file).filename();
    return std::any_of(found_.begin(), found_.end(), [&name](const FoundScript& each) {
      return name.string().ends_with(fs::path(each.path).filename().string());
    });
  }

  void tell(const std::string& path, const lua::Place& place, const std::string& what) {
    context_.errors << reports::sanitized(
                           fmt::format("{}:{}:{}: note: {}", path, place.line, place.column, what))
                    << std::endl;
    exit_code_ = worse(exit_code_, ExitCode::not_as_expected);
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
      if (!each.script.fault.empty()) script["fault"] = reports::json_text(each.script.fault);
      if (!arguments_.save_folder.empty()) {
        script["saved"] = reports::json_text(place_of(each).string());
      }
      scripts.push_back(std::move(script));
    }
    reports::Json unresolved = reports::Json::array();
    for (const Unresolved& each : unresolved_) {
      if (each.script.is_given || (!each.script.file.empty() && is_read(each.script.file)))
        continue;
      unresolved.push_back({{"file", reports::json_text(each.path)},
                            {"line", each.script.place.line},
                            {"column", each.script.place.column},
                            {"expression", reports::json_text(each.script.what)}});
    }
    context_.output << reports::Json{{"scripts", std::move(scripts)},
                                     {"unresolved", std::move(unresolved)}}
                           .dump(2)
                    << '\n';
  }

  const ExtractArguments& arguments_;
  const Context& context_;
  struct Unresolved {
    std::string path;
    advice::UnresolvedScript script;
  };

  std::vector<FoundScript> found_;
  std::vector<Unresolved> unresolved_;
  ExitCode exit_code_ = ExitCode::as_expected;
};

ExitCode run_extract(const ExtractArguments& arguments, const Context& context) {
  return ExtractCommand(arguments, context).run();
}

void add_options(CLI::App& command, ExtractArguments& arguments) {
  command.add_option("FILE", arguments.paths, "Files of a library's source, or folders of them")
      ->required()
      ->type_name("");
  writes_to(command
                .add_option("--save", arguments.save_folder,
                            "Write each script to DIR/NAME.lua, over no file that is there")
                ->type_name("DIR"),
            OutputPlace::folder);
  command
      .add_option("--name", arguments.name,
                  "Only the script of this name: Class.method, or the method")
      ->type_name("NAME");
  add_format(command, arguments.format);
}

}  // namespace

CommandDescription extract_command() {
  return describe_command<ExtractArguments>(
      {.name = "extract",
       .summary =
           "Find the Lua in a library's source: Java, Kotlin, JavaScript, TypeScript, Python,\n"
           "Go, C#, PHP, Ruby, Rust and .lua files",
       .examples = "lockstep extract Lock.java --save scripts\n"
                   "  lockstep extract src/ --name RedisLock.release",
       .exit_codes = "Exit codes: 0 every script is whole, 1 none was found or one is not whole,\n"
                     "2 bad input or usage."},
      {.add_options = add_options,
       .format = [](const ExtractArguments& arguments) { return arguments.format; },
       .run = run_extract});
}

}  // namespace lockstep::app
