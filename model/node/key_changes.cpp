#include "model/node/key_changes.h"

#include "model/node/node_listener.h"
#include "sim/digest.h"

namespace lockstep::model {

void KeyChanges::note(std::uint8_t database, std::string_view key) {
  constexpr std::size_t keys_max = 256;
  if (database != 0 || changed_keys_.all) return;  // locks are in the first database
  if (changed_keys_.keys.size() < keys_max) return changed_keys_.keys.push(key);
  changed_keys_.all = true;
}

void KeyChanges::tell(std::string_view label, sim::ActorId by) {
  context_.environment.listener.on_data_changed(context_.node, label, by);
  changed_keys_.all = false;
  changed_keys_.keys.clear();
}

void KeyChanges::digest_into(sim::Digest& digest) const {
  digest.add(changed_keys_.all);
  changed_keys_.keys.digest_into(digest);
}

}  // namespace lockstep::model
