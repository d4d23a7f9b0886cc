// Where the program runs: how it is called, its streams, and the folders of locks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "reports/formats/console.h"
#include "scenario/text/input_error.h"

namespace lockstep::model {
class ProgramLauncher;
}  // namespace lockstep::model

namespace lockstep::app {

/// How progress is shown on standard error.
enum class ProgressDisplay : std::uint8_t {
  hidden,
  lines,  ///< a line now and then, for a log
  shown,  ///< one line, redrawn in place, for a terminal
};

/// Does not own the streams.
struct Context {
  std::string program;  ///< the shell word that calls lockstep from here
  std::ostream& output;
  std::ostream& errors;
  reports::Style style = reports::Style::plain;  ///< of the output
  ProgressDisplay progress = ProgressDisplay::hidden;
  std::vector<std::filesystem::path> script_folders;
  /// Width of the terminal that the output goes to; 0 if it goes to none.
  std::size_t columns = 0;
  model::ProgramLauncher* programs = nullptr;  ///< starts clients that are real programs
};

/// Makes the context of this process. Colours need a terminal on standard output, no NO_COLOR, and
/// a TERM other than "dumb". LOCKSTEP_COMMAND, if set, is how users call the program.
[[nodiscard]] Context make_context(const char* program);

/// Whether standard output is a terminal that shows ASCII only, going by LC_ALL, LC_CTYPE or LANG.
[[nodiscard]] bool wants_ascii();

/// Prints "file:line:column: error: …" on the error stream, and below it the line that it is about.
void print_error(const Context& context, const scenario::InputError& error);
/// Prints "error: …" as one line on the error stream.
void print_error(const Context& context, std::string_view message);

/// Quotes the word for a shell, if it has characters that a shell interprets.
[[nodiscard]] std::string shell_quoted(std::string_view word);

}  // namespace lockstep::app
