// What is wrong with the clocks of a scenario's hosts, for the heads of their lanes.
#pragma once

#include <map>
#include <string>

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::reports {

/// By host: "clock +3,000 ms", "clock -1,500 ms, +200 ppm". Those whose clocks are right are not
/// there.
[[nodiscard]] std::map<std::string, std::string> clock_words(const scenario::Scenario& scenario);

}  // namespace lockstep::reports
