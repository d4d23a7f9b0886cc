// A script's return value as a reply.
#pragma once

#include "redis/protocol/reply_writer.h"
#include "redis/scripting/script_context.h"

namespace lockstep::redis {

struct VersionTraits;

/// Writes the value on top of the stack as EVAL does for a RESP2 client, and pops it.
///
/// Numbers are cut to 64 bits as C does on x86-64; a table is {err}, {ok}, {double}, {map}, {set},
/// {big_number}, {verbatim_string} or else the array up to its first nil. Tables nested more deeply
/// than Redis's Lua stack allows end in Redis's error, and a reply that would never end (shared
/// tables can multiply) is refused as a whole.
/// 6.0 has neither {big_number} nor {verbatim_string}, and leaves an {err} as it is.
/// REQUIRES: within a Memory::Unlimited. Raises nothing.
void write_result(lua_State* state, ScriptProtocol protocol, const VersionTraits& version,
                  ReplyWriter& reply);

/// A text with its line ends turned into blanks, as Redis sends errors and statuses. Uses `buffer`
/// if the text has any.
[[nodiscard]] std::string_view without_line_ends(std::string_view text, std::string& buffer);

/// `static_cast<long long>(number)` as x86-64 does it: what doesn't fit, and NaN, is the least
/// value.
[[nodiscard]] std::int64_t cut_to_integer(double number);
/// The same to unsigned.
[[nodiscard]] std::uint64_t cut_to_unsigned(double number);

}  // namespace lockstep::redis
