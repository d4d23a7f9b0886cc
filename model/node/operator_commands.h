// What an operator runs on a Redis node, and the evictions that faults ask for. A paused process
// does it when it goes on, one that has ended never.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/node/key_changes.h"
#include "model/node/node_context.h"
#include "model/node/server_ticks.h"

namespace lockstep::model {

class OperatorCommands {
 public:
  OperatorCommands(NodeContext& context, KeyChanges& changes, ServerTicks& ticks)
      : context_(context), changes_(changes), ticks_(ticks) {}

  void delete_key(std::string_view key);
  void evict(std::string_view key);
  void flush_all();
  void flush_scripts();
  void forget_all() { waiting_.clear(); }
  /// Runs the oldest command that waits.
  void run_next();
  void digest_into(sim::Digest& digest) const;

 private:
  struct Command {
    std::string label;
    std::vector<std::string> words;  ///< of an eviction: the DEL that it is replicated as
    bool is_eviction = false;
  };
  void give(Command command);

  NodeContext& context_;
  KeyChanges& changes_;
  ServerTicks& ticks_;
  std::vector<Command> waiting_;  // in the order in which they were given
};

}  // namespace lockstep::model
