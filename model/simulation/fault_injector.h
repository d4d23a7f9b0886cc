// Makes a scenario's faults strike: at their instant, their milestone, or their message.
//
// What a fault does when it strikes is its theme's matter (fault_environment.h and the files named
// after the themes); here is when, how often, and when what it did is over. How often each struck
// is the probe that a scenario's result rests on.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "model/milestones.h"
#include "model/scenario/fault_forms.h"
#include "model/simulation/client_faults.h"
#include "model/simulation/clock_faults.h"
#include "model/simulation/fault_environment.h"
#include "model/simulation/message_faults.h"
#include "model/simulation/network_faults.h"
#include "model/simulation/operator_faults.h"
#include "model/simulation/process_faults.h"
#include "model/simulation/replication_faults.h"

namespace lockstep::model {

class FaultInjector final : public sim::Interceptor,
                            public MilestoneListener,
                            private sim::EventTarget,
                            private StrikeListener {
 public:
  /// REQUIRES: every name in the faults is a host or an actor (the scenario's parser saw to it).
  FaultInjector(const std::vector<FaultSpec>& faults, const FaultEnvironment& environment);

  void start_run(sim::ChoiceSource& choices);
  /// How often each fault struck in this run, by index.
  [[nodiscard]] const std::vector<std::uint32_t>& strikes() const { return strikes_; }

  sim::Verdict on_send(const sim::MessageInfo& message) override;
  void on_milestone(Milestone milestone, sim::ActorId actor, std::string_view detail) override;

 private:
  struct State {
    std::uint32_t milestones_seen = 0;
    bool triggered = false;
  };
  /// A strike that lasts.
  struct Lasting {
    std::size_t fault;
    FaultSpec spec;
    sim::EventHandle end_event;
    bool is_over = false;
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void on_message_struck(std::size_t fault) override { note(fault); }

  void trigger(std::size_t fault);
  void arm_or_strike(std::size_t fault);
  void strike(std::size_t fault);
  void end(Lasting& lasting, StrikeEnd why);
  void note(std::size_t fault);
  [[nodiscard]] bool matches(const FaultSpec& fault, Milestone milestone, sim::ActorId actor,
                             std::string_view detail) const;
  [[nodiscard]] FaultTheme& theme_of(FaultKind kind);

  const std::vector<FaultSpec>& faults_;
  const FaultEnvironment environment_;
  ProcessFaults process_faults_{environment_};
  NetworkFaults network_faults_{environment_};
  ReplicationFaults replication_faults_{environment_};
  ClockFaults clock_faults_{environment_};
  OperatorFaults operator_faults_{environment_};
  ClientFaults client_faults_{environment_, *this};
  MessageFaults message_faults_;
  std::array<FaultTheme*, theme_count> themes_{};  // by Theme; null: messages
  std::vector<std::string> descriptions_;
  std::vector<State> states_;
  std::vector<std::uint32_t> strikes_;
  std::deque<Lasting> lasting_;        // of this run, in the order in which they struck
  bool milestone_of_sending_ = false;  // some trigger waits for a message
};

}  // namespace lockstep::model
