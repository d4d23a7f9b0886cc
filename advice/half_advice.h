// Advice on a client half: what it does in several calls that one script would do at once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "advice/key_roles.h"
#include "advice/lua_tree.h"
#include "advice/rules.h"
#include "model/scenario/scenario.h"

namespace lockstep::advice {

/// A client half with what decides which of its ways are taken.
struct HalfUse {
  std::vector<std::string> paths;  ///< of the half and of its libraries, by the file of a place
  std::map<std::string, FunctionId> libraries;  ///< by name, in the same tree
  model::Options options;  ///< of the lock; `lock.options.poll_ms` is known by them
};

/// How the half calls one script: the names of its keys, with `?` for what is unknown.
using ScriptKeys = std::vector<std::string>;

struct HalfAdvice {
  std::vector<Finding> findings;
  std::map<std::string, std::vector<ScriptKeys>> script_keys;  ///< by the script's name, each once
};

[[nodiscard]] HalfAdvice advise_on_half(const LuaTree& tree, const HalfUse& use,
                                        const KeyRoles& roles);

}  // namespace lockstep::advice
