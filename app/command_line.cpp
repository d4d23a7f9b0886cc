#include "app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/all_commands.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/suggest.h"
#include "sim/versions.h"

namespace lockstep::app {
namespace {

/// The program with its commands.
class Grammar {
 public:
  Grammar() {
    app_.set_version_flag("-V,--version",
                          fmt::format("lockstep {} (model {})", LOCKSTEP_VERSION, model_version),
                          "Print the version");
    app_.require_subcommand(1);
    app_.footer(
        fmt::format("Example:\n  lockstep run scenarios/known-bugs/gc-pause.toml\n\n"
                    "lockstep help COMMAND says more. {}",
                    usual_exit_codes));
    for (const CommandDescription& each : all_commands()) add(each);
  }

  CommandLine read(int count, const char* const* words) {
    if (count <= 1) return {nullptr, app_.help(), ExitCode::bad_input};
    // `lockstep help run` is `lockstep run --help`; of an unknown command the parser complains.
    std::vector<const char*> line(words, words + count);
    if (line[1] == std::string_view("help")) {
      line.erase(line.begin() + 1);
      const bool is_known = line.size() == 1 || has_command(line[1]);
      if (is_known) line.push_back("--help");
    }
    try {
      app_.parse(static_cast<int>(line.size()), line.data());
      return {take_call(), {}, ExitCode::as_expected};
    } catch (const CLI::CallForHelp&) {
      return {nullptr, app_.help(), ExitCode::as_expected};
    } catch (const CLI::CallForAllHelp&) {
      return {nullptr, app_.help("", CLI::AppFormatMode::All), ExitCode::as_expected};
    } catch (const CLI::CallForVersion& version) {
      return {nullptr, fmt::format("{}\n", version.what()), ExitCode::as_expected};
    } catch (const CLI::ParseError& error) {
      return {nullptr, explain(error), ExitCode::bad_input};
    }
  }

 private:
  struct Entry {
    CLI::App* parser;  // owned by app_
    std::unique_ptr<CommandCall> call;
    std::string examples;
  };

  void add(const CommandDescription& description) {
    const CommandText& text = description.text;
    CLI::App* const parser = app_.add_subcommand(text.name, text.summary);
    parser->footer(fmt::format("Example:\n  {}\n\n{}", text.examples, text.exit_codes));
    commands_.push_back({parser, description.add_options(*parser), text.examples});
  }

  [[nodiscard]] bool has_command(std::string_view name) const {
    return std::any_of(commands_.begin(), commands_.end(),
                       [&](const Entry& each) { return each.parser->get_name() == name; });
  }

  /// REQUIRES: the command line was parsed, so that one command was given.
  std::unique_ptr<CommandCall> take_call() {
    for (Entry& each : commands_) {
      if (!each.parser->parsed()) continue;
      each.call->complete(*each.parser);
      return std::move(each.call);
    }
    return nullptr;
  }

  [[nodiscard]] std::string explain(const CLI::ParseError& error) const {
    const CLI::App& command = active_command();
    const std::vector<std::string> unknown = app_.remaining(true);
    if (&command == &app_) {
      const std::string_view word = unknown.empty() ? std::string_view() : unknown.front();
      return fmt::format("error: there is no command {}{}\nlockstep --help lists them\n",
                         scenario::in_quotes(word), suggestion(command, word));
    }
    const bool is_incomplete =
        error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
    return fmt::format("error: {}{}{}\nlockstep {} --help says more\n", error.what(),
                       unknown.empty() ? "" : suggestion(command, unknown.front()),
                       is_incomplete ? ", as in: " + first_example(command) : "",
                       command.get_name());
  }

  [[nodiscard]] std::string first_example(const CLI::App& command) const {
    const auto found = std::find_if(commands_.begin(), commands_.end(),
                                    [&](const Entry& each) { return each.parser == &command; });
    if (found == commands_.end()) return "lockstep --help";
    return found->examples.substr(0, found->examples.find('\n'));
  }

  [[nodiscard]] const CLI::App& active_command() const {
    for (const Entry& each : commands_) {
      if (each.parser->parsed()) return *each.parser;
    }
    return app_;
  }

  /// ", did you mean …": the option or command nearest to an unknown word.
  static std::string suggestion(const CLI::App& command, std::string_view word) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) names.push_back(option->get_name());
    for (const CLI::App* each : command.get_subcommands({})) names.push_back(each->get_name());
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    return scenario::did_you_mean(word.substr(0, word.find('=')), candidates);
  }

  CLI::App app_{"Finds out whether a Redis lock really locks", "lockstep"};
  std::vector<Entry> commands_;
};

}  // namespace

CommandLine read_command_line(int count, const char* const* words) {
  return Grammar().read(count, words);
}

}  // namespace lockstep::app
