// The one parser of Lua programs, for scripts that are rewritten for Lua 5.4 and for advice alike.
//
// A script of Redis's is read as Lua 5.1: the compiler that runs afterwards is Lua 5.4's, which
// accepts more and words its errors otherwise, so what 5.1 refuses is refused here in its own
// words. Advice reads both sides of a lock: server scripts, which are Lua 5.1, and client models,
// which are Lua 5.4. It accepts either and notes what only 5.4 has; the compilers report the rest.
#pragma once

#include <string_view>
#include <variant>

#include "lua/source/ast.h"
#include "lua/source/token_stream.h"
#include "lua/source/tokens.h"

namespace lockstep::lua {

[[nodiscard]] std::variant<Ast, SyntaxError> parse(const ScriptTokens& tokens, Dialect dialect);

/// Reads the tokens of a program and parses it as either dialect.
[[nodiscard]] std::variant<Ast, SyntaxError> parse_either(std::string_view program);

}  // namespace lockstep::lua
