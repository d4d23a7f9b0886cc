// lockstep shrink: makes a failing scenario, or the run of a trace, as small as it can be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"
#include "checker/verdict.h"

namespace lockstep::app {

struct ShrinkArguments {
  std::vector<std::string> targets;           ///< scenario files and traces
  std::optional<checker::Property> property;  ///< none: the first that breaks
  /// Of a scenario: how many runs to look for one that breaks it, and what they begin with.
  std::uint64_t runs = 1'000;
  std::uint64_t seed = 1;
  std::string output_folder = "lockstep-out";
  OutputFormat format = OutputFormat::text;
};

/// As expected: something broke in every target, and was made small. Not as expected: nothing did,
/// or a trace's run is another today.
[[nodiscard]] ExitCode shrink(const ShrinkArguments& arguments, const Context& context);

}  // namespace lockstep::app
