// The program's exit codes, for shells and CI.
#pragma once

#include <array>
#include <cstdint>

namespace lockstep::search {
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::app {

enum class ExitCode : std::uint8_t {
  as_expected = 0,
  not_as_expected = 1,  ///< a violation, or an expected one that did not appear
  bad_input = 2,        ///< of files or of the command line
  unknown = 3,          ///< a limit was hit, or the command was interrupted
};

/// The worse of two, in the order bad input, not as expected, unknown, as expected.
[[nodiscard]] constexpr ExitCode worse(ExitCode one, ExitCode other) {
  constexpr std::array order = {ExitCode::bad_input, ExitCode::not_as_expected, ExitCode::unknown};
  for (const ExitCode code : order) {
    if (one == code || other == code) return code;
  }
  return ExitCode::as_expected;
}

/// What a scenario's outcome means for a shell. One that was interrupted is unknown, unless it is
/// worse already.
[[nodiscard]] ExitCode exit_code_of(const search::ScenarioOutcome& outcome);

}  // namespace lockstep::app
