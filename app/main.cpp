// The command line: reads it, runs the command, and turns whatever goes wrong into a message and an
// exit code. No exception leaves it.
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "app/ascii_output.h"
#include "app/command_line.h"
#include "app/context.h"
#include "app/interruption.h"

namespace lockstep::app {
namespace {

ExitCode execute(const Command& command, const Context& context) {
  struct Dispatch {
    const Context& context;
    ExitCode operator()(const RunArguments& arguments) const { return run(arguments, context); }
    ExitCode operator()(const FuzzArguments& arguments) const { return fuzz(arguments, context); }
    ExitCode operator()(const CorpusArguments& arguments) const {
      return corpus(arguments, context);
    }
    ExitCode operator()(const MergeArguments& arguments) const { return merge(arguments, context); }
    ExitCode operator()(const ShrinkArguments& arguments) const {
      return shrink(arguments, context);
    }
    ExitCode operator()(const KeepArguments& arguments) const { return keep(arguments, context); }
    ExitCode operator()(const ReplayArguments& arguments) const {
      return replay(arguments, context);
    }
    ExitCode operator()(const ConfirmArguments& arguments) const {
      return confirm(arguments, context);
    }
    ExitCode operator()(const TimelineArguments& arguments) const {
      return timeline(arguments, context);
    }
    ExitCode operator()(const StepArguments& arguments) const { return step(arguments, context); }
    ExitCode operator()(const ExportArguments& arguments) const {
      return export_history(arguments, context);
    }
    ExitCode operator()(const ListArguments& arguments) const { return list(arguments, context); }
    ExitCode operator()(const ServeArguments& arguments) const { return serve(arguments, context); }
    ExitCode operator()(const CheckArguments& arguments) const { return check(arguments, context); }
    ExitCode operator()(const LintArguments& arguments) const { return lint(arguments, context); }
    ExitCode operator()(const NewArguments& arguments) const {
      return create_lock(arguments, context);
    }
    ExitCode operator()(const NewScenarioArguments& arguments) const {
      return create_scenario(arguments, context);
    }
    ExitCode operator()(const SchemaArguments& arguments) const {
      return print_schema(arguments, context);
    }
    ExitCode operator()(const ExploreArguments& arguments) const {
      return explore(arguments, context);
    }
    ExitCode operator()(const ExtractArguments& arguments) const {
      return extract(arguments, context);
    }
  };
  return std::visit(Dispatch{context}, command);
}

/// JSON is read by programs, and is UTF-8 on every terminal.
bool tells_in_json(const Command& command) {
  return std::visit(
      [](const auto& arguments) {
        if constexpr (requires { arguments.format; }) {
          return arguments.format == OutputFormat::json;
        } else if constexpr (requires { arguments.output.format; }) {
          return arguments.output.format == OutputFormat::json;
        } else {
          return std::is_same_v<decltype(arguments), const SchemaArguments&>;
        }
      },
      command);
}

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
  const Context context = make_context(count > 0 ? words[0] : nullptr);
  try {
    catch_interruption();
    const CommandLine line = read_command_line(count, words);
    if (wants_ascii() && !(line.command && tells_in_json(*line.command))) ascii.emplace(std::cout);
    const ExitCode code = line.command ? execute(*line.command, context) : answer(line, context);
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
