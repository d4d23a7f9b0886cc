// lockstep list: what there is to run and to write in a scenario.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

enum class Listing : std::uint8_t { locks, scenarios, faults, properties, models, commands };

struct ListArguments {
  std::vector<Listing> listings;  ///< in this order
  OutputFormat format = OutputFormat::text;
};

/// A scenario that can't be read is listed with its error, and makes it bad input.
[[nodiscard]] ExitCode list(const ListArguments& arguments, const Context& context);

}  // namespace lockstep::app
