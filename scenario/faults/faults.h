// The [[fault]] tables of a scenario file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenario/faults/fault_spec.h"
#include "scenario/participants.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

struct Scenario;
struct Sometimes;

/// Reads the faults into a scenario that is whole but for them. Throws InputError: keys and values
/// that are wrong, names of nobody, faults that can't strike.
void read_faults(const std::vector<TableReader>& tables, const Participants& participants,
                 Scenario& scenario);

/// Throws InputError where the fault with this index waits for what can't happen in the scenario: a
/// restart of what never ends, a moment that never comes.
void require_possible(const Scenario& scenario, std::size_t fault, const LocatedText& when);

/// Of require_moment's `but`.
inline constexpr std::size_t no_fault = SIZE_MAX;
/// Throws InputError where the moment never comes, whatever is drawn: no step brings it about, and
/// no fault but the one with this index, which waits for it. What scripts are called is not known
/// here.
void require_moment(const Scenario& scenario, std::size_t but, const Trigger::When& moment,
                    const LocatedText& text);

/// Throws InputError where who is to believe in a lock never takes it.
void require_believer(const Scenario& scenario, const Sometimes& sometimes,
                      const LocatedText& name);

}  // namespace lockstep::scenario
