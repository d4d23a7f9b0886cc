// How the process of a Redis node ends: by SIGTERM, by a power failure, or killed.
//
// After SIGTERM a master waits for its replicas to catch up, at most for shutdown-timeout, and
// serves reads meanwhile; then the server stores what it is configured to store. Not covered:
// SHUTDOWN ABORT.
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
  /// Exits if a shutdown waits for no replica any more.
  void exit_if_caught_up();
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
