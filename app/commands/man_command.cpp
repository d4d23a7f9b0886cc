// lockstep man: prints a man page of the program or of one of its commands.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/manual/man_page.h"

namespace lockstep::app {
namespace {

struct ManArguments {
  std::string command;  ///< empty: the program's own page
};

std::vector<CommandPage>::const_iterator page_of(const std::string& command,
                                                 const std::vector<CommandPage>& pages) {
  return std::find_if(pages.begin(), pages.end(),
                      [&](const CommandPage& each) { return each.text.name == command; });
}

void require_known_command(const CLI::App& /*command*/, ManArguments& arguments) {
  const std::vector<CommandPage> pages = command_pages();
  if (arguments.command.empty() || page_of(arguments.command, pages) != pages.end()) return;
  std::vector<std::string_view> names;
  for (const CommandPage& each : pages) names.emplace_back(each.text.name);
  refuse_word("COMMAND", arguments.command, "a command", names);
}

ExitCode run_man(const ManArguments& arguments, const Context& context) {
  const std::vector<CommandPage> pages = command_pages();
  if (arguments.command.empty()) {
    context.output << program_man_page(pages);
    return ExitCode::as_expected;
  }
  context.output << command_man_page(*page_of(arguments.command, pages));
  return ExitCode::as_expected;
}

void add_options(CLI::App& command, ManArguments& arguments) {
  command
      .add_option("COMMAND", arguments.command, "A command; without one, the program's own page")
      ->type_name("");
}

}  // namespace

CommandDescription man_command() {
  return describe_command<ManArguments>(
      {.name = "man",
       .summary = "Print the man page of the program or of one of its commands",
       .examples = "lockstep man run | man -l -"},
      {.add_options = add_options, .complete = require_known_command, .run = run_man});
}

}  // namespace lockstep::app
