// A client whose threads run a workload through a lock's client model, and everything that a client
// library brings: connections with time-outs and retries, subscriptions, background tasks.
//
// The client model is Lua (model/client/runtime/runtime.h); each of its threads is a coroutine that
// gives up control at every interaction. A client's whole state is Lua values and the tables here:
// it can be paused or crashed at every interaction, and digested by a later search. Not covered:
// RESP3 push connections.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/client.h"

namespace lockstep::model {

class ModelledClient final : public Client {
 public:
  /// `threads` are the actors "name/1", … in order. The client does not start by itself.
  ModelledClient(const scenario::ClientSpec& spec, sim::ActorId actor,
                 std::vector<sim::ActorId> threads, const ClientEnvironment& environment,
                 ClientRuntime& runtime);
  ~ModelledClient() override;

  void set_host_id(sim::HostId id) override;
  void start_run(sim::ChoiceSource& choices) override;
  void end_run() override {}
  void order(ThreadFault order, std::size_t thread) override;
  [[nodiscard]] bool is_in_call(std::size_t thread) const override;
  [[nodiscard]] bool is_of_question(sim::ActorId thread, std::string_view label) const override;
  void postpone(const Postponement& postponement, PostponementListener& listener) override;
  void cancel_postponement(std::size_t fault) override;
  void set_callback_listener(CallbackListener* listener) override;
  void digest_into(sim::Digest& digest) const override;
  void look(HostView& view) const override;
  [[nodiscard]] std::string reachable_code(
      std::span<const scenario::StepKind> steps) const override;
  [[nodiscard]] bool finished() const override;
  [[nodiscard]] bool is_at_work(std::size_t thread) const override;
  [[nodiscard]] std::vector<LiveTask> live_tasks() const override;
  [[nodiscard]] std::vector<std::string> live_subscriptions() const override;
  [[nodiscard]] const std::vector<std::string>& failures() const override;
  [[nodiscard]] std::string request_failure(LockUse use) const override;
  [[nodiscard]] bool client_number_was_read() const override;
  [[nodiscard]] bool wall_clock_was_read() const override;
  [[nodiscard]] std::size_t thread_count() const override;
  [[nodiscard]] bool outcomes_are_known() const override;
  [[nodiscard]] checker::NameId owner(std::size_t thread) const override;
  [[nodiscard]] checker::NameId name_of(std::size_t thread) const override;
  [[nodiscard]] checker::NameId owner_of_field(std::string_view field) const override;

 private:
  void on_incoming(const sim::Incoming& incoming) override;
  void on_dropped(sim::Payload payload) override;
  void on_start() override;
  void on_crash() override;
  void digest_cookie(sim::Digest& digest, std::uint64_t cookie) const override;
  void digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                      sim::Payload payload) const override;

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace lockstep::model
