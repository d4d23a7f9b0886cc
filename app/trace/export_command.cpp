#include "app/trace/export_command.h"

#include <fmt/format.h>

#include <ostream>

#include "app/output_file.h"
#include "reports/formats/edn_history.h"
#include "reports/text.h"
#include "reports/trace/trace_file.h"
#include "reports/trace/trace_history.h"

namespace lockstep::app {

ExitCode export_history(const ExportArguments& arguments, const Context& context) {
  const reports::TraceFile file = reports::read_trace_file(arguments.trace);
  const checker::recorded::History history = reports::history_of(file).history;
  if (arguments.output.empty()) {
    reports::write_edn(context.output, history);
    return ExitCode::as_expected;
  }
  if (!arguments.output.ends_with(".edn")) {
    throw scenario::InputError({arguments.output, 0, 0},
                               "histories are written as EDN; expected a name that ends in .edn");
  }
  write_file(arguments.output,
             [&history](std::ostream& stream) { reports::write_edn(stream, history); });
  context.output << reports::sanitized(arguments.output) << '\n';
  return ExitCode::as_expected;
}

}  // namespace lockstep::app
