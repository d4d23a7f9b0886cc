// Drawing what a scenario leaves open of a thread's steps: durations, or the steps themselves.
//
// All is drawn as a thread begins its steps, from the thread's own stream, so that another thread's
// progress shifts nothing.
#pragma once

#include <vector>

#include "scenario/workload_spec.h"
#include "sim/choice_source.h"

namespace lockstep::model {

/// As exactly as the ends are given: in whole milliseconds where both are.
[[nodiscard]] sim::DurationNs draw_duration(sim::ChoiceSource& choices, sim::Stream stream,
                                            scenario::DurationRange range,
                                            scenario::Spread spread = scenario::Spread::even);

/// The thread's steps with nothing left open, in place of what `steps` has.
void draw_steps(const scenario::ThreadSpec& thread, sim::ChoiceSource& choices, sim::Stream stream,
                std::vector<scenario::Step>& steps);

}  // namespace lockstep::model
