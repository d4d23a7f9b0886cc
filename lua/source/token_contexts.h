// Whether a token of a Lua program stands where values are read or where a statement may assign.
#pragma once

#include <cstdint>
#include <vector>

#include "lua/source/tokens.h"

namespace lockstep::lua {

enum class TokenContext : std::uint8_t {
  statement,  ///< the beginning of a statement: may be assigned to
  value,      ///< within brackets, or right of `=`, `return` or `in`: is read
};

/// Returns the context of each token. Errs only towards `statement`, if the program is correct.
///
/// Brackets hold values, the blocks of functions within them statements. At the level of a block,
/// values begin after `=`, `return` and `in`, and end at a keyword, a semicolon, or where one
/// operand follows another with no operator between them: there the next statement begins.
[[nodiscard]] std::vector<TokenContext> find_token_contexts(const std::vector<ScriptToken>& tokens);

}  // namespace lockstep::lua
