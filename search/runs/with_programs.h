// Scenarios with real programs: one of client models played by a program, with the same cluster,
// steps and faults; and whether a seed gives the same run twice.
#pragma once

#include <cstdint>
#include <string_view>

#include "scenario/program_spec.h"

namespace lockstep::model {
class Engine;
class ProgramLauncher;
}  // namespace lockstep::model

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct RunRecord;

/// The environment variable in which a program finds the steps that it is to do, one a line:
/// "try_lock wait=2s lease=10s".
inline constexpr std::string_view steps_variable = "LOCKSTEP_STEPS";
/// The one with the lock's name.
inline constexpr std::string_view lock_variable = "LOCKSTEP_LOCK";
/// The one with the masters' addresses, parted by blanks: "localhost:6379 localhost:6380".
inline constexpr std::string_view masters_variable = "LOCKSTEP_MASTERS";

/// The scenario with each client played by a process of `program`, which is told the client's steps
/// by its environment. It expects nothing of what is not judged of programs. Throws InputError
/// where a client has several threads, or steps that are drawn, which no program is told.
[[nodiscard]] scenario::Scenario with_programs(scenario::Scenario scenario,
                                               const scenario::ProgramSpec& program);

/// Runs the seed twice and compares every event; does nothing where no client is a program. Throws
/// InputError as blame_programs() does, with what `programs` knows of the likely sources.
void require_reproducible(const scenario::Scenario& scenario, std::uint64_t seed,
                          model::Engine& engine, const model::ProgramLauncher* programs);

/// Of two runs of one seed that differ. Where a client is a program, throws InputError at its
/// command: with what a program was stuck in, else with the first event that differs and `hint`.
/// Programs may do what nobody has foreseen, client models may not.
void blame_programs(const scenario::Scenario& scenario, const RunRecord& first,
                    const RunRecord& second, std::string_view hint = {});

}  // namespace lockstep::search
