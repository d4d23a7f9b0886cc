// Owns and connects the components of a client, and hands them what reaches its process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/calls.h"
#include "model/client/client.h"
#include "model/client/client_process.h"
#include "model/client/discovery.h"
#include "model/client/postponements.h"
#include "model/client/runtime/client_model.h"
#include "model/client/runtime/fiber_scheduler.h"
#include "model/client/service_operations.h"
#include "model/client/signals.h"
#include "model/client/subscriptions.h"
#include "model/client/tasks.h"
#include "model/client/thread_faults.h"
#include "model/client/workload.h"

namespace lockstep::scenario {
struct ClientSpec;
}  // namespace lockstep::scenario

namespace lockstep::model {

class ClientComponents final : public FiberListener, private NewMasterListener {
 public:
  ClientComponents(sim::Host& host, const scenario::ClientSpec& spec,
                   std::vector<sim::ActorId> threads, const ClientEnvironment& environment,
                   ClientRuntime::Implementation& runtime);

  void start_run(sim::ChoiceSource& choices);
  void on_incoming(const sim::Incoming& incoming);
  void on_crash();
  /// Carries out the fault when no handler of the client is under way: at once, or when a paused
  /// process goes on.
  void order(ThreadFault order, std::uint32_t thread);

  /// Digests all of the client but its host (client_digest.cpp).
  void digest_into(sim::Digest& digest);
  void digest_cookie(sim::Digest& digest, std::uint64_t cookie) const;
  void look(HostView& view) const;  // client_view.cpp

  ClientProcess process;
  ClientModel client_model;
  FiberScheduler fibers;
  std::unique_ptr<MasterDiscovery> discovery;
  Postponements postponements;
  Subscriptions subscriptions;
  Signals signals;
  ServiceOperations service_operations;
  Calls calls;
  Tasks tasks;
  Workload workload;
  ThreadFaults thread_faults;
  bool client_number_was_read = false;  ///< by its client model, in this run
  bool wall_clock_was_read = false;     ///< the same

 private:
  void on_interaction(Fiber& fiber) override;
  void on_returned(Fiber& fiber) override;
  void on_raised(Fiber& fiber) override;
  void on_next_step(std::uint32_t thread) override { workload.on_next_step(thread); }
  void on_new_master(std::size_t shard) override;
  void on_timer(std::uint64_t cookie);
  void carry_out(std::uint64_t cookie);
  void on_message(const sim::Incoming& incoming);
  void digest_contents(sim::Digest& digest, const Fiber& fiber) const;
  [[nodiscard]] lua::ValueDigest::Values digest_values(const sim::Digest& digest);
  [[nodiscard]] lua::ValueDigest& values() const;

  bool constants_are_registered_ = false;  // its client model's constants, to the digest of values
  // The last digest of values, and what they were then.
  lua::ValueDigest::Values values_;
  std::uint64_t values_changes_ = 0;
};

}  // namespace lockstep::model
