// What scripts leave behind in the process of their server, for the scripts that follow.
#pragma once

#include "model/lua/random.h"
#include "model/redis/script_json_options.h"

namespace lockstep::redis {

struct ScriptProcess {
  lua::Drand48 random;  ///< of math.random, which Redis 7.0 never seeds anew
  JsonOptions json;     ///< of cjson; SCRIPT FLUSH sets them back
};

}  // namespace lockstep::redis
