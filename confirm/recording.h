// What happened to the Redis nodes of a run, kept to be done again on real servers.
#pragma once

#include <utility>
#include <vector>

#include "redis/server/node_event.h"

namespace lockstep::confirm {

class Recording final : public redis::NodeObserver {
 public:
  void on_node_event(redis::NodeEvent event) override { events_.push_back(std::move(event)); }

  [[nodiscard]] const std::vector<redis::NodeEvent>& events() const { return events_; }
  /// For tests that plant a difference.
  [[nodiscard]] std::vector<redis::NodeEvent>& events() { return events_; }

 private:
  std::vector<redis::NodeEvent> events_;
};

}  // namespace lockstep::confirm
