// Chains of `..`: where the operands of one concatenation begin and end.
#pragma once

#include <cstddef>
#include <vector>

#include "model/redis/script_tokens.h"

namespace lockstep::redis {

/// `first .. x .. last` by the indices of its tokens. Chains lie within one another's brackets or
/// apart, never across.
struct ScriptChain {
  std::size_t first;                   ///< the first token of the first operand
  std::size_t last;                    ///< the last token of the last operand
  std::vector<std::size_t> operators;  ///< the `..` between them, ascending
};

/// All chains of a program, by their first operator.
///
/// `..` binds more loosely than arithmetic and more tightly than comparison. So to the left an
/// operand reaches back to a comma, a comparison, `=`, an opening bracket, `and`, `or` or a keyword
/// that an expression follows; to the right up to the like, or to where one operand follows
/// another, which begins a statement. A chain with a function body outside brackets is left out.
[[nodiscard]] std::vector<ScriptChain> find_chains(const std::vector<ScriptToken>& tokens);

}  // namespace lockstep::redis
