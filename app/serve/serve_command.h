// lockstep serve: the simulated Redis on real sockets, for clients that know nothing of Lockstep.
#pragma once

#include "app/context.h"
#include "app/exit_code.h"
#include "serve/service.h"

namespace lockstep::app {

struct ServeArguments {
  serve::ServiceOptions options;
};

/// Serves until SIGTERM or SIGINT.
[[nodiscard]] ExitCode serve(const ServeArguments& arguments, const Context& context);

}  // namespace lockstep::app
