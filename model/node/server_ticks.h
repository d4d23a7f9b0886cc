// Wakes a node's server when its persistence has something to do.
//
// The timer runs on the monotonic clock, the server's rules on the wall clock: when the wall clock
// changes the tick is planned anew. Where the clocks' rates differ it comes early, finds nothing
// due and is planned again, or it comes late.
#pragma once

#include <cstdint>

#include "model/node/node_context.h"
#include "redis/persistence/persistence.h"

namespace lockstep::model {

class ServerTicks {
 public:
  explicit ServerTicks(NodeContext& context) : context_(context) {}

  void start_process();
  /// Starts the timer for the server's next tick, if it is not running already.
  void plan();
  void on_due();
  void on_wall_clock_changed();
  void digest_into(sim::Digest& digest) const;

 private:
  NodeContext& context_;
  sim::TimerId tick_{};
  std::int64_t tick_ms_ = redis::Persistence::never_ms;  // when it is due, by the wall clock
};

}  // namespace lockstep::model
