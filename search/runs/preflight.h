// Before a scenario with real clients is searched: does one seed give the same run twice?
#pragma once

#include <cstdint>

namespace lockstep::model {
class Engine;
class ProgramLauncher;
}  // namespace lockstep::model

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

/// Runs the seed twice and compares every event; does nothing where no client is a program. Throws
/// InputError at the client's command, with the first event that differs and what `programs` knows
/// of the likely sources.
void require_reproducible(const scenario::Scenario& scenario, std::uint64_t seed,
                          model::Engine& engine, const model::ProgramLauncher* programs);

}  // namespace lockstep::search
