#include "sim/network.h"

#include <cassert>

#include "sim/trace_kinds.h"

namespace lockstep::sim {
namespace {

[[maybe_unused]] constexpr bool is_valid(Latency latency) {
  return latency.delay_ns_min >= microsecond_ns && latency.delay_ns_min <= latency.delay_ns_max;
}

}  // namespace

// -- hosts and links --

HostId Network::add_host(Host& host) {
  const std::size_t old_count = hosts_.size();
  assert(old_count < UINT16_MAX);
  hosts_.push_back(&host);
  std::vector<Link> wider(hosts_.size() * hosts_.size());
  for (std::size_t from = 0; from < old_count; ++from) {
    for (std::size_t to = 0; to < old_count; ++to) {
      wider[from * hosts_.size() + to] = links_[from * old_count + to];
    }
  }
  links_.swap(wider);
  refusing_connections_.push_back(0);
  return HostId{static_cast<std::uint32_t>(old_count)};
}

std::optional<HostId> Network::find_host(std::string_view name) const {
  for (std::uint32_t i = 0; i < hosts_.size(); ++i) {
    if (hosts_[i]->name() == name) return HostId{i};
  }
  return std::nullopt;
}

std::optional<HostId> Network::host_of(const PendingEvent& event) const {
  if (event.target == this) {
    if (event.code == arrival_code) {
      const Flight& flight = flights_[event.argument];
      return host_at(flight.connection, flight.to);
    }
    return host_at(ConnectionId{static_cast<std::uint32_t>(event.argument >> 1)},
                   (event.argument & 1) == 0 ? End::caller : End::listener);
  }
  for (std::uint32_t i = 0; i < hosts_.size(); ++i) {
    if (hosts_[i]->handles(event)) return HostId{i};
  }
  return std::nullopt;
}

void Network::set_default_latency(Latency latency) {
  assert(is_valid(latency));
  default_latency_ = latency;
}

void Network::set_latency(HostId from, HostId to, Latency latency) {
  assert(is_valid(latency));
  link(from, to).latency = latency;
}

Network::Link& Network::link(HostId from, HostId to) {
  return links_[static_cast<std::size_t>(from) * hosts_.size() + static_cast<std::size_t>(to)];
}

const Network::Link& Network::link(HostId from, HostId to) const {
  return links_[static_cast<std::size_t>(from) * hosts_.size() + static_cast<std::size_t>(to)];
}

bool Network::is_cut(HostId from, HostId to) const { return link(from, to).cuts > 0; }

// -- connections --

ConnectionId Network::connect(HostId from, HostId to) {
  assert(from != to);
  connections_.push_back({{from, to}, {EndState::closed, EndState::closed}});
  const ConnectionId id{static_cast<std::uint32_t>(connections_.size())};
  if (is_crashed(from)) return id;
  connection(id).states = {EndState::opening, EndState::unreached};
  trace_.emit(queue_.now(), trace_kind::connection_opening, host(from).actor(),
              {{"connection", static_cast<std::uint32_t>(id)}, {"to", host(to).name()}});
  launch({.kind = FlightKind::open, .to = End::listener, .connection = id});
  return id;
}

ConnectionId Network::connect_before_run(HostId from, HostId to) {
  assert(from != to && !is_crashed(from) && !is_crashed(to));
  connections_.push_back({{from, to}, {EndState::open, EndState::open}});
  return ConnectionId{static_cast<std::uint32_t>(connections_.size())};
}

void Network::close(ConnectionId id, HostId by) {
  if (exists(id)) close_end(id, end_of(connection(id), by), "closed");
}

void Network::close_end(ConnectionId id, End end, std::string_view why) {
  EndState& state = state_at(id, end);
  if (state == EndState::breaking) state = EndState::closed;  // it need not be told any more
  if (state != EndState::opening && state != EndState::open) return;
  state = EndState::closed;
  trace_.emit(queue_.now(), trace_kind::connection_closed, host(host_at(id, end)).actor(),
              {{"connection", static_cast<std::uint32_t>(id)}, {"why", why}});
  const End other = end == End::caller ? End::listener : End::caller;
  if (state_at(id, other) == EndState::closed) return;
  launch({.kind = FlightKind::close, .to = other, .connection = id});
}

HostId Network::peer(ConnectionId id, HostId self) const {
  const Connection& between = connection(id);
  return between.hosts[end_of(between, self) == End::caller ? 1 : 0];
}

bool Network::is_open(ConnectionId id) const {
  if (!exists(id)) return false;
  const Connection& found = connection(id);
  return found.states[0] == EndState::open && found.states[1] == EndState::open;
}

bool Network::is_open(ConnectionId id, HostId self) const {
  if (!exists(id)) return false;
  const Connection& found = connection(id);
  return found.states[index_of(end_of(found, self))] == EndState::open;
}

// -- messages --

bool Network::send(ConnectionId id, HostId from, Payload payload, std::string_view label,
                   ActorId on_behalf_of) {
  if (!is_open(id, from)) return false;
  const HostId to = peer(id, from);
  const Flight message{.kind = FlightKind::message,
                       .to = end_of(connection(id), to),
                       .connection = id,
                       .payload = payload,
                       .message = ++last_message_};
  trace_.emit(queue_.now(), trace_kind::message_sent, host(from).actor(),
              {{"message", message.message},
               {"to", host(to).name()},
               {"connection", static_cast<std::uint32_t>(id)},
               {"label", label},
               {"on_behalf_of",
                on_behalf_of == no_actor ? std::string_view() : trace_.actor(on_behalf_of).name}});
  SendDecision decision;
  if (interceptor_ != nullptr) {
    decision = interceptor_->on_send({from, to, id, label, on_behalf_of, message.message});
  }
  if (is_open(id, from)) {
    apply_decision(message, decision);
  } else {
    lose(message, "connection-closed");
  }
  return true;
}

void Network::apply_decision(const Flight& message, const SendDecision& decision) {
  Flight flight = message;
  flight.report_arrival = decision.report_arrival;
  const HostId from = peer(message.connection, host_at(message.connection, message.to));
  switch (decision.kind) {
    case SendDecision::Kind::deliver:
      break;
    case SendDecision::Kind::drop:
      lose(message, "dropped");
      return;
    case SendDecision::Kind::delay:
      assert(decision.extra_delay_ns >= 0);
      flight.starts_at = queue_.now() + decision.extra_delay_ns;
      trace_.emit(queue_.now(), trace_kind::message_delayed, host(from).actor(),
                  {{"message", message.message}, {"by_ns", decision.extra_delay_ns}});
      break;
    case SendDecision::Kind::hold:
      assert(decision.extra_delay_ns >= 0);
      flight.starts_at = queue_.now() + decision.extra_delay_ns;
      trace_.emit(queue_.now(), trace_kind::message_held, host(from).actor(),
                  {{"message", message.message}, {"at_most_ns", decision.extra_delay_ns}});
      break;
    case SendDecision::Kind::reset:
      reset(message.connection);
      lose(message, "connection-reset");
      return;
  }
  launch(flight);
}

void Network::lose(const Flight& message, std::string_view why) {
  Host& sender = host(peer(message.connection, host_at(message.connection, message.to)));
  trace_.emit(queue_.now(), trace_kind::message_lost, sender.actor(),
              {{"message", message.message}, {"why", why}});
  sender.return_undelivered(message.payload);
}

// -- small steps --

bool Network::exists(ConnectionId id) const {
  const auto number = static_cast<std::uint32_t>(id);
  return number != 0 && number <= connections_.size();
}

Network::Connection& Network::connection(ConnectionId id) {
  assert(exists(id));
  return connections_[static_cast<std::uint32_t>(id) - 1];
}

const Network::Connection& Network::connection(ConnectionId id) const {
  assert(exists(id));
  return connections_[static_cast<std::uint32_t>(id) - 1];
}

Network::End Network::end_of(const Connection& connection, HostId host) {
  assert(connection.hosts[0] == host || connection.hosts[1] == host);
  return connection.hosts[0] == host ? End::caller : End::listener;
}

HostId Network::host_at(ConnectionId id, End end) const {
  return connection(id).hosts[index_of(end)];
}

Network::EndState& Network::state_at(ConnectionId id, End end) {
  return connection(id).states[index_of(end)];
}

bool Network::is_crashed(HostId id) const {
  return hosts_[static_cast<std::size_t>(id)]->state() == HostState::crashed;
}

}  // namespace lockstep::sim
