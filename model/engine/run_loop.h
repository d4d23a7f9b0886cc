// Runs the events of a run, one after the other, until nothing is left to happen, or somebody or a
// limit ends it. Knows since when all clients are finished.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/engine/run_context.h"
#include "model/engine/run_listeners.h"
#include "model/engine/run_result.h"
#include "sim/digest.h"
#include "sim/time.h"

namespace lockstep::model {

class Client;

/// Where a run ends that does not come to rest.
struct RunLimits {
  sim::TimeNs horizon_ns = 0;
  std::uint64_t events_max = 0;  ///< a step that leaves none counts as an eighth of one
};

class RunLoop {
 public:
  /// Does not own; all outlive this.
  RunLoop(const RunLimits& limits, RunContext& context, std::span<Client* const> clients)
      : limits_(limits), context_(context), clients_(clients) {}

  /// Sets the listener called before each step; nullptr clears it. Does not own it.
  void set_step_listener(StepListener* listener) { step_listener_ = listener; }
  [[nodiscard]] bool has_step_listener() const { return step_listener_ != nullptr; }

  void start_run();
  RunEnd run_to_end();

  [[nodiscard]] NextStep next_step();
  /// The instant of the next event; now, if there is none.
  [[nodiscard]] sim::TimeNs next_instant();
  /// When all clients had finished; now, if some have not.
  [[nodiscard]] sim::TimeNs workload_ended_at() const;
  /// Whether the clients finished so long ago that every lease is over, and as long again: what
  /// goes on then goes on for ever. `lease_ns`: the longest of this run.
  [[nodiscard]] bool is_long_over(sim::DurationNs lease_ns) const;
  /// What is_long_over and the next strikes depend on.
  void digest_into(sim::Digest& digest, sim::DurationNs lease_ns) const;

 private:
  [[nodiscard]] bool clients_finished();

  const RunLimits limits_;
  RunContext& context_;
  std::span<Client* const> clients_;
  StepListener* step_listener_ = nullptr;
  sim::TimeNs last_step_at_ns_ = -1;  // of this run; -1: there was none yet
  sim::TimeNs clients_finished_at_ns_ = sim::never_ns;
  std::size_t unfinished_client_ = 0;  // a client that was not finished when last asked
};

}  // namespace lockstep::model
