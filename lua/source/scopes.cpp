#include "lua/source/scopes.h"

namespace lockstep::lua {

void ScriptScopes::close_function() {
  active_.resize(functions_.back());
  functions_.pop_back();
}

std::size_t ScriptScopes::declare(const Variable& variable) {
  variables_.push_back(variable);
  active_.push_back(variables_.size() - 1);
  return active_.back();
}

ScriptScopes::Meaning ScriptScopes::resolve(std::string_view name) {
  for (std::size_t position = active_.size(); position > 0; --position) {
    const std::size_t index = active_[position - 1];
    if (variables_[index].name != name) continue;
    variables_[index].is_used = true;
    const bool is_own = position > functions_.back();
    return {is_own ? Meaning::Scope::local : Meaning::Scope::upvalue, index};
  }
  return {Meaning::Scope::global, 0};
}

bool ScriptScopes::is_text(ValueKind kind, std::size_t variable) const {
  // A variable's source was declared before it, so this ends.
  while (kind == ValueKind::local) {
    const Variable& holder = variables_[variable];
    if (holder.is_assigned) return false;
    kind = holder.kind;
    variable = holder.source;
  }
  return kind == ValueKind::text;
}

}  // namespace lockstep::lua
