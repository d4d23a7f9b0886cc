// lockstep export: writes the history of a saved run, for Jepsen's checkers and for lockstep check.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>

#include "app/command.h"
#include "app/context.h"
#include "app/output/output_file.h"
#include "app/output/output_place.h"
#include "reports/formats/edn_history.h"
#include "reports/text.h"
#include "reports/trace/trace_file.h"
#include "reports/trace/trace_history.h"

namespace lockstep::app {
namespace {

struct ExportArguments {
  std::string trace;
  std::string output;  ///< empty: standard output
};

ExitCode run_export(const ExportArguments& arguments, const Context& context) {
  const reports::TraceFile file = reports::read_trace_file(arguments.trace);
  const checker::recorded::History history = reports::history_of(file).history;
  if (arguments.output.empty()) {
    reports::write_edn(context.output, history);
    return ExitCode::as_expected;
  }
  if (!arguments.output.ends_with(".edn")) {
    throw scenario::InputError::about(
        arguments.output, "histories are written as EDN; expected a name that ends in .edn");
  }
  write_file(arguments.output,
             [&history](std::ostream& stream) { reports::write_edn(stream, history); });
  context.output << reports::sanitized(arguments.output) << '\n';
  return ExitCode::as_expected;
}

void add_options(CLI::App& command, ExportArguments& arguments) {
  command.add_option("TRACE", arguments.trace, "A trace, as run wrote it")
      ->required()
      ->type_name("");
  writes_to(
      command.add_option("-o,--output", arguments.output, "The history: a .edn (standard output)")
          ->type_name("FILE"),
      OutputPlace::file);
}

}  // namespace

CommandDescription export_command() {
  return describe_command<ExportArguments>(
      {.name = "export",
       .summary = "Write the history of a saved run as Jepsen stores it",
       .examples = "lockstep export lockstep-out/gc-pause.trace.jsonl -o history.edn"},
      {.add_options = add_options, .run = run_export});
}

}  // namespace lockstep::app
