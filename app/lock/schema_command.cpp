#include "app/lock/schema_command.h"

#include <ostream>

#include "reports/formats/scenario_schema.h"

namespace lockstep::app {

ExitCode print_schema(const SchemaArguments&, const Context& context) {
  context.output << reports::scenario_schema();
  return ExitCode::as_expected;
}

}  // namespace lockstep::app
