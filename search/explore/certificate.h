// What an exhaustive search may claim: which properties hold within which bounds, which broke, and
// which are undecided. Never more than that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/property.h"
#include "model/engine/run_listeners.h"
#include "scenario/scenario.h"
#include "search/explore/exploration.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::search {

enum class ExploreEnd : std::uint8_t {
  exhausted,  ///< every path was taken
  found,      ///< enough was found
  interrupted,
  out_of_memory,  ///< the limit that the user set
};

struct PropertyCertificate {
  enum class Status : std::uint8_t {
    holds,      ///< in every run within the bounds
    untested,   ///< it holds too, but no run could have violated it
    violated,   ///< in some run
    undecided,  ///< states do not tell, and runs were cut short where states were known
    unknown,    ///< not violated in what was searched, which is not all
  };
  checker::Property property{};
  Expected expected = Expected::nothing;
  Status status = Status::unknown;
};
[[nodiscard]] std::string_view to_string(PropertyCertificate::Status status);

struct Certificate {
  scenario::Scenario scenario;
  ExploreBounds bounds;
  ExploreEnd end = ExploreEnd::exhausted;
  OutcomeKind outcome = OutcomeKind::unknown;
  std::vector<PropertyCertificate> properties;
  ExploreCounts counts;
  std::uint64_t states = 0;
  model::StateDigest hash;  ///< of the set of states
  std::uint64_t paths_left = 0;
  std::vector<Counterexample> found;
  // The faults that may strike.
  std::uint32_t faults_max = 0;
  std::size_t menu_size = 0;
  std::vector<scenario::FaultKind> kinds;           ///< in the menu
  std::vector<scenario::FaultKind> kinds_left_out;  ///< allowed, and not explored
  sim::DurationNs short_ns = 0;                     ///< how long they last
  sim::DurationNs long_ns = 0;
  /// Symmetric clients: of runs that differ in their names only, one was made.
  std::vector<std::vector<std::string>> symmetric_clients;
  /// What is not as expected, one sentence each.
  std::vector<std::string> complaints;
};

[[nodiscard]] Certificate certify(const scenario::Scenario& scenario,
                                  const Exploration& exploration, const PathRunner& runner,
                                  ExploreEnd end);

}  // namespace lockstep::search
