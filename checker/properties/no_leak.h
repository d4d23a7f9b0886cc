// no-leak: nothing is left behind, and no lease ever lacks its TTL.
//
// Every residue is a violation. A run that didn't come to rest may yet have tidied up: without a
// residue seen, its verdict is unknown.
#pragma once

namespace lockstep::checker {

struct Run;
struct Verdict;

/// O(n). REQUIRES: `verdict` is fresh (holds, empty).
void judge_no_leak(const Run& run, Verdict& verdict);

}  // namespace lockstep::checker
