// A command of the program as data: its name, its help, its options, and what it does.
//
// Each command has a file of its own, app/commands/NAME_command.cpp, which ends in a function that
// returns its description; app/commands/all_commands.cpp lists them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "app/exit_code.h"
#include "app/options.h"

namespace lockstep::app {

struct Context;

inline constexpr const char* usual_exit_codes =
    "Exit codes: 0 as expected, 1 not as expected, 2 bad input or usage, 3 unknown.";

/// What --help shows of a command besides its options.
struct CommandText {
  std::string name;
  std::string summary;
  std::string examples;  ///< command lines; from the second on indented by two spaces
  std::string exit_codes = usual_exit_codes;
};

/// One call of a command, whose arguments the parser has filled in.
class CommandCall {
 public:
  CommandCall() = default;
  CommandCall(const CommandCall&) = delete;
  CommandCall& operator=(const CommandCall&) = delete;
  virtual ~CommandCall() = default;

  /// Completes the arguments; call it once, after parsing and before the others. Throws
  /// CLI::ValidationError if they don't fit together.
  virtual void complete(const CLI::App& command) = 0;
  [[nodiscard]] virtual OutputFormat format() const = 0;
  /// Throws scenario::InputError.
  [[nodiscard]] virtual ExitCode run(const Context& context) const = 0;
};

/// What a command does with its arguments.
template <typename Arguments>
struct CommandFunctions {
  /// Adds the options, which write to the arguments while parsing. nullptr: there are none.
  void (*add_options)(CLI::App& command, Arguments& arguments) = nullptr;
  /// See CommandCall::complete. nullptr: there is nothing to do.
  void (*complete)(const CLI::App& command, Arguments& arguments) = nullptr;
  /// nullptr: text.
  OutputFormat (*format)(const Arguments& arguments) = nullptr;
  ExitCode (*run)(const Arguments& arguments, const Context& context) = nullptr;
};

struct CommandDescription {
  CommandText text;
  /// Adds the options to the parser's command. The call must outlive the parsing.
  std::function<std::unique_ptr<CommandCall>(CLI::App& command)> add_options;
};

template <typename Arguments>
class TypedCommandCall final : public CommandCall {
 public:
  TypedCommandCall(const CommandFunctions<Arguments>& functions, CLI::App& command)
      : functions_(functions) {
    if (functions_.add_options != nullptr) functions_.add_options(command, arguments_);
  }

  void complete(const CLI::App& command) override {
    if (functions_.complete != nullptr) functions_.complete(command, arguments_);
  }
  [[nodiscard]] OutputFormat format() const override {
    return functions_.format == nullptr ? OutputFormat::text : functions_.format(arguments_);
  }
  [[nodiscard]] ExitCode run(const Context& context) const override {
    return functions_.run(arguments_, context);
  }

 private:
  CommandFunctions<Arguments> functions_;
  Arguments arguments_;
};

template <typename Arguments>
[[nodiscard]] CommandDescription describe_command(CommandText text,
                                                  CommandFunctions<Arguments> functions) {
  return {std::move(text), [functions](CLI::App& command) {
            return std::make_unique<TypedCommandCall<Arguments>>(functions, command);
          }};
}

}  // namespace lockstep::app
