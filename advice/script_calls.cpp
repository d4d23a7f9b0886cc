#include "advice/script_calls.h"

#include <array>

namespace lockstep::advice {
namespace {

constexpr std::array calls = {
    // Redis's own commands, in clients of every language; Go's take a context first.
    ScriptCall{"eval", 0, 2},
    ScriptCall{"evalAsync", 0, 2},
    ScriptCall{"eval_ro", 0, 2},
    ScriptCall{"evalReadOnly", 0, 2},
    ScriptCall{"Eval", 1, 3},
    ScriptCall{"EvalRO", 1, 3},
    ScriptCall{"script_load", 0},
    ScriptCall{"scriptLoad", 0},
    ScriptCall{"ScriptLoad", 1, 2},
    // Java: Redisson, Spring Data, Lettuce.
    ScriptCall{"evalWriteAsync", 3, 4},
    ScriptCall{"evalReadAsync", 3, 4},
    ScriptCall{"evalWriteNoRetryAsync", 3, 4},
    ScriptCall{"evalWriteSyncedAsync", 3, 4},
    ScriptCall{"evalWriteSyncedNoRetryAsync", 3, 4},
    ScriptCall{"evalWriteBatchedAsync", 3, 4},
    ScriptCall{"DefaultRedisScript", 0, 1, false},
    ScriptCall{"setScriptText", 0},
    // Python.
    ScriptCall{"register_script", 0},
    // Go.
    ScriptCall{"NewScript", 0, 1, false},
    // C#.
    ScriptCall{"Prepare", 0},
    ScriptCall{"ScriptEvaluate", 0},
    ScriptCall{"ScriptEvaluateAsync", 0},
    ScriptCall{"ScriptEvaluateReadOnly", 0},
    ScriptCall{"ScriptEvaluateReadOnlyAsync", 0},
    ScriptCall{"ScriptLoadAsync", 0},
};

}  // namespace

std::optional<ScriptCall> script_call(std::string_view name) {
  for (const ScriptCall& each : calls) {
    if (each.name == name) return each;
  }
  return std::nullopt;
}

}  // namespace lockstep::advice
