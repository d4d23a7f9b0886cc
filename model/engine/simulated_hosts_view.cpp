// What there is to see of the hosts between two events.
#include <algorithm>

#include "model/engine/host_settings.h"
#include "model/engine/simulated_hosts.h"

namespace lockstep::model {
namespace {

constexpr std::int64_t stands_still_ppm = -1'000'000;

ClockView view_of(const sim::Clock& clock, std::int64_t began_at_ns, sim::TimeNs now_ns) {
  return {clock.reading_at(now_ns) - began_at_ns - now_ns,
          clock.is_frozen() ? stands_still_ppm : clock.drift_ppm()};
}

std::string_view word_of(sim::HostState state) {
  switch (state) {
    case sim::HostState::running:
      return "runs";
    case sim::HostState::paused:
      return "paused";
    case sim::HostState::crashed:
      return "crashed";
  }
  return "runs";
}

template <typename Hosts>
auto find_named(const Hosts& hosts, std::string_view name) {
  return std::find_if(hosts.begin(), hosts.end(),
                      [name](const auto& host) { return host->name() == name; });
}

}  // namespace

void SimulatedHosts::look_at(std::string_view host_name, HostView& view) const {
  const sim::Host& host = find(host_name);
  view.clear();
  const sim::TimeNs now_ns = context_.queue.now();
  view.at_ns = now_ns;
  view.wall = view_of(host.wall_clock(), wall_clock_at_start_ns, now_ns);
  view.monotonic = view_of(host.monotonic_clock(), 0, now_ns);
  view.add(host.actor(), "process", std::string(word_of(host.state())));
  if (const auto client = find_named(clients_, host_name); client != clients_.end()) {
    return (*client)->look(view);
  }
  if (const auto node = find_named(nodes_, host_name); node != nodes_.end()) {
    return (*node)->look(view);
  }
  if (host.actor() == resource_->actor()) {
    view.add(host.actor(), "version", std::to_string(resource_->version()));
  }
}

}  // namespace lockstep::model
