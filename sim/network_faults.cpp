// Cuts, resets and crashes: what strikes many things that are under way at once.
//
// These are rare, so they look through all flights and all connections of the run; whatever they do
// to several flights they do in the order of sending.
#include <algorithm>

#include "sim/network.h"
#include "sim/trace_kinds.h"

namespace lockstep::sim {

// -- what is under way --

template <typename Predicate>
void Network::select_flights(Predicate predicate) {
  selected_.clear();
  for (std::uint32_t index = 0; index < flights_.size(); ++index) {
    const Flight& flight = flights_[index];
    if (flight.state != FlightState::unused && predicate(flight)) selected_.push_back(index);
  }
  std::sort(selected_.begin(), selected_.end(), [this](std::uint32_t one, std::uint32_t other) {
    return flights_[one].sequence < flights_[other].sequence;
  });
}

bool Network::is_between(const Connection& connection, HostId one, HostId other) {
  const std::array<HostId, 2>& hosts = connection.hosts;
  return (hosts[0] == one && hosts[1] == other) || (hosts[0] == other && hosts[1] == one);
}

void Network::lose_selected(std::string_view why) {
  for (const std::uint32_t index : selected_) {
    const Flight lost = flights_[index];
    queue_.cancel(lost.event);
    release(index);
    if (lost.kind == FlightKind::message) lose(lost, why);
  }
}

// -- resets and crashes --

void Network::reset(ConnectionId id) {
  if (!exists(id)) return;
  select_flights([id](const Flight& flight) { return flight.connection == id; });
  lose_selected("connection-reset");
  for (const End end : {End::caller, End::listener}) {
    EndState& state = state_at(id, end);
    if (state == EndState::unreached) state = EndState::closed;
    if (state != EndState::opening && state != EndState::open) continue;
    state = EndState::breaking;
    trace_.emit(queue_.now(), trace_kind::connection_closed, host(host_at(id, end)).actor(),
                {{"connection", static_cast<std::uint32_t>(id)}, {"why", "reset"}});
    queue_.schedule(queue_.now(), *this, reset_code,
                    (std::uint64_t{static_cast<std::uint32_t>(id)} << 1) | index_of(end));
  }
}

void Network::reset_all(HostId one, HostId other) {
  for (std::uint32_t number = 1; number <= connections_.size(); ++number) {
    const Connection& found = connections_[number - 1];
    const bool is_over = found.states[0] == EndState::closed && found.states[1] == EndState::closed;
    if (is_between(found, one, other) && !is_over) reset(ConnectionId{number});
  }
}

void Network::drop_connections_of(HostId crashed) {
  select_flights([this, crashed](const Flight& flight) {
    const bool is_kernels = flight.kind == FlightKind::refuse || flight.kind == FlightKind::close;
    const End from = flight.to == End::caller ? End::listener : End::caller;
    return flight.state == FlightState::held && !is_kernels &&
           host_at(flight.connection, from) == crashed;
  });
  lose_selected("process-crashed");
  for (std::uint32_t number = 1; number <= connections_.size(); ++number) {
    for (const End end : {End::caller, End::listener}) {
      if (connections_[number - 1].hosts[index_of(end)] != crashed) continue;
      close_end(ConnectionId{number}, end, "process-crashed");
    }
  }
}

// -- cuts --

void Network::cut(HostId one, HostId other) {
  if (is_cut(one, other)) return;
  link(one, other).cut = true;
  link(other, one).cut = true;
  trace_.emit(queue_.now(), trace_kind::network_cut, no_actor,
              {{"one", host(one).name()}, {"other", host(other).name()}});
  select_flights(
      [&](const Flight& flight) { return is_between(connection(flight.connection), one, other); });
  for (const std::uint32_t index : selected_) {
    Flight& flight = flights_[index];
    queue_.cancel(flight.event);
    flight.state = FlightState::held;
    connection(flight.connection).last_arrival_at = {TimeNs{0}, TimeNs{0}};
  }
}

void Network::heal(HostId one, HostId other) {
  if (!is_cut(one, other)) return;
  link(one, other).cut = false;
  link(other, one).cut = false;
  trace_.emit(queue_.now(), trace_kind::network_healed, no_actor,
              {{"one", host(one).name()}, {"other", host(other).name()}});
  select_flights(
      [&](const Flight& flight) { return is_between(connection(flight.connection), one, other); });
  for (const std::uint32_t index : selected_) schedule_arrival(index);
}

}  // namespace lockstep::sim
