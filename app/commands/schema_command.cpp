// lockstep schema: prints the JSON Schema of scenario files.
#include <ostream>

#include "app/command.h"
#include "app/context.h"
#include "reports/formats/scenario_schema.h"

namespace lockstep::app {
namespace {

struct SchemaArguments {};

ExitCode run_schema(const SchemaArguments&, const Context& context) {
  context.output << reports::scenario_schema();
  return ExitCode::as_expected;
}

}  // namespace

CommandDescription schema_command() {
  return describe_command<SchemaArguments>(
      {.name = "schema",
       .summary = "Print the JSON Schema of scenario files, for editors",
       .examples = "lockstep schema > scenario.schema.json"},
      {.format = [](const SchemaArguments&) { return OutputFormat::json; }, .run = run_schema});
}

}  // namespace lockstep::app
