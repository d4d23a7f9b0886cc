#include "app/trace/step_options.h"

#include <string>

#include "app/option_words.h"

namespace lockstep::app {

void add_step_options(CLI::App& command, StepArguments& arguments) {
  command.add_option("TARGET", arguments.target, "A trace, as run wrote it, or a scenario")
      ->required()
      ->type_name("");
  command
      .add_option_function<std::string>(
          "--seed",
          [&arguments](const std::string& word) {
            arguments.seed = read_whole_number("--seed", word);
          },
          "The scenario's run of this seed (1)")
      ->type_name("N");
  command
      .add_option("--commands", arguments.commands,
                  "What to do, with semicolons between; without it, lines of standard input")
      ->type_name("TEXT");
  command.add_flag_callback(
      "--ascii", [&arguments] { arguments.letters = CharacterSet::ascii; },
      "Write no characters beyond ASCII");
}

}  // namespace lockstep::app
