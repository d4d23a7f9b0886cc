#include "model/client/modelled_client.h"

#include <utility>

#include "model/client/client_components.h"
#include "scenario/workload_spec.h"

namespace lockstep::model {

struct ModelledClient::Implementation {
  ClientComponents components;
};

ModelledClient::ModelledClient(const scenario::ClientSpec& spec, sim::ActorId actor,
                               std::vector<sim::ActorId> threads,
                               const ClientEnvironment& environment, ClientRuntime& runtime)
    : Client(spec.name, actor, environment.queue, environment.trace),
      implementation_(new Implementation{ClientComponents(
          *this, spec, std::move(threads), environment, runtime.implementation())}) {}

ModelledClient::~ModelledClient() = default;

void ModelledClient::set_host_id(sim::HostId id) { implementation_->components.process.id = id; }

void ModelledClient::start_run(sim::ChoiceSource& choices) {
  implementation_->components.start_run(choices);
}

void ModelledClient::order(ThreadFault order, std::size_t thread) {
  implementation_->components.order(order, static_cast<std::uint32_t>(thread));
}

bool ModelledClient::is_in_call(std::size_t thread) const {
  return implementation_->components.thread_faults.is_in_call(static_cast<std::uint32_t>(thread));
}

bool ModelledClient::is_of_question(sim::ActorId thread, std::string_view label) const {
  const Workload& workload = implementation_->components.workload;
  for (std::uint32_t i = 0; i < workload.thread_count(); ++i) {
    if (workload.actor(i) == thread) return workload.is_of_question(i, label);
  }
  return false;
}

void ModelledClient::postpone(const Postponement& postponement, PostponementListener& listener) {
  if (implementation_->components.process.is_dead()) return;
  implementation_->components.postponements.set_listener(&listener);
  implementation_->components.postponements.order(postponement);
}

void ModelledClient::set_callback_listener(CallbackListener* listener) {
  implementation_->components.postponements.set_callback_listener(listener);
}

void ModelledClient::cancel_postponement(std::size_t fault) {
  implementation_->components.postponements.cancel(fault);
}

bool ModelledClient::is_at_work(std::size_t thread) const {
  return implementation_->components.workload.is_at_work(static_cast<std::uint32_t>(thread));
}

bool ModelledClient::finished() const {
  return implementation_->components.process.is_dead() ||
         implementation_->components.workload.finished();
}

std::vector<LiveTask> ModelledClient::live_tasks() const {
  return implementation_->components.tasks.live();
}

std::vector<std::string> ModelledClient::live_subscriptions() const {
  return implementation_->components.subscriptions.live();
}

const std::vector<std::string>& ModelledClient::failures() const {
  return implementation_->components.process.failures();
}

std::string ModelledClient::request_failure(LockUse use) const {
  return implementation_->components.process.request_failure(use);
}

bool ModelledClient::client_number_was_read() const {
  return implementation_->components.client_number_was_read;
}

bool ModelledClient::wall_clock_was_read() const {
  return implementation_->components.wall_clock_was_read;
}

std::size_t ModelledClient::thread_count() const {
  return implementation_->components.workload.thread_count();
}

bool ModelledClient::outcomes_are_known() const {
  const ClientComponents& components = implementation_->components;
  for (std::uint32_t thread = 0; thread < components.workload.thread_count(); ++thread) {
    if (components.service_operations.has_unknown(thread)) return false;
  }
  return components.process.failures().empty();
}

checker::NameId ModelledClient::owner(std::size_t thread) const {
  return implementation_->components.workload.owner(static_cast<std::uint32_t>(thread));
}

checker::NameId ModelledClient::name_of(std::size_t thread) const {
  return implementation_->components.workload.name(static_cast<std::uint32_t>(thread));
}

checker::NameId ModelledClient::owner_of_field(std::string_view field) const {
  const auto thread = implementation_->components.process.thread_of_owner(field);
  return thread ? implementation_->components.workload.owner(*thread) : checker::no_name;
}

void ModelledClient::on_incoming(const sim::Incoming& incoming) {
  implementation_->components.on_incoming(incoming);
}

void ModelledClient::on_dropped(sim::Payload payload) {
  implementation_->components.process.environment.messages.release(payload);
}

void ModelledClient::on_start() {}

void ModelledClient::on_crash() { implementation_->components.on_crash(); }

void ModelledClient::digest_into(sim::Digest& digest) const {
  implementation_->components.digest_into(digest);
  Host::digest_into(digest);
}

void ModelledClient::look(HostView& view) const { implementation_->components.look(view); }

std::string ModelledClient::reachable_code(std::span<const scenario::StepKind> steps) const {
  return implementation_->components.client_model.reachable_code(steps);
}

void ModelledClient::digest_cookie(sim::Digest& digest, std::uint64_t cookie) const {
  implementation_->components.digest_cookie(digest, cookie);
}

void ModelledClient::digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                                    sim::Payload payload) const {
  implementation_->components.process.environment.messages[payload].digest_into(digest, connection);
}

}  // namespace lockstep::model
