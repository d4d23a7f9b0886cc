// Which keys of a node have changed since its listener was last told.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/node/node_context.h"
#include "redis/protocol/arguments.h"

namespace lockstep::model {

/// The part of a node's data that has changed since the listener was last told.
struct ChangedKeys {
  bool all = false;  ///< more keys than are kept here, or the data as a whole
  redis::Arguments keys;
};

class KeyChanges {
 public:
  explicit KeyChanges(NodeContext& context) : context_(context) {}

  void note(std::uint8_t database, std::string_view key);
  void note_all() { changed_keys_.all = true; }
  /// Tells the listener, and starts anew.
  void tell(std::string_view label, sim::ActorId by);
  [[nodiscard]] const ChangedKeys& keys() const { return changed_keys_; }
  void digest_into(sim::Digest& digest) const;

 private:
  NodeContext& context_;
  ChangedKeys changed_keys_;
};

}  // namespace lockstep::model
