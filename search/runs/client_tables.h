// Clients that one table of a scenario file stands for: [[client]] with `count`. Who changes the
// steps of one in the file changes those of all.
#pragma once

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct LikelyChange;

/// The change as it comes out when it is made in the file of the scenario, and its words so:
/// "# of w: …" where it was of w1.
void change_whole_table(const scenario::Scenario& scenario, LikelyChange& change);

}  // namespace lockstep::search
