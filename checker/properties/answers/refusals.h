// What contradicts an acquire or an await that says no: the lock was to be had, or there was time
// left.
//
// Who serves in an order, or by vote, may refuse a lock that is free; then only what nobody else
// can have caused is judged, in runs without faults.
#pragma once

#include <optional>
#include <string>

#include "checker/check.h"
#include "checker/observations.h"
#include "checker/properties/answers/what_was_true.h"

namespace lockstep::checker {

/// What was true instead of what an acquire's "no" says; none: it may have been refused.
/// `available` and `holds` are what there was to be had in its mode, and its owner's holds of that
/// mode, during the call. Looks through the whole run.
[[nodiscard]] std::optional<std::string> to_refusal(const Run& run, const Answer& answer,
                                                    const Course& available, const Course& holds);

/// Whoever gives up before half of its time does not know that there was nothing to be had in it;
/// whoever does so long after it has kept its caller waiting.
/// Faults excuse it in the whole run: a failover or slowness may hold up calls long after it
/// struck.
[[nodiscard]] std::optional<std::string> to_untimely_refusal(const Run& run, const Answer& answer);

}  // namespace lockstep::checker
