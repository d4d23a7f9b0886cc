// Draws messages, the commands that nodes execute, what these did to the lock, and what was
// answered.
//
// What a node did last is kept until its next command, so that the change of a lock, which is told
// after the command that caused it, finds that command's note and messages.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/scene/scene_clients.h"
#include "reports/scene/scene_draft.h"
#include "reports/scene/scene_messages.h"
#include "reports/scene/scene_quorum.h"
#include "reports/scene/scene_replies.h"

namespace lockstep::reports {

/// A command that a node executed.
struct Executed {
  EventIndex event;
  std::size_t note;
  std::string label;
  std::string by;
  std::optional<std::size_t> request;  ///< index into Scene::flights
  std::optional<std::size_t> reply;    ///< … too
  bool tidies_up;  ///< its owner asked for the lock, and this gives back what it got
  Answer answer;
};

class SceneCommands {
 public:
  /// REQUIRES: all outlive it.
  SceneCommands(SceneDraft& draft, const SceneClients& clients, const QuorumKeys& quorum_keys)
      : draft_(draft),
        clients_(clients),
        quorum_keys_(quorum_keys),
        messages_(draft.trace, draft.lane_map) {}
  void see(EventIndex index, const model::RecordedEvent& event);
  /// Once all events were seen: replies in words, and what came of commands that changed nothing.
  void note_replies();
  [[nodiscard]] std::size_t messages_left_out() const { return messages_.left_out(); }

  // For what changes with a command. Pointers are valid until the next event.
  /// The last command, if it was executed in this instant and for this owner.
  [[nodiscard]] Executed* executed_now(EventIndex index, std::string_view by);
  /// The command that this event tells of, if it is one of that node.
  [[nodiscard]] Executed* executed_at(LaneIndex node, EventIndex index);
  void note_effect(EventIndex index, std::string_view by, CommandEffect effect);
  /// Says it where a command that did it has just been told of, else by itself.
  Note& note_change(LaneIndex lane, EventIndex index, std::string text, Tone tone,
                    Importance importance);
  Note& note_node_key(EventIndex index, LaneIndex node, std::string text);
  /// The messages of the node's last command matter.
  void make_essential(LaneIndex lane);

 private:
  using Event = model::RecordedEvent;

  void on_message_sent(EventIndex index, const Event& event);
  void on_message_delivered(EventIndex index, const Event& event);
  void on_command_executed(EventIndex index, const Event& event);
  [[nodiscard]] Flight flight_of(const TraceMessage& message) const;
  /// Before it is known what it did: what the command met.
  [[nodiscard]] Answer answer_to(LaneIndex node, const Event& event) const;
  /// The first of a name says what went wrong; it happened, whatever is folded. False: its note
  /// tells something else already, so nothing is shown.
  [[nodiscard]] bool note_error(const Executed& executed);
  void note_ineffective_command(const Executed& executed, CommandRole role);

  SceneDraft& draft_;
  const SceneClients& clients_;
  const QuorumKeys& quorum_keys_;
  const TraceMessages messages_;
  std::map<EventIndex, std::size_t> flights_;  // by sending
  std::vector<Executed> executions_;
  std::map<LaneIndex, std::size_t> executed_;               // by node: what it did last
  std::map<LaneIndex, std::vector<std::size_t>> requests_;  // arrived there, not yet executed
};

}  // namespace lockstep::reports
