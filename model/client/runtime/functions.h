// The functions of `client`, as Lua sees them. docs/locks.md describes them.
//
// Lua errors are longjmps: no object with a destructor lives across a call that can raise.
#pragma once

#include <string_view>

#include "model/client/runtime/fiber.h"
#include "redis/protocol/reply.h"

struct lua_State;

namespace lockstep::model {

/// Pushes a table of all of them.
void push_client_functions(lua_State* lua);

// The same in two parts; each adds its functions to the table on top of the stack.
/// Those that suspend the caller until something has happened: the names that a client model may
/// call once a line (model/lock/interaction_check.h).
void add_interactions(lua_State* lua);
/// Those that return at once.
void add_plain_functions(lua_State* lua);

/// The coroutine that calls; raises where it is none of a client's.
[[nodiscard]] Fiber& calling_fiber(lua_State* lua);
/// The string at the index; raises where there is none.
[[nodiscard]] std::string_view check_text(lua_State* lua, int index);

/// Pushes a reply as a Lua value; an error reply as its text.
void push_reply(lua_State* lua, const redis::Reply& reply);

}  // namespace lockstep::model
