// What a scenario's outcome means for a shell.
#pragma once

#include "app/exit_code.h"

namespace lockstep::search {
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::app {

/// One that was interrupted is unknown, unless it is worse already.
[[nodiscard]] ExitCode exit_code_of(const search::ScenarioOutcome& outcome);

}  // namespace lockstep::app
