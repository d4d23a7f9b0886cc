// A history as Jepsen stores it: EDN, a map for each event, in their order.
//
// `lockstep check` reads it back as the same history (docs/check.md has the fields); Knossos and
// Elle read it too, and pass over the fields that they don't know.
#pragma once

#include <ostream>

#include "checker/recorded/history.h"

namespace lockstep::reports {

/// Check the stream afterwards: a full disk shows there.
void write_edn(std::ostream& out, const checker::recorded::History& history);

}  // namespace lockstep::reports
