// What a server keeps of the script that runs, and of scripts for those that follow.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "redis/scripting/script_engine.h"
#include "redis/scripting/script_process_state.h"
#include "redis/server/session.h"

namespace lockstep::redis {

struct RunningScript {
  bool is_running = false;
  bool is_function = false;                   ///< FCALL, not EVAL
  std::string_view name;                      ///< of the function
  std::span<const std::string_view> command;  ///< that called it
  std::int64_t busy_ms = 0;                   ///< for how long it has run
  bool is_from_master = false;                ///< it came by the replication stream
  bool is_busy = false;    ///< it has run for so long that others are answered BUSY
  bool is_killed = false;  ///< SCRIPT KILL: it is to end
  Session session;         ///< of its redis.call: SELECT in a script stays in it
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
