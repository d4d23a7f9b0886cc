// Advice on a client model, such as several calls that one script should make atomically.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "advice/key_roles.h"
#include "advice/rules.h"
#include "lua/source/ast.h"
#include "scenario/options.h"

namespace lockstep::advice {

/// What decides which paths of a client model are taken.
struct ClientModelUse {
  std::vector<std::string> paths;  ///< of the client model and its libraries, by a place's `file`
  std::map<std::string, lua::FunctionId> libraries;  ///< by name, in the same tree
  scenario::Options options;                         ///< of the lock, for `lock.options.poll_ms`
};

/// How the client model calls one script: the names of its keys, with `?` for what is unknown.
using ScriptKeys = std::vector<std::string>;

struct ClientModelAdvice {
  std::vector<LintFinding> findings;
  std::map<std::string, std::vector<ScriptKeys>>
      script_keys;  ///< by the script's name, without duplicates
};

[[nodiscard]] ClientModelAdvice advise_on_client_model(const lua::Ast& tree,
                                                       const ClientModelUse& use,
                                                       const KeyRoles& roles);

}  // namespace lockstep::advice
