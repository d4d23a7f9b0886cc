// MessagePack for scripts, as Redis's cmsgpack 0.4.0 writes and reads it.
//
// Whole numbers are written as integers, others as the shortest float that keeps them; tables with
// the keys 1…n as arrays. Maps are written in a fixed order (ordered_traversal.h) and not in that
// of Lua 5.1's hash.
#pragma once

#include <cstddef>
#include <lua.hpp>
#include <string>
#include <string_view>

namespace lockstep::redis {

/// Appends the value on top of the stack, which stays.
void encode_message_pack(lua_State* state, std::string& bytes);

enum class MessageResult { done, bytes_missing, bad_format };

/// Reads one value from `bytes`, moves them past it and pushes it. On failure what is on the stack
/// is left there.
[[nodiscard]] MessageResult decode_message_pack(lua_State* state, std::string_view& bytes);

}  // namespace lockstep::redis
