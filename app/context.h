// What every command needs to know of where it runs: its name, its streams, where the locks are.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "reports/formats/console.h"
#include "scenario/text/input_error.h"

namespace lockstep::app {

enum class OutputFormat : std::uint8_t { text, json };

/// Whether standard error is a terminal on which a line may be drawn again and again.
enum class ProgressDisplay : std::uint8_t {
  hidden,
  lines,  ///< one now and then: for a log
  shown,  ///< one that is drawn over and over: for a terminal
};

/// Does not own the streams.
struct Context {
  std::string program;  ///< how to call lockstep again from here, for a shell
  std::ostream& output;
  std::ostream& errors;
  reports::Style style = reports::Style::plain;  ///< of the output
  ProgressDisplay progress = ProgressDisplay::hidden;
  std::vector<std::filesystem::path> script_folders;
  /// How wide the terminal is that the output goes to; 0: it goes to none.
  std::size_t columns = 0;
};

/// The context of this process: colours only where standard output is a terminal, NO_COLOR is not
/// set and TERM is not "dumb". The environment's LOCKSTEP_COMMAND, where set, is what users call.
[[nodiscard]] Context make_context(const char* program);

/// Whether standard output is a terminal that shows ASCII only, by what LC_ALL, LC_CTYPE or LANG
/// says.
[[nodiscard]] bool wants_ascii();

/// "file:line:column: error: …" on one line of the error stream.
void print_error(const Context& context, const scenario::InputError& error);
/// "error: …" on one line of the error stream.
void print_error(const Context& context, std::string_view message);

/// The word as a shell reads it: in single quotes where it has more than harmless characters.
[[nodiscard]] std::string shell_quoted(std::string_view word);

}  // namespace lockstep::app
