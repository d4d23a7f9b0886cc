// Advice on a server script: its use of keys on each path, and constructs in its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advice/key_roles.h"
#include "advice/rules.h"
#include "lua/source/ast.h"

namespace lockstep::advice {

/// A script and how it is called, as far as known.
struct ScriptUse {
  std::string path;
  std::string name;  ///< one named "force_release" may delete without an owner check
  /// The names of its keys in order, with `?` for unknown parts; empty if nothing is known.
  std::vector<std::string> keys;
};

/// Returns the findings for one use, unsorted.
[[nodiscard]] std::vector<LintFinding> advise_on_script(const lua::Ast& tree, const ScriptUse& use,
                                                        const KeyRoles& roles);

/// Findings that need no execution: constructs of a newer Lua, globals that Redis does not have,
/// assignments to globals, writes in the order of pairs.
[[nodiscard]] std::vector<LintFinding> advise_on_text(const lua::Ast& tree,
                                                      const std::string& path);

}  // namespace lockstep::advice
