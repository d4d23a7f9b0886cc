// The protected resource: a register that clients read, modify and write under the lock.
//
// A write says on which version it is based; the resource applies it whatever that version is, as a
// file server would, unless fencing is on and the write shows a token lower than the highest seen
// (Kleppmann 2016). Whether a write did harm is for the checker to say.
#pragma once

#include <cstdint>

#include "checker/history.h"
#include "model/messages.h"
#include "scenario/resource_spec.h"
#include "sim/host.h"
#include "sim/network.h"

namespace lockstep::model {

class Recorder;
enum class StateOwner : std::uint8_t;

class Resource final : public sim::Host {
 public:
  Resource(sim::ActorId actor, sim::EventQueue& queue, sim::Trace& trace, sim::Network& network,
           MessagePool& messages, Recorder& recorder, scenario::ResourceSpec spec,
           StateOwner owner);

  void set_host_id(sim::HostId id) { id_ = id; }
  /// Prepares a new run (after Host::reset).
  void start_run();
  void digest_into(sim::Digest& digest) const;
  [[nodiscard]] std::int64_t version() const { return version_; }

 private:
  void on_incoming(const sim::Incoming& incoming) override;
  void on_dropped(sim::Payload payload) override { messages_.release(payload); }
  void digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                      sim::Payload payload) const override;
  /// Handles a request; true where it was accepted.
  bool handle(const Message& request);

  sim::Network& network_;
  MessagePool& messages_;
  Recorder& recorder_;
  scenario::ResourceSpec spec_;
  StateOwner owner_;  ///< whose the writes are: a thread's, or its process's
  sim::HostId id_{};
  checker::NameId name_;
  std::int64_t version_ = 0;
  std::int64_t highest_token_ = -1;
};

}  // namespace lockstep::model
