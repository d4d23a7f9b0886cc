// A property test of a lock in a program of your own, with RapidCheck.
//
//   lock_holds SCRIPTS SCENARIO
//
// SCRIPTS is Lockstep's folder scripts/, SCENARIO a scenario that leaves something open. Ends with
// 0 where nothing broke that it expects to hold.
#include <cstdio>
#include <exception>

#include "scenario/file/scenario_file.h"
#include "search/rapidcheck.h"

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("lock_holds SCRIPTS SCENARIO\n", stderr);
    return 2;
  }
  try {
    lockstep::search::PropertyRuns runs(lockstep::scenario::load_scenario(words[2]), {words[1]});
    const bool holds = rc::check("the lock holds, whatever happens", [&runs] {
      const lockstep::search::PropertyRun run = *lockstep::search::any_run(runs);
      RC_ASSERT(!run.has_failed);
    });
    return holds ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
