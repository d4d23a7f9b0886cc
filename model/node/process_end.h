// How the process of a Redis node ends: by SIGTERM, by a power failure, or killed.
//
// After SIGTERM a master waits for its replicas to catch up, at most for shutdown-timeout; then the
// server stores what it is configured to store.
#pragma once

#include "model/node/node_context.h"
#include "model/node/replication_source.h"

namespace lockstep::model {

class ProcessEnd {
 public:
  ProcessEnd(NodeContext& context, ReplicationSource& replicas)
      : context_(context), replicas_(replicas) {}

  void start_process() { is_shutting_down_ = false; }
  void begin_shutdown();
  [[nodiscard]] bool is_shutting_down() const { return is_shutting_down_; }
  /// A replica has acknowledged: exits if a shutdown waited only for that.
  void on_acknowledged();
  void exit_cleanly();
  /// The crash to come is a power failure.
  void note_power_loss() { how_ = redis::node_event::ProcessKilled::How::power_lost; }
  /// The process is gone.
  void on_crash();
  void digest_into(sim::Digest& digest) const;

 private:
  NodeContext& context_;
  ReplicationSource& replicas_;
  bool is_shutting_down_ = false;
  redis::node_event::ProcessKilled::How how_{};
};

}  // namespace lockstep::model
