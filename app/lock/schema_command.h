// lockstep schema: the JSON Schema of scenario files.
#pragma once

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

struct SchemaArguments {};

[[nodiscard]] ExitCode print_schema(const SchemaArguments& arguments, const Context& context);

}  // namespace lockstep::app
