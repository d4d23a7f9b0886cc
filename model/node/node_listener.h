// Who is told of what happens to Redis nodes.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/trace.h"

namespace lockstep::model {

class RedisNode;

/// Told when a request or a master's stream may have changed a node's data.
class NodeListener {
 public:
  /// A command of `by` was executed, with whatever result; before on_data_changed.
  virtual void on_executed(RedisNode& node, std::string_view command, sim::ActorId by) = 0;
  /// `label` names the request; `by` is the thread for which it was made.
  virtual void on_data_changed(RedisNode& node, std::string_view label, sim::ActorId by) = 0;
  /// A node evicted a key because of maxmemory.
  virtual void on_evicted(RedisNode& node) = 0;
  /// A node's process exited after SIGTERM.
  virtual void on_ended(RedisNode& node) = 0;

 protected:
  ~NodeListener() = default;
};

/// Who makes a replica a master: an operator redirects the other replicas too, others do not.
enum class Promoter : std::uint8_t { operator_, other };

/// Told when a node takes on another role: by an operator, by a request, or of its own accord.
class RoleListener {
 public:
  /// A replica has become a master: its links are closed.
  virtual void on_promoted(RedisNode& node, Promoter by) = 0;
  /// A node begins to follow a master.
  virtual void on_following(RedisNode& node, RedisNode& master) = 0;

 protected:
  ~RoleListener() = default;
};

}  // namespace lockstep::model
