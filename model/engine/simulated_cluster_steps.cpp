// What a step listener may ask and do between two events.
#include "model/engine/simulated_cluster.h"

namespace lockstep::model {

NextStep SimulatedCluster::next_step() {
  NextStep step;
  step.at = queue_.next_at();
  if (step.at == sim::never_ns) return step;
  const sim::PendingEvent event = queue_.next_event();
  step.is_first_of_instant = event.at > last_step_at_ns_;
  if (const auto host = network_.host_of(event)) step.host = network_.host(*host).name();
  return step;
}

std::optional<std::vector<sim::Latency>> SimulatedCluster::delays_of_instant() const {
  const std::optional<std::size_t> count = network_.delays_drawn_at_instant();
  if (!count) return std::nullopt;
  std::vector<sim::Latency> ranges;
  for (std::size_t i = 0; i < *count; ++i) ranges.push_back(network_.range_of_delay(i));
  return ranges;
}

void SimulatedCluster::strike(const scenario::FaultSpec& fault) {
  queue_.advance_to(queue_.next_at());
  faults_->strike_now(fault);
}

bool SimulatedCluster::is_down(std::string_view host) {
  return network_.host(*network_.find_host(host)).state() == sim::HostState::crashed;
}

}  // namespace lockstep::model
