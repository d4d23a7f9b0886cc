// What happens in a scenario's runs that a fault can be tied to, learnt from runs without faults.
//
// A fault at a random instant mostly strikes nothing that matters. Who wants to place faults near
// the interesting moments has to know which there are: what the clients and the nodes do, how
// often, and what messages they exchange. A few runs without faults show that; what only faults
// bring about (a retry, a failover) is not learnt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/client/postponements.h"
#include "sim/network.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace lockstep::scenario {
enum class CallbackKind : std::uint8_t;
enum class Milestone : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::model {

/// "a acquired lock": a milestone of an actor, and how often it comes in a run at most.
struct SeenMilestone {
  scenario::Milestone milestone;
  std::string actor;   ///< a thread or a node
  std::string detail;  ///< as in Trigger::When
  std::uint32_t times = 0;
  std::uint32_t seen = 0;  ///< in this run
};

/// What is sent between two hosts, and how often in a run at most.
struct SentMessage {
  std::string from;
  std::string to;
  std::string label;
  std::uint32_t times = 0;
  std::uint32_t seen = 0;  ///< in this run
};

/// A callback of a client that can be postponed, and how often it comes in a run at most.
struct DueCallback {
  std::string client;
  scenario::CallbackKind kind;
  std::string name;
  std::uint32_t times = 0;
  std::uint32_t seen = 0;  ///< in this run
};

class RunProfile final : public CallbackListener {
 public:
  explicit RunProfile(const sim::Trace& trace) : trace_(trace) {}

  void start_run();
  void note(scenario::Milestone milestone, sim::ActorId actor, std::string_view detail);
  void note(std::string_view from, std::string_view to, std::string_view label);
  void on_due(std::string_view client, scenario::CallbackKind kind, std::string_view name) override;
  void end_run(sim::TimeNs ended_ns, sim::DurationNs longest_lease_ns);

  // In the order in which they first came.
  [[nodiscard]] const std::vector<SeenMilestone>& milestones() const { return milestones_; }
  [[nodiscard]] const std::vector<SentMessage>& messages() const { return messages_; }
  [[nodiscard]] const std::vector<DueCallback>& callbacks() const { return callbacks_; }
  /// Pairs of hosts that exchange messages, each once.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& pairs() const {
    return pairs_;
  }
  /// When the longest of the runs was over.
  [[nodiscard]] sim::TimeNs ended_ns() const { return ended_ns_; }
  /// The longest lease that a lock was given; 0: none.
  [[nodiscard]] sim::DurationNs longest_lease_ns() const { return longest_lease_ns_; }

 private:
  const sim::Trace& trace_;
  std::vector<SeenMilestone> milestones_;
  std::vector<SentMessage> messages_;
  std::vector<DueCallback> callbacks_;
  std::vector<std::pair<std::string, std::string>> pairs_;
  sim::TimeNs ended_ns_ = 0;
  sim::DurationNs longest_lease_ns_ = 0;
};

}  // namespace lockstep::model
