// lockstep replay: runs saved traces again and compares event by event.
#pragma once

#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

struct ReplayArguments {
  std::vector<std::string> traces;
  OutputFormat format = OutputFormat::text;
};

/// As expected: every replay gave the same events and hash.
[[nodiscard]] ExitCode replay(const ReplayArguments& arguments, const Context& context);

}  // namespace lockstep::app
