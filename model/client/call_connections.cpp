// Which connection carries a call: one of a pool's, or the one that all calls share.
//
// A call that waits for a connection is in under_way_ without one. In a pool that means that as
// many are in use as there may be; where there is but one, that it is lost and nobody listens, or
// that no master is known.
#include <algorithm>
#include <string>
#include <utility>

#include "model/client/calls.h"
#include "model/client/client_process.h"
#include "model/client/discovery.h"
#include "model/client/runtime/fiber_scheduler.h"
#include "model/client/service_operations.h"
#include "model/client/subscriptions.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {

void Calls::take_connection(Fiber& fiber) {
  fiber.connection = {};
  under_way_.push_back(fiber.index);
  if (is_shared()) return use_shared(fiber);
  const bool others_wait =
      process_.connections.pool_size > 0 &&
      std::any_of(under_way_.begin(), under_way_.end() - 1, [&](std::uint32_t index) {
        const Fiber& other = fibers_[index];
        return other.interaction.shard == fiber.interaction.shard &&
               other.connection == sim::ConnectionId{};
      });
  if (others_wait || !has_room(fiber.interaction.shard)) return wait_for_pooled(fiber);
  use_pooled(fiber);
}

void Calls::assign(Fiber& fiber, Connection& connection) {
  fiber.connection = connection.id;
  ++connection.users;
}

/// The attempt has no connection any more, and waits for none.
void Calls::take_off(Fiber& fiber) {
  if (Connection* const used = find(fiber.connection); used != nullptr) --used->users;
  std::erase(under_way_, fiber.index);
  fiber.connection = {};
  fiber.is_sent = false;
}

// -- what becomes of a connection --

bool Calls::on_opened(sim::ConnectionId id) {
  Connection* const opened = find(id);
  if (opened == nullptr) return false;
  opened->is_open = true;
  if (is_shared()) shared(opened->shard).was_open = true;
  const std::uint32_t incarnation = process_.incarnation();
  for (std::size_t i = 0; i < under_way_.size(); ++i) {
    Fiber& fiber = fibers_[under_way_[i]];
    if (fiber.connection != id) continue;
    send_commands(fiber);
    if (process_.incarnation() != incarnation || !is_shared()) break;
  }
  return true;
}

bool Calls::on_refused(sim::ConnectionId id) {
  if (find(id) == nullptr) return false;
  lose(id);
  return true;
}

bool Calls::on_closed(sim::ConnectionId id) { return on_refused(id); }

void Calls::lose(sim::ConnectionId id) {
  const Connection lost = *find(id);
  const bool was_refused = !lost.is_open || lost.was_refused;
  remove(id);
  if (is_shared()) return on_shared_lost(lost, Loss::broken);
  discovery_.on_node_failure(lost.shard, lost.node);
  Fiber* const user = user_of(id);
  if (user == nullptr) return;
  take_off(*user);
  if (!was_refused) user->may_have_had_effect = true;
  on_attempt_failed(*user, was_refused ? RetryWhen::after_interval : RetryWhen::at_once);
}

void Calls::on_new_master(std::size_t shard) {
  leave_old_master(shard);
  if (!is_shared() || shared_connection(shard) != nullptr) return;
  const bool is_wanted = shared(shard).was_open ||
                         std::any_of(under_way_.begin(), under_way_.end(), [&](std::uint32_t each) {
                           return fibers_[each].interaction.shard == shard;
                         });
  if (is_wanted) open_shared(shard);
}

void Calls::leave_old_master(std::size_t shard) {
  const std::optional<sim::HostId> master = discovery_.master_of(shard);
  if (!master) return;
  for (std::size_t i = connections_.size(); i-- > 0;) {
    const Connection left = connections_[i];
    if (left.shard != shard || left.node == *master) continue;
    if (!is_shared() && left.users > 0) continue;
    remove(left.id);
    process_.environment.network.close(left.id, process_.id);
    if (is_shared()) return on_shared_lost(left, Loss::left_it);
  }
}

/// What was sent on an earlier connection is a call without a reply.
void Calls::refuse_for_want_of_connection(Fiber& fiber) {
  const bool was_never_sent = !fiber.may_have_had_effect;
  if (was_never_sent)
    fiber.last_error = std::string(no_connection_code) + " no connection for " +
                       std::string(fiber.interaction.commands[0].label);
  take_off(fiber);
  on_attempt_failed(fiber, RetryWhen::after_interval);
}

void Calls::tell_of_waiting(const Fiber& fiber, std::string_view why) {
  process_.environment.trace.emit(process_.now(), trace_kind::call_queued, fiber.actor,
                                  {{"label", fiber.interaction.commands[0].label}, {"why", why}});
}

// -- a pool --

Calls::Connection* Calls::idle_connection(std::size_t shard) {
  const auto idle =
      std::find_if(connections_.begin(), connections_.end(), [&](const Connection& each) {
        return each.shard == shard && each.users == 0 && each.unread_replies == 0;
      });
  return idle == connections_.end() ? nullptr : &*idle;
}

bool Calls::has_room(std::size_t shard) {
  if (process_.connections.pool_size == 0 || idle_connection(shard) != nullptr) return true;
  const auto count = std::count_if(connections_.begin(), connections_.end(),
                                   [&](const Connection& each) { return each.shard == shard; });
  return count < process_.connections.pool_size;
}

/// REQUIRES: there is room.
void Calls::use_pooled(Fiber& fiber) {
  const std::size_t shard = fiber.interaction.shard;
  if (Connection* const idle = idle_connection(shard); idle != nullptr) {
    assign(fiber, *idle);
    return send_commands(fiber);
  }
  leave_old_master(shard);
  subscriptions_.leave_old_master(shard);
  const std::optional<sim::HostId> node = discovery_.master_of(shard);
  if (!node) {
    take_off(fiber);
    return on_attempt_failed(fiber, RetryWhen::after_interval);
  }
  const sim::ConnectionId id = process_.environment.network.connect(process_.id, *node);
  assign(fiber, connections_.emplace_back(Connection{id, shard, *node}));
}

void Calls::wait_for_pooled(Fiber& fiber) {
  if (process_.connections.pool_timeout_ns == 0) return refuse_for_want_of_connection(fiber);
  tell_of_waiting(fiber, "pool");
  process_.host.cancel_timer(fiber.timer);
  fiber.timer = process_.start_timer(process_.connections.pool_timeout_ns, TimerUse::call_timeout,
                                     fiber.index);
}

/// The call that has waited longest of those that there is a connection for now.
Fiber* Calls::next_served() {
  for (const std::uint32_t index : under_way_) {
    Fiber& fiber = fibers_[index];
    if (fiber.connection == sim::ConnectionId{} && has_room(fiber.interaction.shard)) return &fiber;
  }
  return nullptr;
}

void Calls::serve_waiting() {
  if (is_shared() || process_.connections.pool_size == 0) return;
  const std::uint32_t incarnation = process_.incarnation();
  while (Fiber* const next = next_served()) {
    process_.host.cancel_timer(next->timer);
    next->timer =
        process_.start_timer(process_.retry.timeout_ns, TimerUse::call_timeout, next->index);
    use_pooled(*next);
    if (process_.incarnation() != incarnation) return;
  }
}

// -- one connection --

bool Calls::is_shared() const { return process_.connections.kind == ConnectionSettings::Kind::one; }

Calls::Shared& Calls::shared(std::size_t shard) {
  if (shard >= shared_.size()) shared_.resize(shard + 1);
  return shared_[shard];
}

Calls::Connection* Calls::shared_connection(std::size_t shard) {
  const auto found = std::find_if(connections_.begin(), connections_.end(),
                                  [&](const Connection& each) { return each.shard == shard; });
  return found == connections_.end() ? nullptr : &*found;
}

void Calls::use_shared(Fiber& fiber) {
  const std::size_t shard = fiber.interaction.shard;
  Connection* const connection = shared_connection(shard);
  if (connection != nullptr && connection->is_open) {
    assign(fiber, *connection);
    return send_commands(fiber);
  }
  const bool is_lost = shared(shard).was_open || shared(shard).reconnect != sim::TimerId{};
  if (is_lost) {
    const bool is_dropped = process_.connections.reconnect == ConnectionSettings::Reconnect::drop;
    if (is_dropped) return refuse_for_want_of_connection(fiber);
    tell_of_waiting(fiber, "reconnect");
  }
  if (connection != nullptr) return assign(fiber, *connection);
  if (shared(shard).reconnect == sim::TimerId{}) open_shared(shard);
}

/// The calls that wait for it will use it, in their order.
void Calls::open_shared(std::size_t shard) {
  process_.host.cancel_timer(std::exchange(shared(shard).reconnect, sim::TimerId{}));
  subscriptions_.leave_old_master(shard);
  const std::optional<sim::HostId> node = discovery_.master_of(shard);
  if (!node) return plan_reconnection(shard);
  const sim::ConnectionId id = process_.environment.network.connect(process_.id, *node);
  Connection& opening = connections_.emplace_back(Connection{id, shard, *node});
  for (const std::uint32_t index : under_way_) {
    if (fibers_[index].interaction.shard == shard) assign(fibers_[index], opening);
  }
}

/// Opening it again does not keep the run alive; the calls that wait for it do.
void Calls::plan_reconnection(std::size_t shard) {
  const sim::DurationNs wait_ns = std::max(process_.retry.interval_ns, sim::millisecond_ns);
  shared(shard).reconnect =
      process_.start_timer(wait_ns, TimerUse::call_reconnect, shard, sim::EventKind::daemon);
}

void Calls::on_reconnect_due(std::size_t shard) {
  shared(shard).reconnect = {};
  if (shared_connection(shard) == nullptr) open_shared(shard);
}

/// REQUIRES: it is no longer one of connections_.
void Calls::on_shared_lost(const Connection& lost, Loss how) {
  using Reconnect = ConnectionSettings::Reconnect;
  const Reconnect habit = process_.connections.reconnect;
  const bool was_refused = !lost.is_open || lost.was_refused;
  struct Failed {
    std::uint32_t fiber;
    bool was_sent;
  };
  std::vector<Failed> failed;
  for (const std::uint32_t index : under_way_) {
    Fiber& fiber = fibers_[index];
    if (fiber.connection != lost.id) continue;
    fiber.connection = {};
    // Whom the server refused as a client it has executed nothing for.
    const bool was_sent = std::exchange(fiber.is_sent, false) && !was_refused;
    if (was_sent) fiber.may_have_had_effect = true;
    if (habit == Reconnect::drop || (was_sent && habit == Reconnect::queue)) {
      failed.push_back({index, was_sent});
    } else if (was_sent) {
      operations_.set_repeated(fiber.thread);
      process_.environment.trace.emit(
          process_.now(), trace_kind::call_resent, fiber.actor,
          {{"label", fiber.interaction.commands[0].label}, {"attempt", fiber.attempt}});
    }
  }
  for (const Failed& each : failed) take_off(fibers_[each.fiber]);
  if (how == Loss::broken) discovery_.on_node_failure(lost.shard, lost.node);
  if (shared_connection(lost.shard) == nullptr && shared(lost.shard).reconnect == sim::TimerId{}) {
    const bool opens_at_once = how == Loss::left_it || !was_refused;
    opens_at_once ? open_shared(lost.shard) : plan_reconnection(lost.shard);
  }
  const std::uint32_t incarnation = process_.incarnation();
  for (const Failed& each : failed) {
    if (process_.incarnation() != incarnation) return;
    Fiber& fiber = fibers_[each.fiber];
    if (each.was_sent) {
      on_attempt_failed(fiber, RetryWhen::at_once);
    } else {
      refuse_for_want_of_connection(fiber);
    }
  }
}

// -- small steps --

Calls::Connection* Calls::find(sim::ConnectionId id) {
  const auto found = std::find_if(connections_.begin(), connections_.end(),
                                  [&](const Connection& each) { return each.id == id; });
  return found == connections_.end() ? nullptr : &*found;
}

void Calls::remove(sim::ConnectionId id) {
  std::erase_if(connections_, [&](const Connection& each) { return each.id == id; });
}

/// The call that a pooled connection is taken by.
Fiber* Calls::user_of(sim::ConnectionId id) {
  const auto user = std::find_if(under_way_.begin(), under_way_.end(), [&](std::uint32_t index) {
    return fibers_[index].connection == id;
  });
  return user == under_way_.end() ? nullptr : &fibers_[*user];
}

}  // namespace lockstep::model
