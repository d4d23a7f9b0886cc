// When a try that waits is due. Not by how much it may be late: see slack_of_tries_ns.
#pragma once

#include "checker/history.h"

namespace lockstep::checker {

/// After how much time a try is due that was to wait for so long.
[[nodiscard]] constexpr TimeNs due_after_ns(TimeNs limit_ns) {
  constexpr TimeNs part = 10;
  return limit_ns + limit_ns / part;
}

}  // namespace lockstep::checker
