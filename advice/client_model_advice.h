// Advice on a client model: what it does in several calls that one script would do at once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "advice/key_roles.h"
#include "advice/lua_ast.h"
#include "advice/rules.h"
#include "scenario/scenario.h"

namespace lockstep::advice {

/// A client model with what decides which of its ways are taken.
struct ClientModelUse {
  std::vector<std::string>
      paths;  ///< of the client model and of its libraries, by the file of a place
  std::map<std::string, FunctionId> libraries;  ///< by name, in the same tree
  scenario::Options options;  ///< of the lock; `lock.options.poll_ms` is known by them
};

/// How the client model calls one script: the names of its keys, with `?` for what is unknown.
using ScriptKeys = std::vector<std::string>;

struct ClientModelAdvice {
  std::vector<LintFinding> findings;
  std::map<std::string, std::vector<ScriptKeys>> script_keys;  ///< by the script's name, each once
};

[[nodiscard]] ClientModelAdvice advise_on_client_model(const LuaAst& tree,
                                                       const ClientModelUse& use,
                                                       const KeyRoles& roles);

}  // namespace lockstep::advice
