// The options of `lockstep timeline`.
#pragma once

#include "app/trace/timeline_command.h"

namespace CLI {
class App;
}

namespace lockstep::app {

/// REQUIRES: the arguments outlive the command.
void add_timeline_options(CLI::App& command, TimelineArguments& arguments);

}  // namespace lockstep::app
