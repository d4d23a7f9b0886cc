// RapidCheck draws the runs of a scenario, and shrinks them: include it in a test of your own that
// links RapidCheck. Nothing of Lockstep includes it.
//
//   lockstep::search::PropertyRuns runs(lockstep::model::load_scenario("t.toml"), {scripts});
//   rc::check("the lock holds", [&] {
//     const auto run = *lockstep::search::any_run(runs);
//     RC_ASSERT(!run.has_failed);
//   });
#pragma once

#include <rapidcheck.h>

#include "search/property_runs.h"

namespace lockstep::search {

/// Any run of the scenario; `runs` outlives the generator. The size that RapidCheck asks for means
/// nothing to it. It shrinks towards fewer and shorter faults and faster messages, and what is
/// printed in the end is also a scenario.
[[nodiscard]] inline rc::Gen<PropertyRun> any_run(PropertyRuns& runs) {
  const auto shrinks = [&runs](const PropertyRun& run) {
    return rc::seq::map(
        rc::seq::fromContainer(PropertyRuns::smaller(run.tracks)),
        [&runs](const std::vector<ChoiceTrack>& tracks) { return runs.run(tracks); });
  };
  return rc::Gen<PropertyRun>([&runs, shrinks](const rc::Random& random, int /*size*/) {
    return rc::shrinkable::shrinkRecur(runs.draw(rc::Random(random).next()), shrinks);
  });
}

}  // namespace lockstep::search
