// A node's script on real time: after busy-reply-threshold other clients are served meanwhile, and
// SCRIPT KILL, a client's SHUTDOWN or the end of the service ends it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "redis/scripting/script_instruction_limiter.h"
#include "serve/node.h"
#include "serve/signals.h"

namespace lockstep::serve {

class ScriptWatch final : public redis::ScriptWatchdog {
 public:
  /// All must outlive it.
  ScriptWatch(Node& node, const std::vector<std::unique_ptr<Node>>& nodes, EventLoop& loop,
              TerminationSignals& signals)
      : node_(node), nodes_(nodes), loop_(loop), signals_(signals) {}

 private:
  void begin() override;
  std::int64_t now_us() override { return monotonic_us(); }
  bool must_end() override;

  Node& node_;
  const std::vector<std::unique_ptr<Node>>& nodes_;  // of the service, the node among them
  EventLoop& loop_;
  TerminationSignals& signals_;
  std::int64_t began_ms_ = 0;
};

}  // namespace lockstep::serve
