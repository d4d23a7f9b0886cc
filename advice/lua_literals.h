// What Lua's string literals stand for.
#pragma once

#include <string>
#include <string_view>

#include "lua/source/tokens.h"

namespace lockstep::advice {

/// The value of a string token, quoted or in long brackets. Escapes that are none stay as spelt.
[[nodiscard]] std::string string_value(const lua::ScriptToken& token);

}  // namespace lockstep::advice
