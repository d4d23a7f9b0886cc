// lockstep lint: what a review of a lock's scripts and of its client model would say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

enum class LintMode : std::uint8_t { lint_files, list_rules };

struct LintArguments {
  std::vector<std::string> paths;  ///< scripts, client models, folders of locks, names of locks
  LintMode work = LintMode::lint_files;
  OutputFormat format = OutputFormat::text;
};

/// Not as expected where there is a finding. What can't be read is complained of, and the rest is
/// looked at.
[[nodiscard]] ExitCode lint(const LintArguments& arguments, const Context& context);

}  // namespace lockstep::app
