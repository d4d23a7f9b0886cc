// Cuts, resets, crashes and their like: what strikes links, hosts and what is under way.
//
// These are rare, so they look through all flights and all connections of the run; whatever they do
// to several flights they do in the order of sending.
#include <algorithm>
#include <cassert>

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

/// Whether it waits in its process's buffers, by itself or behind what does. To be asked in the
/// order of sending; `waiting` are the directions in which something waits so far.
bool Network::is_unsent(const Flight& flight, std::vector<Direction>& waiting) const {
  const Direction direction{flight.connection, flight.to};
  if (std::find(waiting.begin(), waiting.end(), direction) != waiting.end()) return true;
  const bool waits = flight.state == FlightState::held || flight.starts_at > queue_.now();
  if (waits) waiting.push_back(direction);
  return waits;
}

void Network::select_unsent(HostId crashed) {
  select_flights([this, crashed](const Flight& flight) {
    const bool is_kernels = flight.kind == FlightKind::refuse || flight.kind == FlightKind::close;
    return !is_kernels && sender_of(flight) == crashed;
  });
  std::vector<Direction> waiting;
  std::erase_if(selected_,
                [&](std::uint32_t index) { return !is_unsent(flights_[index], waiting); });
}

/// What comes next on their connections need not arrive behind them, but behind what is under way.
void Network::hold_back_selected() {
  for (const std::uint32_t index : selected_) hold_back(index);
  for (const Flight& left : flights_) {
    if (left.state != FlightState::under_way) continue;
    TimeNs& last_at = connection(left.connection).last_arrival_at[index_of(left.to)];
    last_at = std::max(last_at, left.arrives_at);
  }
}

void Network::drop_connections_of(HostId crashed) {
  select_unsent(crashed);
  if (!selected_.empty()) hold_back_selected();
  lose_selected("process-crashed");
  for (std::uint32_t number = 1; number <= connections_.size(); ++number) {
    for (const End end : {End::caller, End::listener}) {
      if (connections_[number - 1].hosts[index_of(end)] != crashed) continue;
      close_end(ConnectionId{number}, end, "process-crashed");
    }
  }
}

void Network::lose_what_cuts_caught(HostId failed) {
  select_flights([this, failed](const Flight& flight) {
    return flight.state == FlightState::caught && sender_of(flight) == failed;
  });
  lose_selected("process-crashed");
}

// -- cuts --

HostId Network::sender_of(const Flight& flight) const {
  return connection(flight.connection).hosts[1 - index_of(flight.to)];
}

bool Network::goes(const Flight& flight, HostId from, HostId to) const {
  return sender_of(flight) == from && host_at(flight.connection, flight.to) == to;
}

bool Network::begin_cut(HostId from, HostId to) { return link(from, to).cuts++ == 0; }

bool Network::end_cut(HostId from, HostId to) {
  std::uint32_t& cuts = link(from, to).cuts;
  return cuts > 0 && --cuts == 0;
}

void Network::hold_back(std::uint32_t index) {
  Flight& flight = flights_[index];
  queue_.cancel(flight.event);
  flight.state = FlightState::held;
  connection(flight.connection).last_arrival_at[index_of(flight.to)] = 0;
}

/// Tells of both directions at once where both have changed, else of the one that has.
void Network::emit_cuts(HostId one, HostId other, Directions changed, const CutKinds& kinds) {
  const auto tell_one = [&](HostId from, HostId to) {
    trace_.emit(queue_.now(), kinds.one_way, no_actor,
                {{"from", host(from).name()}, {"to", host(to).name()}});
  };
  if (changed.there && changed.back) {
    trace_.emit(queue_.now(), kinds.both_ways, no_actor,
                {{"one", host(one).name()}, {"other", host(other).name()}});
  } else if (changed.there) {
    tell_one(one, other);
  } else if (changed.back) {
    tell_one(other, one);
  }
}

void Network::select_between(HostId one, HostId other, Directions directions) {
  select_flights([&](const Flight& flight) {
    return (directions.there && goes(flight, one, other)) ||
           (directions.back && goes(flight, other, one));
  });
}

void Network::start_cuts(HostId one, HostId other, Directions started) {
  emit_cuts(one, other, started, {trace_kind::network_cut, trace_kind::direction_cut});
  select_between(one, other, started);
  std::vector<Direction> waiting;
  for (const std::uint32_t index : selected_) {
    Flight& flight = flights_[index];
    // A handshake that is not over ends with its process.
    const bool has_left = flight.kind == FlightKind::message && !is_unsent(flight, waiting);
    hold_back(index);
    if (has_left) flight.state = FlightState::caught;
  }
}

void Network::end_cuts(HostId one, HostId other, Directions ended) {
  emit_cuts(one, other, ended, {trace_kind::network_healed, trace_kind::direction_healed});
  select_between(one, other, ended);
  for (const std::uint32_t index : selected_) schedule_arrival(index);
}

void Network::cut(HostId one, HostId other) {
  const bool there = begin_cut(one, other);
  const bool back = begin_cut(other, one);
  start_cuts(one, other, {there, back});
}

void Network::heal(HostId one, HostId other) {
  const bool there = end_cut(one, other);
  const bool back = end_cut(other, one);
  end_cuts(one, other, {there, back});
}

void Network::cut_one_way(HostId from, HostId to) {
  start_cuts(from, to, {.there = begin_cut(from, to), .back = false});
}

void Network::heal_one_way(HostId from, HostId to) {
  end_cuts(from, to, {.there = end_cut(from, to), .back = false});
}

// -- slow links, hosts that do not listen, half-open connections, messages held back --

void Network::slow_link(HostId one, HostId other, DurationNs by_ns) {
  for (Link* each : {&link(one, other), &link(other, one)}) {
    each->extra_delay.add(by_ns);
  }
  trace_.emit(queue_.now(), trace_kind::link_slowed, no_actor,
              {{"one", host(one).name()},
               {"other", host(other).name()},
               {"by_ns", link(one, other).extra_delay.value()}});
}

void Network::stop_listening(HostId id) {
  if (refusing_connections_[static_cast<std::size_t>(id)]++ > 0) return;
  trace_.emit(queue_.now(), trace_kind::listening_stopped, host(id).actor(), {});
}

void Network::refuse(ConnectionId connection, HostId by) {
  close(connection, by);
  if (interceptor_ != nullptr) interceptor_->on_refused(by);
}

void Network::resume_listening(HostId id) {
  std::uint32_t& times = refusing_connections_[static_cast<std::size_t>(id)];
  if (times == 0 || --times > 0) return;
  trace_.emit(queue_.now(), trace_kind::listening_again, host(id).actor(), {});
}

void Network::make_half_open(HostId forgetful, HostId other) {
  for (std::uint32_t number = 1; number <= connections_.size(); ++number) {
    Connection& found = connections_[number - 1];
    if (!is_between(found, forgetful, other)) continue;
    const End end = end_of(found, forgetful);
    EndState& state = found.states[index_of(end)];
    if (state != EndState::open) continue;
    state = EndState::breaking;
    trace_.emit(queue_.now(), trace_kind::connection_closed, host(forgetful).actor(),
                {{"connection", number}, {"why", "half-open"}});
    queue_.schedule(queue_.now(), *this, reset_code, (std::uint64_t{number} << 1) | index_of(end));
  }
}

// Everything in its direction is scheduled anew, in the order of sending: what had been sent before
// it keeps its place.
void Network::release_held(std::uint64_t message) {
  const auto held = std::find_if(flights_.begin(), flights_.end(), [&](const Flight& flight) {
    return flight.state != FlightState::unused && flight.kind == FlightKind::message &&
           flight.message == message;
  });
  if (held == flights_.end()) return;
  held->starts_at = 0;
  const ConnectionId id = held->connection;
  const End to = held->to;
  const HostId sender = host_at(id, to == End::caller ? End::listener : End::caller);
  trace_.emit(queue_.now(), trace_kind::message_released, host(sender).actor(),
              {{"message", message}});
  if (is_cut(sender, host_at(id, to))) return;
  select_flights([&](const Flight& flight) { return flight.connection == id && flight.to == to; });
  for (const std::uint32_t index : selected_) hold_back(index);
  for (const std::uint32_t index : selected_) schedule_arrival(index);
}

}  // namespace lockstep::sim
