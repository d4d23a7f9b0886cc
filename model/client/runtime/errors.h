// What client models raise, and what interactions raise in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/client/runtime/lua_reference.h"

namespace lockstep::model {

/// What a failed interaction may have done to the lock.
enum class CallEffect : std::uint8_t {
  none,     ///< nothing: it was refused before it began
  unknown,  ///< anything between nothing and all of it
};

/// Pushes an error as interactions raise it: {code =, message =, unknown =}.
/// May raise "not enough memory".
void push_error(lua_State* lua, const LuaReference& error_metatable, std::string_view code,
                std::string_view message, CallEffect effect);

/// An error that a coroutine raised.
struct RaisedError {
  enum class Kind : std::uint8_t {
    refused,    ///< client.refuse: the lock said no
    unknown,    ///< whatever was asked for may have happened, or not
    no_effect,  ///< the server refused it before it did anything
    failure,    ///< anything else: a mistake in the client model
  };
  Kind kind = Kind::failure;
  std::string text;
};
/// Reads the error on top of a stack and leaves it there. REQUIRES: the memory is unlimited.
[[nodiscard]] RaisedError read_error(lua_State* lua);

}  // namespace lockstep::model
