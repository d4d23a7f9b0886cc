// Advice on a server script: what it does with its keys on each way through it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advice/key_roles.h"
#include "advice/lua_ast.h"
#include "advice/rules.h"

namespace lockstep::advice {

/// A script and what is known of how it is called.
struct ScriptUse {
  std::string path;
  std::string name;  ///< "force_release": one that frees whoever has the lock is meant to
  /// The names of its keys in order, with `?` for what is unknown; empty where nothing is known.
  std::vector<std::string> keys;
};

/// Findings of one use, in no order.
[[nodiscard]] std::vector<LintFinding> advise_on_script(const LuaAst& tree, const ScriptUse& use,
                                                        const KeyRoles& roles);

}  // namespace lockstep::advice
