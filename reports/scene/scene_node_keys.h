// Draws which owner has which node of a lock that counts majorities.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "reports/scene/scene_commands.h"
#include "reports/scene/scene_draft.h"
#include "reports/scene/scene_quorum.h"

namespace lockstep::reports {

class SceneNodeKeys {
 public:
  /// REQUIRES: both outlive it.
  SceneNodeKeys(SceneDraft& draft, SceneCommands& commands) : draft_(draft), commands_(commands) {}
  void move(EventIndex index, const NodeKeyChange& change);

 private:
  void note_end(EventIndex index, const NodeKeyChange& change);
  void note_lease(EventIndex index, const NodeKeyChange& change);

  SceneDraft& draft_;
  SceneCommands& commands_;
  std::map<std::pair<LaneIndex, std::string>, std::size_t> open_keys_;  // (node, key) → bar
};

}  // namespace lockstep::reports
