// The program: reads the command line, runs the command, and turns errors into a message and an
// exit code. Lets no exception out.
#include <exception>
#include <iostream>
#include <optional>
#include <string>

#include "app/ascii_output.h"
#include "app/command_line.h"
#include "app/context.h"
#include "app/interruption.h"
#include "live/launcher.h"

namespace lockstep::app {
namespace {

ExitCode answer(const CommandLine& line, const Context& context) {
  (line.exit_code == ExitCode::as_expected ? context.output : context.errors) << line.text;
  return line.exit_code;
}

/// A full disk or a closed pipe shows only when the output is flushed.
ExitCode flush_output(const Context& context, ExitCode code) {
  if (context.output.flush()) return code;
  print_error(context, "cannot write to standard output");
  return worse(code, ExitCode::bad_input);
}

ExitCode run_main(int count, const char* const* words) {
  std::optional<AsciiOutput> ascii;
  live::Launcher launcher;
  Context context = make_context(count > 0 ? words[0] : nullptr);
  context.programs = &launcher;
  try {
    catch_interruption();
    const CommandLine line = read_command_line(count, words);
    // JSON is read by programs, and is UTF-8 on every terminal.
    const bool is_json = line.call && line.call->format() == OutputFormat::json;
    if (wants_ascii() && !is_json) ascii.emplace(std::cout);
    const ExitCode code = line.call ? line.call->run(context) : answer(line, context);
    return flush_output(context, code);
  } catch (const scenario::InputError& error) {
    print_error(context, error);
    return ExitCode::bad_input;
  } catch (const std::bad_alloc&) {
    print_error(context, "out of memory");
    return ExitCode::unknown;
  } catch (const std::exception& error) {
    print_error(context, std::string("Lockstep itself failed: ") + error.what());
    return ExitCode::unknown;
  }
}

}  // namespace
}  // namespace lockstep::app

int main(int count, char** words) {
  return static_cast<int>(lockstep::app::run_main(count, words));
}
