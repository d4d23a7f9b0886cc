#include "model/client/client.h"

#include <utility>

#include "model/client/client_components.h"

namespace lockstep::model {

struct Client::Implementation {
  ClientComponents parts;
};

Client::Client(const scenario::ClientSpec& spec, sim::ActorId actor,
               std::vector<sim::ActorId> threads, const ClientEnvironment& environment,
               ClientRuntime& runtime)
    : Host(spec.name, actor, environment.queue, environment.trace),
      implementation_(new Implementation{ClientComponents(
          *this, spec, std::move(threads), environment, runtime.implementation())}) {}

Client::~Client() = default;

void Client::set_host_id(sim::HostId id) { implementation_->parts.id = id; }

void Client::start_run(sim::ChoiceSource& choices) { implementation_->parts.start_run(choices); }

void Client::order(ThreadFault order, std::size_t thread) {
  implementation_->parts.order(order, static_cast<std::uint32_t>(thread));
}

bool Client::is_in_call(std::size_t thread) const {
  return implementation_->parts.thread_faults.is_in_call(static_cast<std::uint32_t>(thread));
}

void Client::postpone(const Postponement& postponement, PostponementListener& listener) {
  if (implementation_->parts.is_dead()) return;
  implementation_->parts.postponements.set_listener(&listener);
  implementation_->parts.postponements.order(postponement);
}

void Client::set_callback_listener(CallbackListener* listener) {
  implementation_->parts.postponements.set_callback_listener(listener);
}

void Client::cancel_postponement(std::size_t fault) {
  implementation_->parts.postponements.cancel(fault);
}

bool Client::finished() const {
  return implementation_->parts.is_dead() || implementation_->parts.workload.finished();
}

std::vector<std::string> Client::live_tasks() const { return implementation_->parts.tasks.live(); }

std::vector<std::string> Client::live_subscriptions() const {
  return implementation_->parts.subscriptions.live();
}

const std::vector<std::string>& Client::failures() const { return implementation_->parts.failures; }

bool Client::client_number_was_read() const {
  return implementation_->parts.client_number_was_read;
}

std::size_t Client::thread_count() const { return implementation_->parts.workload.thread_count(); }

bool Client::outcomes_are_known() const {
  const ClientComponents& parts = implementation_->parts;
  for (std::uint32_t thread = 0; thread < parts.workload.thread_count(); ++thread) {
    if (parts.service_operations.has_unknown(thread)) return false;
  }
  return parts.failures.empty();
}

checker::NameId Client::owner(std::size_t thread) const {
  return implementation_->parts.workload.owner(static_cast<std::uint32_t>(thread));
}

checker::NameId Client::owner_of_field(std::string_view field) const {
  const auto thread = implementation_->parts.thread_of_owner(field);
  return thread ? implementation_->parts.workload.owner(*thread) : checker::no_name;
}

void Client::on_incoming(const sim::Incoming& incoming) {
  implementation_->parts.on_incoming(incoming);
}

void Client::on_dropped(sim::Payload payload) {
  implementation_->parts.environment.messages.release(payload);
}

void Client::on_start() {}

void Client::on_crash() { implementation_->parts.on_crash(); }

void Client::digest_into(sim::Digest& digest) const {
  implementation_->parts.digest_into(digest);
  Host::digest_into(digest);
}

void Client::look(HostView& view) const { implementation_->parts.look(view); }

std::string Client::reachable_code(std::span<const scenario::StepKind> steps) const {
  return implementation_->parts.client_model.reachable_code(steps);
}

void Client::digest_cookie(sim::Digest& digest, std::uint64_t cookie) const {
  implementation_->parts.digest_cookie(digest, cookie);
}

void Client::digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                            sim::Payload payload) const {
  implementation_->parts.environment.messages[payload].digest_into(digest, connection);
}

}  // namespace lockstep::model
