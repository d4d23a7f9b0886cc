// Turns the text of a Lua 5.1 program into a Lua 5.4 function.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "lua/source/source.h"
#include "redis/scripting/script_context.h"

namespace lockstep::redis {

/// Reads and compiles a program and pushes the function, without an environment; or returns the
/// error in Lua 5.1's words and pushes nothing. `chunk` is a chunk name as Lua's: `@user_script`,
/// `=name`, or the text itself. REQUIRES: within a Memory::Unlimited. Raises nothing.
[[nodiscard]] std::variant<lua::ScriptSource, std::string> load_script(lua_State* state,
                                                                       std::string_view program,
                                                                       std::string_view chunk);

}  // namespace lockstep::redis
