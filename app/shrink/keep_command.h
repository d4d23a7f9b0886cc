// lockstep keep: takes small scenarios of findings into a folder of regressions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

/// What a kept scenario is to expect.
enum class KeptAs : std::uint8_t {
  as_is,  ///< what its file says
  fixed,  ///< that what it violates holds: the lock was mended
};

struct KeepArguments {
  std::vector<std::string> scenarios;
  std::string folder = "scenarios/regressions";
  std::uint64_t seeds = 50;
  KeptAs kept_as = KeptAs::as_is;
};

/// As expected: all of them are in the folder now. Not as expected: one is not as it expects, or
/// the folder has one of the same lock that breaks, or keeps, the same because of the same kinds of
/// fault. Nothing that is there is written over.
[[nodiscard]] ExitCode keep(const KeepArguments& arguments, const Context& context);

}  // namespace lockstep::app
