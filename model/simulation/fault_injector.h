// Makes a scenario's faults strike: at their instant, their milestone, or their message.
//
// Each fault strikes at most once a run. A fault on a message is armed by its trigger and strikes
// the nth message that it matches from then on. How often each struck is the probe that a
// scenario's result rests on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/milestones.h"
#include "model/recorder.h"
#include "model/scenario/scenario.h"
#include "model/simulation/lock_observer.h"
#include "model/simulation/masters.h"
#include "model/simulation/redis_node.h"
#include "sim/event_queue.h"
#include "sim/host.h"
#include "sim/network.h"

namespace lockstep::model {

/// What faults strike. Does not own; all outlive the injector.
struct FaultEnvironment {
  sim::EventQueue& queue;
  sim::Trace& trace;
  sim::Network& network;
  Recorder& recorder;
  LockObserver& observer;
  Masters& masters;
  sim::ActorId actor;  ///< the faults' own lane
  std::span<RedisNode* const> nodes;
  std::span<Client* const> clients;
  std::string state_key;  ///< the pattern of the key that an operator would delete
};

class FaultInjector final : public sim::Interceptor,
                            public MilestoneListener,
                            private sim::EventTarget {
 public:
  /// REQUIRES: every name in the faults is a host or an actor (the scenario's parser saw to it).
  FaultInjector(const std::vector<FaultSpec>& faults, const FaultEnvironment& environment);

  void start_run();
  /// How often each fault struck in this run, by index.
  [[nodiscard]] const std::vector<std::uint32_t>& strikes() const { return strikes_; }

  sim::Verdict on_send(const sim::MessageInfo& message) override;
  void on_milestone(Milestone milestone, sim::ActorId actor, std::string_view detail) override;

 private:
  struct State {
    std::uint32_t milestones_seen = 0;
    std::uint32_t messages_seen = 0;
    bool triggered = false;
    bool struck = false;
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void trigger(std::size_t fault);
  void arm_or_strike(std::size_t fault);
  void strike(std::size_t fault);
  void crash(sim::Host& host);
  void has_crashed(sim::Host& host);
  void cut(const FaultSpec& fault, std::size_t index);
  void step_clock(const FaultSpec& fault, sim::Host& host);
  void note(std::size_t fault);
  void set_stopped(std::string_view host_name, bool is_stopped);
  [[nodiscard]] bool strikes_message(std::size_t fault, const sim::MessageInfo& message);
  [[nodiscard]] bool matches(const FaultSpec& fault, Milestone milestone, sim::ActorId actor,
                             std::string_view detail) const;
  [[nodiscard]] sim::HostId host_id(std::string_view name) const;
  [[nodiscard]] sim::Host& host(std::string_view name);
  [[nodiscard]] RedisNode& node(std::string_view name);

  const std::vector<FaultSpec>& faults_;
  FaultEnvironment environment_;
  std::vector<std::string> descriptions_;
  std::vector<State> states_;
  std::vector<std::uint32_t> strikes_;
  bool watches_messages_ = false;      // some fault picks messages
  bool milestone_of_sending_ = false;  // some trigger waits for a message
};

}  // namespace lockstep::model
