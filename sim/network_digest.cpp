// The network as a part of a state: what holds messages up, which connections there are, and what
// is under way.
//
// Connections are named in the order of their numbers, since what strikes several of them does so
// in that order; flights in the order of sending, for the same reason. A connection that is closed
// at both ends, and has nothing under way, is named where somebody still knows it.
//
// Not state: choices_, interceptor_, default_latency_, latency (the same in all runs), event,
// arrives_at (it is among the events), free_flights_, next_flight_sequence_, last_message_ (numbers
// to come are new ones), selected_ (memory), drawn_arrivals_ (over between two instants).
#include <algorithm>

#include "sim/digest.h"
#include "sim/network.h"

namespace lockstep::sim {

void Network::digest_into(Digest& digest) const {
  for (const Link& each : links_) {
    if (each.cuts == 0 && each.extra_delay.value() == 0) continue;
    digest.add(&each - links_.data());
    digest.add(each.cuts);
    digest.add(each.extra_delay.value());
  }
  digest.add(~std::uint64_t{0});
  for (const std::uint32_t refusals : refusing_connections_) digest.add(refusals);

  for (std::uint32_t number = 1; number <= connections_.size(); ++number) {
    const Connection& each = connections_[number - 1];
    const bool is_over = each.states[0] == EndState::closed && each.states[1] == EndState::closed;
    if (!is_over) digest.add_connection(ConnectionId{number});
  }
  digest.add(~std::uint64_t{0});

  std::vector<std::uint32_t>& order = digest.memory();
  for (std::uint32_t index = 0; index < flights_.size(); ++index) {
    if (flights_[index].state != FlightState::unused) order.push_back(index);
  }
  std::sort(order.begin(), order.end(), [this](std::uint32_t one, std::uint32_t other) {
    return flights_[one].sequence < flights_[other].sequence;
  });
  digest.add(order.size());
  for (const std::uint32_t index : order) {
    digest.name(NamedKind::flight, index);
    digest_flight(digest, flights_[index]);
  }
}

void Network::digest_connection(Digest& digest, ConnectionId id) const {
  const Connection& found = connection(id);
  for (const End end : {End::caller, End::listener}) {
    digest.add(found.hosts[index_of(end)]);
    digest.add(found.states[index_of(end)]);
    digest.add_instant(found.last_arrival_at[index_of(end)]);
  }
}

void Network::digest_flight(Digest& digest, const Flight& flight) const {
  digest.add(flight.kind);
  digest.add(flight.state);
  digest.add(flight.to);
  digest.add_connection(flight.connection);
  digest.add_instant(flight.starts_at);
  digest.add(flight.report_arrival);
  if (flight.kind != FlightKind::message) return;
  digest.name(NamedKind::message, flight.message);
  const std::size_t from = 1 - index_of(flight.to);
  const HostId sender = connection(flight.connection).hosts[from];
  hosts_[static_cast<std::size_t>(sender)]->digest_payload(digest, flight.connection,
                                                           flight.payload);
}

void Network::digest_message(Digest& digest, std::uint64_t message) const {
  const bool is_under_way = std::any_of(flights_.begin(), flights_.end(), [&](const Flight& each) {
    return each.state != FlightState::unused && each.message == message;
  });
  digest.add(is_under_way);
  if (is_under_way) digest.name(NamedKind::message, message);
}

void Network::digest_event(Digest& digest, std::uint32_t code, std::uint64_t argument) const {
  digest.add(code);
  if (code == arrival_code) return digest.name(NamedKind::flight, argument);
  digest.add_connection(ConnectionId{static_cast<std::uint32_t>(argument >> 1)});
  digest.add(argument & 1);
}

}  // namespace lockstep::sim
