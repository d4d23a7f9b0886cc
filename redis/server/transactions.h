// MULTI, EXEC and WATCH: what a session keeps until EXEC, and giving it up.
#pragma once

#include <span>
#include <string_view>

#include "redis/server/core.h"

namespace lockstep::redis {

void queue_command(Session& session, const CommandSpec& spec,
                   std::span<const std::string_view> words);

/// Ends a session's transaction, if any, without running it; its watched keys are forgotten.
void discard_transaction(Core& core, Session& session);

}  // namespace lockstep::redis
