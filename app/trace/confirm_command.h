// lockstep confirm: does what saved traces say on real Redis servers, and compares every reply.
#pragma once

#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

struct ConfirmArguments {
  std::vector<std::string> traces;
  OutputFormat format = OutputFormat::text;
};

/// As expected: the real servers said the same as the simulated ones, in every trace.
[[nodiscard]] ExitCode confirm(const ConfirmArguments& arguments, const Context& context);

}  // namespace lockstep::app
