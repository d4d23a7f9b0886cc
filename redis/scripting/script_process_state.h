// What scripts leave behind in the process of their server, for the scripts that follow.
#pragma once

#include "lua/interpreter/drand48.h"
#include "redis/scripting/libraries/json_options.h"

namespace lockstep::redis {

struct ScriptProcessState {
  lua::Drand48 random;  ///< of math.random, which Redis 7.0 never seeds anew
  JsonOptions json;     ///< of cjson; SCRIPT FLUSH sets them back
};

}  // namespace lockstep::redis
