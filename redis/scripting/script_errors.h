// Error messages in Lua 5.1's words, and where an uncaught error came from.
#pragma once

#include <string>
#include <string_view>

struct lua_State;

namespace lockstep::redis {

/// If the value on top of the stack is a message in Lua 5.4's words, puts Lua 5.1's in its place:
/// "attempt to index a nil value (local 'x')" → "attempt to index local 'x' (a nil value)".
void use_lua51_wording(lua_State* state);

/// A compiler's message in Lua 5.1's words: "… near <eof>" → "… near '<eof>'".
[[nodiscard]] std::string lua51_compiler_wording(std::string_view message);

/// The message handler of a script: makes any error a table {err, source, line}, as Redis does.
int describe_error(lua_State* state);

}  // namespace lockstep::redis
