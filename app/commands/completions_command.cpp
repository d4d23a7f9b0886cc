// lockstep completions: prints a shell's completion script.
#include <CLI/CLI.hpp>
#include <array>
#include <ostream>
#include <string>

#include "app/command.h"
#include "app/context.h"
#include "app/manual/completions.h"

namespace lockstep::app {
namespace {

struct CompletionsArguments {
  Shell shell = Shell::bash;
};

ExitCode run_completions(const CompletionsArguments& arguments, const Context& context) {
  context.output << completions(arguments.shell, command_pages());
  return ExitCode::as_expected;
}

void add_options(CLI::App& command, CompletionsArguments& arguments) {
  add_word(
      command, "SHELL", "",
      [&arguments](const std::string& word) {
        constexpr std::array<std::string_view, 3> shells = {"bash", "zsh", "fish"};
        arguments.shell = static_cast<Shell>(read_choice("SHELL", word, shells));
      },
      "bash, zsh or fish")
      ->required();
}

}  // namespace

CommandDescription completions_command() {
  return describe_command<CompletionsArguments>(
      {.name = "completions",
       .summary = "Print a completion script for bash, zsh or fish",
       .examples = "source <(lockstep completions bash)"},
      {.add_options = add_options, .run = run_completions});
}

}  // namespace lockstep::app
