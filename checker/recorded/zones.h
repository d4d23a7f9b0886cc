// Is the history of a register linearizable whose written values are all different? Without a
// search, in O(n log n): by zones, after Gibbons & Korach ("Testing Shared Memories", 1997).
//
// Covered: reads and writes, unknown outcomes too, each value written once at most and never the
// initial one. Not covered: compare-and-set and append; there the answer is `cannot_say`.
//
// The argument. A value's *cluster* is its write and the reads that saw it. (The initial value's
// write came before everything. An unknown write that nobody saw is left out: whatever order uses
// it is one without it, as its value is replaced unseen. One that was seen did happen, and never
// returned. Unknown reads say nothing.) In a linearization a cluster stands together: its write,
// its reads, and then another write. Let f be the first return in the cluster and s the last
// invocation. If f < s the register has the value all the way from f to s: a *forward zone* [f, s].
// Otherwise all of the cluster is under way from s to f: a *backward zone*, and any moment of it
// will do for the whole cluster. So these are necessary:
//   1. no read returns before its write is invoked, and what is read was written;
//   2. no two forward zones overlap: there the register would have two values;
//   3. no backward zone lies within a forward one: the cluster would have to be elsewhere.
// And sufficient: give a forward cluster its zone's end for a place, a backward one its zone's
// begin, or, if that lies within a forward zone, the end of that zone (by 3 the backward zone
// reaches so far). Order the clusters by place, a forward one before the backward ones that share
// its place; in each the write first, then the reads by invocation. If X precedes Y in the history,
// in different clusters, X's cluster has an f, and Y's an s, with f(X) < s(Y): then the place of
// X's is less than that of Y's, case by case, because forward zones are disjoint. ∎
//
// The shortest prefix without a linearization is found by halving: what has no order keeps having
// none as it grows. A prefix counts what completes later as unknown.
#pragma once

#include <cstdint>
#include <span>

#include "checker/recorded/fast_path.h"
#include "checker/recorded/history.h"
#include "checker/recorded/model.h"

namespace lockstep::checker::recorded {

/// `operations`: those of one key, indices into the history's, in order of invocation.
[[nodiscard]] FastResult decide_by_zones(const History& history,
                                         std::span<const std::uint32_t> operations,
                                         const Settings& settings);

}  // namespace lockstep::checker::recorded
