// What travels between the ends of connections.
//
// Invariants: while a direction between two hosts is cut, no flight of it has an event: all of them
// are held or caught.
// Within a direction of a connection, flights arrive in the order of their sequence: each is
// scheduled not before the last, events of one instant keep their order, and a cut takes all of
// them out together and lets them go again in the order of their sequence.
#include <algorithm>
#include <cassert>

#include "sim/network.h"
#include "sim/trace_kinds.h"

namespace lockstep::sim {

void Network::launch(Flight flight) {
  flight.sequence = next_flight_sequence_++;
  if (free_flights_.empty()) {
    free_flights_.push_back(static_cast<std::uint32_t>(flights_.size()));
    flights_.emplace_back();
  }
  const std::uint32_t index = free_flights_.back();
  free_flights_.pop_back();
  assert(index < flights_.size() && flights_[index].state == FlightState::unused);
  flights_[index] = flight;
  const Connection& on = connection(flight.connection);
  const std::size_t to = index_of(flight.to);
  if (is_cut(on.hosts[1 - to], on.hosts[to])) {
    flights_[index].state = FlightState::held;
  } else {
    schedule_arrival(index);
  }
}

void Network::schedule_arrival(std::uint32_t index) {
  Flight& flight = flights_[index];
  Connection& on = connection(flight.connection);
  const auto to = static_cast<std::size_t>(flight.to);
  const DurationNs extra_ns = link(on.hosts[1 - to], on.hosts[to]).extra_delay.value();
  const DurationNs delay_ns = draw_delay(on.hosts[1 - to], on.hosts[to]) + extra_ns;
  const TimeNs starts_at = std::max(queue_.now(), flight.starts_at);
  TimeNs& last_at = on.last_arrival_at[to];
  const TimeNs last_before = last_at;
  last_at = std::max(last_at, starts_at + delay_ns);
  flight.arrives_at = last_at;
  flight.state = FlightState::under_way;
  flight.event = queue_.schedule(last_at, *this, arrival_code, index);
  if (!drawn_arrivals_.empty() && drawn_arrivals_.back().drawn_at != queue_.now())
    drawn_arrivals_.clear();
  drawn_arrivals_.push_back({index, flight.event, queue_.now(), starts_at, extra_ns,
                             range_of(on.hosts[1 - to], on.hosts[to]), last_before});
}

Latency Network::range_of(HostId from, HostId to) const {
  return link(from, to).latency.value_or(default_latency_);
}

DurationNs Network::draw_delay(HostId from, HostId to) {
  assert(choices_ != nullptr);
  const Latency latency = range_of(from, to);
  // The pair of ids, not the place in a table: another host more must not change a link's stream.
  const std::uint32_t owner =
      (static_cast<std::uint32_t>(from) << 16) | static_cast<std::uint32_t>(to);
  return choices_->between(Stream{Purpose::network_delay, owner}, latency.delay_ns_min,
                           latency.delay_ns_max);
}

void Network::on_event(std::uint32_t code, std::uint64_t argument) {
  if (code == arrival_code) {
    arrive(static_cast<std::uint32_t>(argument));
  } else {
    report_reset(ConnectionId{static_cast<std::uint32_t>(argument >> 1)},
                 (argument & 1) == 0 ? End::caller : End::listener);
  }
}

void Network::arrive(std::uint32_t index) {
  const Flight flight = flights_[index];
  assert(flight.state == FlightState::under_way);
  release(index);
  switch (flight.kind) {
    case FlightKind::open:
      return open_arrives(flight.connection);
    case FlightKind::accept:
      return accept_arrives(flight.connection);
    case FlightKind::refuse:
      return refuse_arrives(flight.connection);
    case FlightKind::message:
      return message_arrives(flight);
    case FlightKind::close:
      return close_arrives(flight.connection, flight.to);
  }
}

void Network::open_arrives(ConnectionId id) {
  EndState& state = state_at(id, End::listener);
  assert(state == EndState::unreached);
  const HostId listener = host_at(id, End::listener);
  if (is_crashed(listener) || refusing_connections_[static_cast<std::size_t>(listener)] > 0) {
    state = EndState::closed;
    launch({.kind = FlightKind::refuse, .to = End::caller, .connection = id});
    if (interceptor_ != nullptr && !is_crashed(listener)) interceptor_->on_refused(listener);
    return;
  }
  state = EndState::open;
  trace_.emit(queue_.now(), trace_kind::connection_opened, host(listener).actor(),
              {{"connection", static_cast<std::uint32_t>(id)}});
  // First the answer, so that nothing the listener sends now can overtake it.
  launch({.kind = FlightKind::accept, .to = End::caller, .connection = id});
  host(listener).deliver({Incoming::Kind::connection_opened, id});
}

void Network::accept_arrives(ConnectionId id) {
  EndState& state = state_at(id, End::caller);
  if (state != EndState::opening) return;
  state = EndState::open;
  Host& caller = host(host_at(id, End::caller));
  trace_.emit(queue_.now(), trace_kind::connection_opened, caller.actor(),
              {{"connection", static_cast<std::uint32_t>(id)}});
  caller.deliver({Incoming::Kind::connection_opened, id});
}

void Network::refuse_arrives(ConnectionId id) {
  EndState& state = state_at(id, End::caller);
  if (state != EndState::opening) return;
  state = EndState::closed;
  Host& caller = host(host_at(id, End::caller));
  trace_.emit(queue_.now(), trace_kind::connection_refused, caller.actor(),
              {{"connection", static_cast<std::uint32_t>(id)}});
  caller.deliver({Incoming::Kind::connection_refused, id});
}

void Network::message_arrives(const Flight& message) {
  const HostId to = host_at(message.connection, message.to);
  if (is_crashed(to)) return lose(message, "process-crashed");
  if (state_at(message.connection, message.to) != EndState::open) {
    return lose(message, "connection-closed");
  }
  Host& receiver = host(to);
  if (receiver.state() == HostState::paused) {
    trace_.emit(queue_.now(), trace_kind::message_delivered, receiver.actor(),
                {{"message", message.message}, {"waits", 1}});
  } else {
    trace_.emit(queue_.now(), trace_kind::message_delivered, receiver.actor(),
                {{"message", message.message}});
  }
  receiver.deliver({Incoming::Kind::message, message.connection, message.payload});
  if (message.report_arrival && interceptor_ != nullptr) interceptor_->on_arrived(message.message);
}

void Network::close_arrives(ConnectionId id, End to) {
  EndState& state = state_at(id, to);
  if (state == EndState::unreached) state = EndState::closed;  // its caller died behind a cut
  // The listener accepted and crashed, and the answer was never sent: a second attempt is refused.
  if (state == EndState::opening) return refuse_arrives(id);
  if (state != EndState::open) return;
  state = EndState::closed;
  Host& receiver = host(host_at(id, to));
  trace_.emit(queue_.now(), trace_kind::connection_closed, receiver.actor(),
              {{"connection", static_cast<std::uint32_t>(id)}, {"why", "closed-by-peer"}});
  receiver.deliver({Incoming::Kind::connection_closed, id});
}

void Network::report_reset(ConnectionId id, End end) {
  if (state_at(id, end) != EndState::breaking) return;  // closed, or its process crashed, since
  state_at(id, end) = EndState::closed;
  constexpr std::uint64_t was_reset = 1;  // which real programs are told
  host(host_at(id, end)).deliver({Incoming::Kind::connection_closed, id, was_reset});
}

// -- the pool of flights --

void Network::release(std::uint32_t index) {
  flights_[index].state = FlightState::unused;
  free_flights_.push_back(index);
}

void Network::reset_run(ChoiceSource& choices) {
  for (const Flight& flight : flights_) queue_.cancel(flight.event);
  choices_ = &choices;
  for (Link& each : links_) each = {each.latency};
  std::fill(refusing_connections_.begin(), refusing_connections_.end(), 0U);
  connections_.clear();
  flights_.clear();
  drawn_arrivals_.clear();
  free_flights_.clear();
  next_flight_sequence_ = 0;
  last_message_ = 0;
}

}  // namespace lockstep::sim
