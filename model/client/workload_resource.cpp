// The `write` step: a read-modify-write of the protected resource, in two requests. Each thread has
// a connection of its own to it. There is no time-out: a lost message leaves the thread waiting.
#include <algorithm>

#include "model/client/client_process.h"
#include "model/client/workload.h"
#include "model/messages.h"
#include "model/recorder.h"
#include "scenario/milestones.h"
#include "sim/network.h"

namespace lockstep::model {

void Workload::begin_write(std::uint32_t thread) {
  Thread& self = threads_[thread];
  self.access = Access::read;
  if (self.resource_is_open) return send_access(thread);
  self.resource = process_.environment.network.connect(process_.id, process_.environment.resource);
}

void Workload::send_access(std::uint32_t thread) {
  Thread& self = threads_[thread];
  const bool is_read = self.access == Access::read;
  const std::string_view label = is_read ? "read" : "write";
  const sim::Payload payload = process_.environment.messages.make();
  Message& message = process_.environment.messages[payload];
  message.kind = is_read ? Message::Kind::resource_read : Message::Kind::resource_write;
  message.number = self.version;
  message.token = self.token;
  message.label = label;
  message.on_behalf_of = self.actor;
  if (!process_.environment.network.send(*self.resource, process_.id, payload, label, self.actor)) {
    process_.environment.messages.release(payload);  // closed: the notice of that is on its way
  }
}

bool Workload::on_opened(sim::ConnectionId connection) {
  const auto thread = thread_at(connection);
  if (!thread) return false;
  threads_[*thread].resource_is_open = true;
  send_access(*thread);
  return true;
}

bool Workload::on_closed(sim::ConnectionId connection) {
  const auto thread = thread_at(connection);
  if (!thread) return false;
  Thread& self = threads_[*thread];
  self.resource.reset();
  self.resource_is_open = false;
  if (self.access == Access::none) return true;
  self.access = Access::none;
  complete_step(self, "info", "the connection to the resource was lost");
  enqueue_next_step(*thread);
  return true;
}

bool Workload::on_message(sim::ConnectionId connection, sim::Payload payload) {
  const auto thread = thread_at(connection);
  if (!thread) return false;
  const Message& message = process_.environment.messages[payload];
  const bool accepted = message.accepted;
  threads_[*thread].version = message.number;
  process_.environment.messages.release(payload);
  access_answered(*thread, accepted);
  return true;
}

void Workload::access_answered(std::uint32_t thread, bool accepted) {
  Thread& self = threads_[thread];
  enqueue_next_step(thread);
  if (self.access == Access::read) {
    self.access = Access::write;
    process_.environment.recorder.milestone(scenario::Milestone::read, self.actor, {});
    return;
  }
  self.access = Access::none;
  complete_step(self, accepted ? "ok" : "fail", accepted ? "" : "the resource refused the token");
  if (accepted) process_.environment.recorder.milestone(scenario::Milestone::wrote, self.actor, {});
}

std::optional<std::uint32_t> Workload::thread_at(sim::ConnectionId connection) const {
  const auto found = std::find_if(threads_.begin(), threads_.end(), [&](const Thread& thread) {
    return thread.resource == connection;
  });
  if (found == threads_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - threads_.begin());
}

}  // namespace lockstep::model
