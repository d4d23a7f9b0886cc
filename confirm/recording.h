// What happened to the Redis nodes of a run, kept to be done again on real servers.
#pragma once

#include <utility>
#include <vector>

#include "model/node_observer.h"

namespace lockstep::confirm {

class Recording final : public model::NodeObserver {
 public:
  void on_node_event(model::NodeEvent event) override { events_.push_back(std::move(event)); }

  [[nodiscard]] const std::vector<model::NodeEvent>& events() const { return events_; }
  /// For tests that plant a difference.
  [[nodiscard]] std::vector<model::NodeEvent>& events() { return events_; }

 private:
  std::vector<model::NodeEvent> events_;
};

}  // namespace lockstep::confirm
