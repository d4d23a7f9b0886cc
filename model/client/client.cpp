#include "model/client/client.h"

#include <utility>

#include "model/client/client_components.h"
#include "scenario/workload_spec.h"

namespace lockstep::model {

struct Client::Implementation {
  ClientComponents components;
};

Client::Client(const scenario::ClientSpec& spec, sim::ActorId actor,
               std::vector<sim::ActorId> threads, const ClientEnvironment& environment,
               ClientRuntime& runtime)
    : Host(spec.name, actor, environment.queue, environment.trace),
      implementation_(new Implementation{ClientComponents(
          *this, spec, std::move(threads), environment, runtime.implementation())}) {}

Client::~Client() = default;

void Client::set_host_id(sim::HostId id) { implementation_->components.process.id = id; }

void Client::start_run(sim::ChoiceSource& choices) {
  implementation_->components.start_run(choices);
}

void Client::order(ThreadFault order, std::size_t thread) {
  implementation_->components.order(order, static_cast<std::uint32_t>(thread));
}

bool Client::is_in_call(std::size_t thread) const {
  return implementation_->components.thread_faults.is_in_call(static_cast<std::uint32_t>(thread));
}

void Client::postpone(const Postponement& postponement, PostponementListener& listener) {
  if (implementation_->components.process.is_dead()) return;
  implementation_->components.postponements.set_listener(&listener);
  implementation_->components.postponements.order(postponement);
}

void Client::set_callback_listener(CallbackListener* listener) {
  implementation_->components.postponements.set_callback_listener(listener);
}

void Client::cancel_postponement(std::size_t fault) {
  implementation_->components.postponements.cancel(fault);
}

bool Client::is_at_work(std::size_t thread) const {
  return implementation_->components.workload.is_at_work(static_cast<std::uint32_t>(thread));
}

bool Client::finished() const {
  return implementation_->components.process.is_dead() ||
         implementation_->components.workload.finished();
}

std::vector<std::string> Client::live_tasks() const {
  return implementation_->components.tasks.live();
}

std::vector<std::string> Client::live_subscriptions() const {
  return implementation_->components.subscriptions.live();
}

const std::vector<std::string>& Client::failures() const {
  return implementation_->components.process.failures();
}

bool Client::client_number_was_read() const {
  return implementation_->components.client_number_was_read;
}

std::size_t Client::thread_count() const {
  return implementation_->components.workload.thread_count();
}

bool Client::outcomes_are_known() const {
  const ClientComponents& components = implementation_->components;
  for (std::uint32_t thread = 0; thread < components.workload.thread_count(); ++thread) {
    if (components.service_operations.has_unknown(thread)) return false;
  }
  return components.process.failures().empty();
}

checker::NameId Client::owner(std::size_t thread) const {
  return implementation_->components.workload.owner(static_cast<std::uint32_t>(thread));
}

checker::NameId Client::name_of(std::size_t thread) const {
  return implementation_->components.workload.name(static_cast<std::uint32_t>(thread));
}

checker::NameId Client::owner_of_field(std::string_view field) const {
  const auto thread = implementation_->components.process.thread_of_owner(field);
  return thread ? implementation_->components.workload.owner(*thread) : checker::no_name;
}

void Client::on_incoming(const sim::Incoming& incoming) {
  implementation_->components.on_incoming(incoming);
}

void Client::on_dropped(sim::Payload payload) {
  implementation_->components.process.environment.messages.release(payload);
}

void Client::on_start() {}

void Client::on_crash() { implementation_->components.on_crash(); }

void Client::digest_into(sim::Digest& digest) const {
  implementation_->components.digest_into(digest);
  Host::digest_into(digest);
}

void Client::look(HostView& view) const { implementation_->components.look(view); }

std::string Client::reachable_code(std::span<const scenario::StepKind> steps) const {
  return implementation_->components.client_model.reachable_code(steps);
}

void Client::digest_cookie(sim::Digest& digest, std::uint64_t cookie) const {
  implementation_->components.digest_cookie(digest, cookie);
}

void Client::digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                            sim::Payload payload) const {
  implementation_->components.process.environment.messages[payload].digest_into(digest, connection);
}

}  // namespace lockstep::model
