// Advice on a server script that its text alone gives: names and constructs, wherever they stand.
#pragma once

#include <string>
#include <vector>

#include "advice/lua_ast.h"
#include "advice/rules.h"

namespace lockstep::advice {

/// Constructs of a newer Lua, globals that Redis has not, assignments to globals, writes in the
/// order of pairs.
[[nodiscard]] std::vector<LintFinding> advise_on_text(const LuaAst& tree, const std::string& path);

}  // namespace lockstep::advice
