// Invariants: a channel is in the list while it has subscribers, or while a SUBSCRIBE of it is sent
// and not confirmed, so that an old confirmation is not taken for that of a newer SUBSCRIBE. A link
// without a connection has no confirmed channel and none with confirmations missing.
#include "model/client/subscriptions.h"

#include <algorithm>
#include <lua.hpp>
#include <utility>

#include "model/client/client_process.h"
#include "model/client/discovery.h"
#include "model/client/runtime/fiber_scheduler.h"
#include "model/recorder.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {

// -- what client models ask for --

void Subscriptions::subscribe(Fiber& fiber) {
  const Interaction& request = fiber.interaction;
  Channel* channel = find(request.shard, request.text);
  if (channel == nullptr) {
    channels_.emplace_back();
    channel = &channels_.back();
    channel->shard = request.shard;
    channel->name = request.text;
  }
  if (channel->subscribers++ > 0 && channel->is_confirmed) return answer(fiber, true);
  fiber.attempt = 1;
  start_attempt(fiber);
  channel->subscribing.push_back(fiber.index);
  if (channel->subscribers > 1) return;  // under way already
  channel->unread.clear();
  channel->on_behalf_of = fiber.actor;
  Link& to = link(request.shard);
  if (to.is_open) return subscribe_channel(*channel);
  if (!to.connection) open(request.shard);
}

void Subscriptions::wait_message(Fiber& fiber) {
  const Interaction& request = fiber.interaction;
  Channel* channel = find(request.shard, request.text);
  if (channel == nullptr || channel->subscribers == 0) {
    return fibers_.fail(fiber, "NOTSUBSCRIBED", "NOTSUBSCRIBED wait_message without subscribe",
                        CallEffect::none);
  }
  if (!channel->unread.empty()) {
    const std::string message = std::move(channel->unread.front());
    channel->unread.erase(channel->unread.begin());
    return tell(fiber, message);
  }
  if (request.timeout_ns && *request.timeout_ns <= 0) {
    return answer(fiber, false);
  }
  channel->waiting.push_back(fiber.index);
  fiber.timer = {};
  if (request.timeout_ns) {
    fiber.timer = process_.start_timer(*request.timeout_ns, TimerUse::message_timeout, fiber.index);
  }
}

void Subscriptions::on_message_timeout(Fiber& fiber) {
  forget_waiter(fiber);
  answer(fiber, false);
}

void Subscriptions::unsubscribe(Fiber& fiber) {
  Channel* channel = find(fiber.interaction.shard, fiber.interaction.text);
  if (channel != nullptr && channel->subscribers > 0) {
    channel->on_behalf_of = fiber.actor;
    const std::uint32_t incarnation = process_.incarnation();
    leave_channel(*channel);
    if (process_.incarnation() != incarnation) return;
  }
  fibers_.succeed(fiber, 0);
}

void Subscriptions::leave_channel(Channel& channel) {
  if (--channel.subscribers > 0) return;
  channel.is_confirmed = false;
  const std::size_t shard = channel.shard;
  const std::string name = channel.name;
  const sim::ActorId on_behalf_of = channel.on_behalf_of;
  drop_unused();
  if (link(shard).is_open) send(shard, "UNSUBSCRIBE", "unsubscribe", name, on_behalf_of);
}

void Subscriptions::drop_unused() {
  std::erase_if(channels_, [](const Channel& channel) {
    return channel.subscribers == 0 && channel.confirmations_missing == 0;
  });
}

void Subscriptions::start_attempt(Fiber& fiber) {
  sim::DurationNs wait_ns = process_.retry.timeout_ns;
  if (fiber.interaction.timeout_ns) {
    wait_ns = std::min(wait_ns, *fiber.interaction.timeout_ns);
    *fiber.interaction.timeout_ns -= wait_ns;
  }
  fiber.timer = process_.start_timer(wait_ns, TimerUse::subscribe_timeout, fiber.index);
}

// An attempt that is not confirmed in time opens the connection anew, for all its channels.
void Subscriptions::on_subscribe_timeout(Fiber& fiber) {
  const bool time_is_up = fiber.interaction.timeout_ns == 0;
  if (!time_is_up) {
    process_.environment.trace.emit(process_.now(), trace_kind::call_timed_out, fiber.actor,
                                    {{"label", "subscribe"}, {"attempt", fiber.attempt}});
  }
  if (time_is_up || fiber.attempt > process_.retry.attempts) return give_up(fiber, time_is_up);
  ++fiber.attempt;
  start_attempt(fiber);
  const std::size_t shard = fiber.interaction.shard;
  close(shard);
  open(shard);
}

void Subscriptions::stop_subscribing(Fiber& fiber) {
  Channel& channel = *find(fiber.interaction.shard, fiber.interaction.text);
  std::erase(channel.subscribing, fiber.index);
  leave_channel(channel);
}

void Subscriptions::give_up(Fiber& fiber, bool time_is_up) {
  const std::uint32_t incarnation = process_.incarnation();
  stop_subscribing(fiber);
  if (process_.incarnation() != incarnation) return;
  if (time_is_up) return answer(fiber, false);
  fibers_.fail(fiber, "TIMEOUT", "TIMEOUT no confirmation of subscribe", CallEffect::none);
}

void Subscriptions::answer(Fiber& fiber, bool yes) {
  lua_pushboolean(fiber.lua, yes ? 1 : 0);
  fibers_.succeed(fiber, 1);
}

void Subscriptions::tell(Fiber& fiber, std::string_view message) {
  const lua::Memory::Unlimited unlimited(process_.runtime.state.memory());
  lua_pushboolean(fiber.lua, 1);
  lua_pushlstring(fiber.lua, message.data(), message.size());
  fibers_.succeed(fiber, 2);
}

// -- the connection --

void Subscriptions::open(std::size_t shard) {
  Link& to = link(shard);
  process_.host.cancel_timer(to.reconnect);
  const std::optional<sim::HostId> node = discovery_.master_of(shard);
  if (!node) return plan_reconnection(shard);
  to.node = *node;
  to.connection = process_.environment.network.connect(process_.id, to.node);
  to.is_open = false;
}

void Subscriptions::close(std::size_t shard) {
  Link& to = link(shard);
  if (to.connection) process_.environment.network.close(*to.connection, process_.id);
  lost(shard);
}

void Subscriptions::lost(std::size_t shard) {
  Link& to = link(shard);
  to.connection.reset();
  to.is_open = false;
  for (Channel& channel : channels_) {
    if (channel.shard != shard) continue;
    channel.is_confirmed = false;
    channel.confirmations_missing = 0;
  }
  drop_unused();
}

bool Subscriptions::on_opened(sim::ConnectionId connection) {
  const auto found = std::find_if(links_.begin(), links_.end(),
                                  [&](const Link& each) { return each.connection == connection; });
  if (found == links_.end()) return false;
  found->is_open = true;
  found->was_refused = false;
  const auto shard = static_cast<std::size_t>(found - links_.begin());
  const std::uint32_t incarnation = process_.incarnation();
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (channels_[i].shard != shard || channels_[i].subscribers == 0) continue;
    subscribe_channel(channels_[i]);
    if (process_.incarnation() != incarnation) break;
  }
  return true;
}

bool Subscriptions::on_closed(sim::ConnectionId connection) {
  const auto found = std::find_if(links_.begin(), links_.end(),
                                  [&](const Link& each) { return each.connection == connection; });
  if (found == links_.end()) return false;
  const auto shard = static_cast<std::size_t>(found - links_.begin());
  const bool was_open = found->is_open && !found->was_refused;
  discovery_.on_node_failure(shard, found->node);
  lost(shard);
  if (!is_needed(shard)) return true;
  if (was_open) {
    open(shard);
  } else {
    plan_reconnection(shard);
  }
  return true;
}

/// Nobody there. Who only waits for a message does not keep the run alive by asking again.
void Subscriptions::plan_reconnection(std::size_t shard) {
  link(shard).reconnect = process_.start_timer(process_.retry.interval_ns, TimerUse::reconnect,
                                               shard, sim::EventKind::daemon);
}

void Subscriptions::on_reconnect_due(std::size_t shard) {
  if (is_needed(shard) && !link(shard).connection) open(shard);
}

void Subscriptions::leave_old_master(std::size_t shard) {
  const Link& to = link(shard);
  const std::optional<sim::HostId> master = discovery_.master_of(shard);
  if (!to.connection || !master || to.node == *master) return;
  close(shard);
  if (is_needed(shard)) open(shard);
}

void Subscriptions::subscribe_channel(Channel& channel) {
  ++channel.confirmations_missing;
  send(channel.shard, "SUBSCRIBE", "subscribe", channel.name, channel.on_behalf_of);
}

void Subscriptions::send(std::size_t shard, std::string_view command, std::string_view label,
                         const std::string& channel, sim::ActorId on_behalf_of) {
  const sim::Payload payload = process_.environment.messages.make();
  Message& message = process_.environment.messages[payload];
  message.kind = Message::Kind::request;
  message.label = label;
  message.on_behalf_of = on_behalf_of;
  message.arguments.push(command);
  message.arguments.push(channel);
  if (process_.environment.network.send(*link(shard).connection, process_.id, payload, label,
                                        on_behalf_of)) {
    process_.environment.recorder.add_request(static_cast<std::uint32_t>(process_.id),
                                              on_behalf_of);
  } else {
    process_.environment.messages.release(payload);  // closed: the notice of that is on its way
  }
}

// -- what the server says --

bool Subscriptions::on_message(sim::ConnectionId connection, sim::Payload payload) {
  const auto found = std::find_if(links_.begin(), links_.end(),
                                  [&](const Link& each) { return each.connection == connection; });
  if (found == links_.end()) return false;
  const auto shard = static_cast<std::size_t>(found - links_.begin());
  const redis::Reply& reply = process_.environment.messages[payload].reply;
  if (reply.is_error()) found->was_refused = true;
  if (reply.kind == redis::Reply::Kind::array && reply.elements.size() >= 2) {
    const std::string_view what = reply.elements[0].text;
    const std::string_view channel = reply.elements[1].text;
    if (what == "subscribe") confirmed(shard, channel);
    if (what == "message" && reply.elements.size() >= 3) {
      published(shard, channel, reply.elements[2].text);
    }
  }
  process_.environment.messages.release(payload);
  return true;
}

void Subscriptions::confirmed(std::size_t shard, std::string_view name) {
  Channel* channel = find(shard, name);
  if (channel == nullptr || channel->confirmations_missing == 0) return;
  if (--channel->confirmations_missing > 0) return;
  if (channel->subscribers == 0) return drop_unused();
  channel->is_confirmed = true;
  for (const std::uint32_t index : channel->subscribing) {
    Fiber& fiber = fibers_[index];
    process_.host.cancel_timer(fiber.timer);
    answer(fiber, true);
  }
  channel->subscribing.clear();
}

void Subscriptions::published(std::size_t shard, std::string_view name, std::string_view message) {
  Channel* channel = find(shard, name);
  if (channel == nullptr || !channel->is_confirmed) return;
  if (channel->waiting.empty()) {
    channel->unread.emplace_back(message);
    return;
  }
  Fiber& fiber = fibers_[channel->waiting.front()];
  channel->waiting.erase(channel->waiting.begin());
  process_.host.cancel_timer(fiber.timer);
  tell(fiber, message);
}

// -- small steps --

Subscriptions::Channel* Subscriptions::find(std::size_t shard, std::string_view name) {
  const auto found = std::find_if(channels_.begin(), channels_.end(), [&](const Channel& channel) {
    return channel.shard == shard && channel.name == name;
  });
  return found == channels_.end() ? nullptr : &*found;
}

Subscriptions::Link& Subscriptions::link(std::size_t shard) {
  if (shard >= links_.size()) links_.resize(shard + 1);
  return links_[shard];
}

bool Subscriptions::is_needed(std::size_t shard) const {
  return std::any_of(channels_.begin(), channels_.end(), [&](const Channel& channel) {
    return channel.shard == shard && channel.subscribers > 0;
  });
}

void Subscriptions::forget_waiter(const Fiber& fiber) {
  for (Channel& channel : channels_) {
    std::erase(channel.waiting, fiber.index);
    std::erase(channel.subscribing, fiber.index);
  }
}

void Subscriptions::forget_all() {
  channels_.clear();
  links_.clear();
}

std::vector<std::string> Subscriptions::live() const {
  std::vector<std::string> names;
  for (const Channel& channel : channels_) {
    if (channel.subscribers > 0) names.push_back(channel.name);
  }
  return names;
}

}  // namespace lockstep::model
