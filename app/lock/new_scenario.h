// lockstep new scenario: a story of a lock that runs as expected at once, to be changed.
#pragma once

#include <cstdint>
#include <string>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

enum class NewTopology : std::uint8_t {
  standalone,   ///< one master
  replicated,   ///< one master, one replica
  independent,  ///< five masters
  sentinel,     ///< one master, two replicas, three sentinels
  cluster,      ///< three masters, one replica each
};

struct NewScenarioArguments {
  std::string name;  ///< of the file, without .toml
  std::string lock = "plain";
  NewTopology topology = NewTopology::standalone;
};

/// Writes NAME.toml into the current folder. Throws model::InputError where the name can't be one,
/// is taken, or there is no such lock.
[[nodiscard]] ExitCode create_scenario(const NewScenarioArguments& arguments,
                                       const Context& context);

/// A scenario of the lock that leaves its faults open, for a search: what the lock promises holds,
/// whatever happens but that somebody else takes its key away. Throws model::InputError where there
/// is no such lock.
[[nodiscard]] std::string open_scenario_of(const std::string& lock, const Context& context);

}  // namespace lockstep::app
