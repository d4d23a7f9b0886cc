// The texts of new scenarios of a lock, which run as expected at once and are to be changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::app {

struct Context;

enum class NewTopology : std::uint8_t {
  standalone,   ///< one master
  replicated,   ///< one master, one replica
  independent,  ///< five masters
  sentinel,     ///< one master, two replicas, three sentinels
  cluster,      ///< three masters, one replica each
};

struct NewScenario {
  std::string name;  ///< of the file, without .toml
  std::string lock = "plain";
  std::optional<NewTopology> topology;  ///< none: independent masters for votes, else one
};

/// A scenario in which nothing goes wrong, with proposals for faults as comments. Throws
/// scenario::InputError if there is no such lock, or it doesn't fit the topology.
[[nodiscard]] std::string new_scenario_text(const NewScenario& wanted, const Context& context);

}  // namespace lockstep::app
