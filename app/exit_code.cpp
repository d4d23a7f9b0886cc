#include "app/exit_code.h"

#include "search/runs/scenario_outcome.h"

namespace lockstep::app {

ExitCode exit_code_of(const search::ScenarioOutcome& outcome) {
  const ExitCode interrupted = outcome.interrupted ? ExitCode::unknown : ExitCode::as_expected;
  switch (outcome.kind) {
    case search::OutcomeKind::as_expected:
      return interrupted;
    case search::OutcomeKind::not_as_expected:
      return ExitCode::not_as_expected;
    case search::OutcomeKind::unknown:
      return ExitCode::unknown;
  }
  return ExitCode::unknown;
}

}  // namespace lockstep::app
