// Draws a lock's true state: who holds it, who queues for it, how much of it is left.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/scene/scene_clients.h"
#include "reports/scene/scene_commands.h"
#include "reports/scene/scene_draft.h"
#include "reports/scene/scene_quorum.h"

namespace lockstep::reports {

class SceneLocks {
 public:
  /// REQUIRES: all outlive it.
  SceneLocks(SceneDraft& draft, const SceneClients& clients, const QuorumKeys& quorum_keys,
             SceneCommands& commands)
      : draft_(draft), clients_(clients), quorum_keys_(quorum_keys), commands_(commands) {}
  void see(EventIndex index, const model::RecordedEvent& event);

 private:
  using Event = model::RecordedEvent;

  void on_lock_changed(EventIndex index, const Event& event);
  void on_number_changed(EventIndex index, const Event& event);
  void on_queue_changed(EventIndex index, const Event& event);
  void move_truths(EventIndex index, std::optional<LaneIndex> node, std::size_t lock,
                   const std::vector<Holder>& holders);
  [[nodiscard]] std::string change_in_words(const Event& event, const LockState& before,
                                            const LockState& after) const;
  /// Of a lock that counts majorities: told at its owner, for no one node has it.
  void note_majority(EventIndex index, std::size_t lock, const LockState& before,
                     const LockState& after);
  [[nodiscard]] CommandEffect effect_of(const Event& event, const LockState& before,
                                        const LockState& after) const;

  SceneDraft& draft_;
  const SceneClients& clients_;
  const QuorumKeys& quorum_keys_;
  SceneCommands& commands_;
  std::map<std::pair<std::string, std::size_t>, std::vector<std::size_t>>
      open_truths_;  // (owner, lock) → bars without an end
};

}  // namespace lockstep::reports
