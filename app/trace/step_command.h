// lockstep step: goes through a run event by event, forward and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

enum class CharacterSet : std::uint8_t { utf8, ascii };

struct StepArguments {
  std::string target;  ///< a trace, or a scenario
  std::uint64_t seed = 1;
  std::optional<std::string> commands;  ///< in place of standard input
  CharacterSet letters = CharacterSet::utf8;
};

/// As expected where every command was understood; bad input where one was not, or the target is
/// wrong; not as expected where the trace's run is another by now.
[[nodiscard]] ExitCode step(const StepArguments& arguments, const Context& context);

}  // namespace lockstep::app
