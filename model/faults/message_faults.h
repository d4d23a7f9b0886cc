// Faults that pick single messages as they are sent.
//
// The injector arms such a fault when its trigger comes; it strikes the nth message that it matches
// from then on, and so many after it as the fault says. Where several match, the first in the
// scenario strikes, and the others do not see that message.
//
// `reorder` holds a message back until the next message of another label has arrived, which its
// sender's host sends on another connection; where none comes, the message goes on after a while.
#pragma once

#include <deque>
#include <vector>

#include "model/faults/fault_environment.h"
#include "sim/network.h"

namespace lockstep::model {

/// Told when a fault strikes by itself: a message, a client at work.
class DeferredStrikeListener {
 public:
  virtual void on_struck(std::size_t fault) = 0;

 protected:
  ~DeferredStrikeListener() = default;
};

class MessageFaults final : private sim::EventTarget {
 public:
  MessageFaults(const std::vector<scenario::FaultSpec>& faults, const FaultEnvironment& environment,
                DeferredStrikeListener& listener)
      : faults_(faults), environment_(environment), listener_(listener) {}

  /// The faults are others than before.
  void watch();
  /// There is one more, behind the others.
  void watch_another();
  void start_run();
  /// The trigger of this fault has come.
  void arm(std::size_t fault);
  /// Whether a message is late or held back at this instant.
  [[nodiscard]] bool has_held_messages() const { return !held_.empty(); }
  /// Calls visit(from, to) for each of them.
  template <typename Visit>
  void for_each_held(Visit visit) const {
    for (const Held& each : held_) {
      visit(each.from, environment_.network.peer(each.connection, each.from));
    }
  }
  /// It strikes no more, and what it delays or holds back goes on.
  void disarm(std::size_t fault);
  sim::SendDecision on_send(const sim::MessageInfo& message);
  /// Whether it is armed and has not struck as often as it may.
  [[nodiscard]] bool may_strike(std::size_t fault) const;
  void digest_into(sim::Digest& digest) const;
  /// A message has arrived that on_send asked to hear of.
  void on_arrived(std::uint64_t message);
  /// Whether the message is one of that host's, or for that thread; empty: anybody's.
  [[nodiscard]] bool is_at(const std::string& name, sim::HostId host,
                           const sim::MessageInfo& message) const;

 private:
  struct State {
    bool is_armed = false;
    std::uint32_t messages_seen = 0;
    std::uint32_t strikes = 0;
  };
  /// A message that waits: for its delay to be over, or to be overtaken.
  struct Held {
    std::size_t fault;
    std::uint64_t message;
    sim::HostId from;
    sim::ConnectionId connection;
    sim::TimeNs until;
    std::vector<std::uint64_t> overtaking;  // the messages that may let it go
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void digest_event(sim::Digest& digest, std::uint32_t code, std::uint64_t argument) const override;
  void watch(const scenario::FaultSpec& fault);
  [[nodiscard]] bool strikes(std::size_t fault, const sim::MessageInfo& message);
  [[nodiscard]] sim::SendDecision decision_on(std::size_t fault, const sim::MessageInfo& message);
  /// Whether it may let go what is held back.
  [[nodiscard]] bool may_overtake(const sim::MessageInfo& message);

  const std::vector<scenario::FaultSpec>& faults_;
  const FaultEnvironment& environment_;
  DeferredStrikeListener& listener_;
  std::vector<State> states_;
  std::deque<Held> held_;            // mostly in the order in which they go on
  bool watches_messages_ = false;    // some fault picks messages
  bool watches_overtaking_ = false;  // some fault holds one back until another has passed
};

}  // namespace lockstep::model
