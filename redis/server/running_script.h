// What a server keeps of the script that runs, and of scripts for those that follow.
#pragma once

#include <cstdint>
#include <optional>

#include "redis/scripting/script_engine.h"
#include "redis/scripting/script_process_state.h"
#include "redis/server/session.h"

namespace lockstep::redis {

struct RunningScript {
  Session session;  ///< of its redis.call: SELECT in a script stays in it
  ScriptAccess access = ScriptAccess::read_write;
  bool has_written = false;
  std::uint8_t caller_database = 0;
  bool allows_oom = true;
  bool may_cross_slots = true;
  std::optional<std::uint32_t> slot;  ///< cluster: of the keys so far
  bool is_replicated = true;          ///< until redis.set_repl says otherwise
  bool drops_effects = false;         ///< of the command that runs, for that
  ScriptProcessState process;
};

}  // namespace lockstep::redis
