#include "lua/source/script_tree.h"

#include "lua/source/literals.h"

namespace lockstep::lua {

ScriptTree::ScriptTree(const std::vector<ScriptToken>& tokens, const Ast& ast)
    : tokens_(tokens), ast_(ast), is_function_name_(ast.expressions.size()) {
  for (const Statement& statement : ast.statements) {
    if (!statement.is_function) continue;
    ExpressionId id = statement.targets[0];
    is_function_name_[id] = true;
    while (expression(id).kind == Expression::Kind::index) {
      id = expression(id).parts[0];
      is_function_name_[id] = true;
    }
  }
}

std::optional<std::string_view> ScriptTree::key_word(const Expression& index) const {
  const Expression& key = expression(index.parts[1]);
  const ScriptToken& token = tokens_[key.first];
  if (key.kind != Expression::Kind::text || token.kind == ScriptToken::Kind::long_string) {
    return std::nullopt;
  }
  if (token.kind == ScriptToken::Kind::name) return token.text;
  return token.text.substr(1, token.text.size() - 2);
}

bool ScriptTree::is_zero(const Expression& each) const {
  return each.kind == Expression::Kind::number && read_number_literal(each.text).value == 0;
}

}  // namespace lockstep::lua
