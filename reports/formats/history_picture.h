// A picture of why a recorded history isn't linearizable: the few operations that matter.
//
// A lane for each owner; time runs to the right, an operation is a bar from its invocation to its
// completion. Only the order of these events counts, so the picture keeps the order and not the
// distances. Who has an unknown outcome is open to the right. The operations that the longest
// partial linearization places are numbered in its order; the stuck one and the others that could
// not be placed are marked.
//
// Drawn are the explanation's core, or the last operations that its proof counts; else the stuck
// operation, what could not be placed and the last that were.
#pragma once

#include "reports/drawing/picture.h"
#include "reports/formats/history_report.h"

namespace lockstep::reports {

/// REQUIRES: worst_key_decision(checked.decision).
[[nodiscard]] Picture draw(const CheckedHistory& checked);

}  // namespace lockstep::reports
