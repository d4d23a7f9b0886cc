#include "model/sentinel/sentinel_node.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "model/sentinel/sentinel_times.h"
#include "model/trace_vocabulary.h"
#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"
#include "scenario/sentinel_names.h"

namespace lockstep::model {
namespace {

constexpr std::uint64_t round_cookie = 0;
constexpr std::uint64_t begin_cookie = 1;

}  // namespace

SentinelNode::SentinelNode(std::string name, sim::ActorId actor, const scenario::SentinelSpec& spec,
                           const SentinelEnvironment& environment)
    : Host(std::move(name), actor, environment.queue, environment.trace),
      environment_(environment),
      links_(environment.network, environment.messages),
      clients_(environment.network, environment.messages),
      down_after_ms_(spec.down_after_ns / sim::millisecond_ns),
      failover_timeout_ms_(spec.failover_timeout_ns / sim::millisecond_ns),
      quorum_(scenario::quorum_of(spec)),
      master_(InstanceKind::master, sim::HostId{}, {}, 0) {}

void SentinelNode::set_host_id(sim::HostId id) {
  id_ = id;
  links_.set_host_id(id);
  clients_.set_host_id(id);
}

const std::string& SentinelNode::current_master() const { return master_.name; }

// -- the process --

void SentinelNode::start_run(sim::ChoiceSource& choices, const WatchedHosts& watched) {
  choices_ = &choices;
  links_.start_run();
  current_epoch_ = 0;
  config_epoch_ = 0;
  vote_ = {};
  const auto name_of = [&](sim::HostId host) { return environment_.network.host(host).name(); };
  master_ = Instance(InstanceKind::master, watched.master, name_of(watched.master), 0);
  replicas_.clear();
  sentinels_.clear();
  for (const sim::HostId replica : watched.replicas) {
    replicas_.emplace_back(InstanceKind::replica, replica, name_of(replica), 0);
  }
  for (const sim::HostId sentinel : watched.sentinels) {
    if (sentinel == id_) continue;
    sentinels_.emplace_back(InstanceKind::sentinel, sentinel, name_of(sentinel), 0);
  }
  begin();
}

/// The caller may still be using this process's state, so the restart happens in its own event.
void SentinelNode::on_start() { start_timer(0, begin_cookie, sim::EventKind::daemon); }

void SentinelNode::on_crash() { is_up_ = false; }

/// Starts from sentinel.conf, which keeps only the names of known instances.
void SentinelNode::begin() {
  const std::int64_t now = now_ms();
  const auto forget = [&](Instance& known) {
    links_.lose(known.commands);
    links_.lose(known.events);
    known = Instance(known.kind, known.host, std::string(known.name), now);
  };
  forget(master_);
  for (Instance& replica : replicas_) forget(replica);
  for (Instance& sentinel : sentinels_) forget(sentinel);
  clients_.forget_all();
  failover_ = {};
  vote_.leader.clear();
  is_tilted_ = false;
  last_tick_at_ms_ = now;
  is_up_ = true;
  start_timer(random_below(tick_max_ms) * sim::millisecond_ns, round_cookie,
              sim::EventKind::daemon);
}

/// Redis varies its frequency constantly, so that sentinels do not stay in step.
void SentinelNode::schedule_tick() {
  const std::int64_t rounds_per_s = ticks_per_s_min + random_below(ticks_per_s_min);
  start_timer(sim::second_ns / rounds_per_s, round_cookie, sim::EventKind::daemon);
}

void SentinelNode::tick() {
  schedule_tick();
  check_tilt();
  handle(master_);
  for (std::size_t i = 0; i < replicas_.size(); ++i) handle(replicas_[i]);
  for (std::size_t i = 0; i < sentinels_.size(); ++i) handle(sentinels_[i]);
  if (is_up_ && failover_.state == FailoverState::update_config) {
    switch_to(failover_.promoted);
  }
}

void SentinelNode::check_tilt() {
  const std::int64_t now = now_ms();
  const std::int64_t since_last_ms = now - std::exchange(last_tick_at_ms_, now);
  if (since_last_ms >= 0 && since_last_ms <= tilt_trigger_ms) return;
  is_tilted_ = true;
  tilted_at_ms_ = now;
  announce("+tilt", "#tilt mode entered");
}

/// Any step may trigger a fault that ends its process: then the rest of the tick is skipped.
void SentinelNode::handle(Instance& instance) {
  if (!is_up_) return;
  reconnect(instance);
  send_periodically(instance);
  if (is_tilted_) {
    if (now_ms() - tilted_at_ms_ < tilt_period_ms) return;
    is_tilted_ = false;
    announce("-tilt", "#tilt mode exited");
  }
  check_subjectively_down(instance);
  if (!is_up_ || instance.kind != InstanceKind::master) return;
  check_objectively_down();
  if (!is_up_) return;
  if (start_failover_if_needed()) ask_others(Urgency::at_once);
  advance_failover();
  if (is_up_) ask_others(Urgency::when_due);
}

// -- what reaches it --

void SentinelNode::on_incoming(const sim::Incoming& incoming) {
  switch (incoming.kind) {
    case sim::Incoming::Kind::message:
      on_message(incoming.connection, incoming.argument);
      environment_.messages.release(incoming.argument);
      return;
    case sim::Incoming::Kind::connection_opened:
      return on_opened(incoming.connection);
    case sim::Incoming::Kind::connection_refused:
    case sim::Incoming::Kind::connection_closed:
      return on_closed(incoming.connection);
    case sim::Incoming::Kind::timer:
      return incoming.argument == begin_cookie ? begin() : tick();
    case sim::Incoming::Kind::resumed_work:
      return;
  }
}

void SentinelNode::on_opened(sim::ConnectionId connection) {
  const Found found = find(connection);
  if (found.channel == nullptr) return clients_.add(connection);
  links_.on_opened(*found.channel);
}

void SentinelNode::on_closed(sim::ConnectionId connection) {
  const Found found = find(connection);
  if (found.channel == nullptr) return clients_.remove(connection);
  links_.lose(*found.channel);
  found.instance->is_disconnected = true;
}

void SentinelNode::on_message(sim::ConnectionId connection, sim::Payload payload) {
  if (!is_up_) return;
  const Message& message = environment_.messages[payload];
  const Found from = find(connection);
  if (from.channel == nullptr) {
    if (message.kind == Message::Kind::request) answer(connection, message);
    return;
  }
  if (from.channel == &from.instance->events) {
    from.instance->heard_at_ms = now_ms();
    const auto& elements = message.reply.elements;
    if (elements.size() == 3 && elements[0].text == "message") {
      return on_hello(std::string(elements[2].text));
    }
  }
  if (message.kind == Message::Kind::reply) on_reply(from, message);
}

void SentinelNode::on_reply(const Found& from, const Message& message) {
  auto& expected = from.channel->expected;
  const auto found = std::find_if(expected.begin(), expected.end(),
                                  [&](const auto& each) { return each.number == message.number; });
  if (found == expected.end()) return;
  const SentinelRequest request = found->request;
  expected.erase(found);
  Instance& instance = *from.instance;
  switch (request) {
    case SentinelRequest::ping:
      return on_ping_reply(instance, message.reply);
    case SentinelRequest::info:
      if (!message.reply.is_error()) on_info(instance, message.reply.text);
      return;
    case SentinelRequest::hello:
      if (!message.reply.is_error()) instance.published_at_ms = now_ms();
      return;
    case SentinelRequest::ask:
      return on_ask_reply(instance, message.reply);
    case SentinelRequest::listen:
    case SentinelRequest::order:
    case SentinelRequest::kill_script:
      return;
  }
}

// -- small steps --

SentinelNode::Found SentinelNode::find(sim::ConnectionId connection) {
  const auto channel_of = [&](Instance& instance) -> InstanceConnection* {
    if (instance.commands.connection == connection) return &instance.commands;
    return instance.events.connection == connection ? &instance.events : nullptr;
  };
  if (InstanceConnection* channel = channel_of(master_); channel != nullptr)
    return {&master_, channel};
  for (std::vector<Instance>* among : {&replicas_, &sentinels_}) {
    for (Instance& instance : *among) {
      if (InstanceConnection* channel = channel_of(instance); channel != nullptr)
        return {&instance, channel};
    }
  }
  return {};
}

Instance* SentinelNode::find(std::vector<Instance>& among, std::string_view name) {
  const auto found = std::find_if(among.begin(), among.end(),
                                  [&](const Instance& each) { return each.name == name; });
  return found == among.end() ? nullptr : &*found;
}

std::int64_t SentinelNode::now_ms() const { return sim::floor_to_ms(wall_ns()); }

std::int64_t SentinelNode::random_below(std::int64_t bound) {
  const auto owner = static_cast<std::uint32_t>(id_);
  return static_cast<std::int64_t>(
      choices_->choose({sim::Purpose::server_random, owner}, static_cast<std::uint64_t>(bound)));
}

void SentinelNode::announce(std::string_view event, const Instance& about, std::string_view more) {
  if (!is_up_) return;
  trace().emit(now(), trace_kind::sentinel_event, actor(),
               {{"event", event}, {"about", about.name}, {"more", more}});
  if (clients_.is_anybody_listening()) clients_.publish(event, describe(about, more));
}

void SentinelNode::announce(std::string_view event, std::string_view text) {
  if (!is_up_) return;
  trace().emit(now(), trace_kind::sentinel_event, actor(),
               {{"event", event}, {"about", std::string_view()}, {"more", text}});
  clients_.publish(event, text);
}

void SentinelNode::announce_switch(std::string_view new_master) {
  if (!is_up_) return;
  trace().emit(now(), trace_kind::sentinel_event, actor(),
               {{"event", "+switch-master"}, {"about", master_.name}, {"more", new_master}});
  const redis::IntegerText port(node_port);
  std::string text(master_name);
  text.append(" ").append(master_.name).append(" ").append(port.view());
  text.append(" ").append(new_master).append(" ").append(port.view());
  clients_.publish("+switch-master", text);
}

/// "slave n1-replica-1:6379 n1-replica-1 6379 @ mymaster n1 6379", as Sentinel has it.
std::string SentinelNode::describe(const Instance& about, std::string_view more) const {
  const bool is_sentinel = about.kind == InstanceKind::sentinel;
  const redis::IntegerText port(is_sentinel ? sentinel_port : node_port);
  std::string text(to_string(about.kind));
  text.append(" ");
  if (about.kind == InstanceKind::master) {
    text.append(master_name);
  } else {
    text.append(about.name);
    if (!is_sentinel) text.append(":").append(port.view());
  }
  text.append(" ").append(about.name).append(" ").append(port.view());
  if (about.kind != InstanceKind::master) {
    text.append(" @ ").append(master_name).append(" ").append(master_.name).append(" ");
    text.append(redis::IntegerText(node_port).view());
  }
  if (!more.empty()) text.append(" ").append(more);
  return text;
}

}  // namespace lockstep::model
