// Advice on a server script that its text alone gives: names and constructs, wherever they stand.
#pragma once

#include <string>
#include <vector>

#include "advice/lua_tree.h"
#include "advice/rules.h"

namespace lockstep::advice {

/// Constructs of a newer Lua, globals that Redis has not, assignments to globals, writes in the
/// order of pairs.
[[nodiscard]] std::vector<Finding> advise_on_text(const LuaTree& tree, const std::string& path);

}  // namespace lockstep::advice
