// Small changes to a scenario, which shrinking tries one by one.
//
// Each makes a new scenario, read from its own text (revalidation.h), or none if that is invalid or
// the same. References to something removed are changed or removed too, so the result may have
// fewer faults, links and moments. The caller finds out whether it still fails. REQUIRES: every
// index is valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/network.h"
#include "sim/time.h"

namespace lockstep::scenario {

struct Scenario;
struct Step;

using Edited = std::optional<Scenario>;

// Who takes part.
[[nodiscard]] Edited without_client(const Scenario& scenario, std::size_t client);
/// Later ones are renumbered.
[[nodiscard]] Edited without_thread(const Scenario& scenario, std::size_t client,
                                    std::size_t thread);
/// With its replicas. Later ones are renumbered.
[[nodiscard]] Edited without_master(const Scenario& scenario, std::uint32_t master);
/// The same one of each master. Later ones are renumbered.
[[nodiscard]] Edited without_replica(const Scenario& scenario, std::uint32_t replica);
/// Lowers a quorum that is more than are left.
[[nodiscard]] Edited without_last_sentinel(const Scenario& scenario);

// What they do.
/// What takes something goes with what gives it back, if anything does.
[[nodiscard]] Edited without_step(const Scenario& scenario, std::size_t client, std::size_t thread,
                                  std::size_t step);
[[nodiscard]] Edited with_rounds(const Scenario& scenario, std::size_t client,
                                 std::uint32_t rounds);
/// None if the thread draws no steps.
[[nodiscard]] Edited with_turns(const Scenario& scenario, std::size_t client, std::size_t thread,
                                std::uint32_t turns);
/// Replaces all that it has or draws.
[[nodiscard]] Edited with_steps(const Scenario& scenario, std::size_t client, std::size_t thread,
                                std::vector<Step> steps);

// What goes wrong.
[[nodiscard]] Edited without_fault(const Scenario& scenario, std::size_t fault);
/// None if faults are left open: those heal.
[[nodiscard]] Edited without_healing(const Scenario& scenario);

// What they are like.
[[nodiscard]] Edited without_link(const Scenario& scenario, std::size_t link);
/// Sets the latency of every hop.
[[nodiscard]] Edited with_latency(const Scenario& scenario, const sim::Latency& latency);
[[nodiscard]] Edited without_option(const Scenario& scenario, std::string_view name);
/// `setting`: an index in redis.settings.
[[nodiscard]] Edited without_setting(const Scenario& scenario, std::size_t setting);
/// `node`: an index in redis.nodes.
[[nodiscard]] Edited without_node_table(const Scenario& scenario, std::size_t node);
/// Its clocks are right.
[[nodiscard]] Edited with_exact_clocks(const Scenario& scenario, std::size_t client);

/// A duration that is drawn: a lease, a wait, a step's, when a client starts, a fault's, …
struct OpenRange {
  sim::DurationNs least_ns;
  sim::DurationNs most_ns;
};
/// Their indices hold for this scenario only.
[[nodiscard]] std::vector<OpenRange> open_ranges(const Scenario& scenario);
/// Fixes the duration. REQUIRES: it is within the range.
[[nodiscard]] Edited with_fixed_duration(const Scenario& scenario, std::size_t range,
                                         sim::DurationNs duration_ns);

}  // namespace lockstep::scenario
