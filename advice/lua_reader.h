// Reads a Lua program into a tree: Lua 5.1, and what Lua 5.4 added to it.
//
// Both sides of a lock are read by it: server scripts, which are Lua 5.1, and client models,
// which are Lua 5.4. It accepts whatever either accepts and notes what only 5.4 does; what is wrong
// in the words of the one or the other is for the compilers to say.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "advice/lua_ast.h"

namespace lockstep::advice {

/// Where and why a text is no Lua program.
struct LuaSyntaxError {
  Place place;
  std::string what;
};

[[nodiscard]] std::variant<LuaAst, LuaSyntaxError> read_lua(std::string_view program);

/// Line and column of a byte of the text.
[[nodiscard]] Place place_of(std::string_view text, std::size_t offset);

}  // namespace lockstep::advice
