// Small changes to a scenario, of which shrinking tries one after the other.
//
// Each makes a new scenario that is read from its own text (accepted.h), or nothing where that
// would be none, or the same. What names something that goes is changed with it, or goes too where
// it can't do without: the result may have fewer faults, links and moments. Whether it still shows
// what it showed is for whoever asks to find out. REQUIRES: every number is of something that there
// is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.h"

namespace lockstep::scenario {

using Edited = std::optional<Scenario>;

// Who takes part.
[[nodiscard]] Edited without_client(const Scenario& scenario, std::size_t client);
/// Those behind it are counted anew.
[[nodiscard]] Edited without_thread(const Scenario& scenario, std::size_t client,
                                    std::size_t thread);
/// With its replicas; those behind it are counted anew.
[[nodiscard]] Edited without_master(const Scenario& scenario, std::uint32_t master);
/// The same one of each master; those behind it are counted anew.
[[nodiscard]] Edited without_replica(const Scenario& scenario, std::uint32_t replica);
/// The last; a quorum that would be more than are left is lowered.
[[nodiscard]] Edited without_last_sentinel(const Scenario& scenario);

// What they do.
/// What takes something goes with what gives it back, if anything does.
[[nodiscard]] Edited without_step(const Scenario& scenario, std::size_t client, std::size_t thread,
                                  std::size_t step);
[[nodiscard]] Edited with_rounds(const Scenario& scenario, std::size_t client,
                                 std::uint32_t rounds);
/// Nothing where the thread draws no steps.
[[nodiscard]] Edited with_turns(const Scenario& scenario, std::size_t client, std::size_t thread,
                                std::uint32_t turns);
/// In place of all that it has or draws.
[[nodiscard]] Edited with_steps(const Scenario& scenario, std::size_t client, std::size_t thread,
                                std::vector<Step> steps);

// What goes wrong.
[[nodiscard]] Edited without_fault(const Scenario& scenario, std::size_t fault);
/// Nothing where faults are left open: those heal.
[[nodiscard]] Edited without_healing(const Scenario& scenario);

// What they are like.
[[nodiscard]] Edited without_link(const Scenario& scenario, std::size_t link);
/// Every hop takes as long as by default, or so long.
[[nodiscard]] Edited with_latency(const Scenario& scenario, const sim::Latency& latency);
[[nodiscard]] Edited without_option(const Scenario& scenario, std::string_view name);
/// Its number in redis.settings.
[[nodiscard]] Edited without_setting(const Scenario& scenario, std::size_t setting);
/// It is as the others. Its number in redis.nodes.
[[nodiscard]] Edited without_node_table(const Scenario& scenario, std::size_t node);
/// Its clocks are right.
[[nodiscard]] Edited with_exact_clocks(const Scenario& scenario, std::size_t client);

/// A duration that is drawn: a lease, a wait, a step's, when a client starts, a fault's, …
struct OpenRange {
  sim::DurationNs least_ns;
  sim::DurationNs most_ns;
};
/// All of them; their numbers hold for this scenario only.
[[nodiscard]] std::vector<OpenRange> open_ranges(const Scenario& scenario);
/// It is always this. REQUIRES: it is within the range.
[[nodiscard]] Edited with_fixed_duration(const Scenario& scenario, std::size_t range,
                                         sim::DurationNs duration_ns);

}  // namespace lockstep::scenario
