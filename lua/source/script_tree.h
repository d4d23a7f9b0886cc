// A script of Lua 5.1 as it was parsed: its tree with its tokens, and questions about both.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "lua/source/ast.h"
#include "lua/source/tokens.h"

namespace lockstep::lua {

class ScriptTree {
 public:
  /// Both must outlive the tree.
  ScriptTree(const std::vector<ScriptToken>& tokens, const Ast& ast);

  [[nodiscard]] const Ast& ast() const { return ast_; }
  [[nodiscard]] const std::vector<ScriptToken>& tokens() const { return tokens_; }
  [[nodiscard]] const Expression& expression(ExpressionId id) const { return ast_.expressions[id]; }
  [[nodiscard]] const ScriptToken& token(std::size_t index) const { return tokens_[index]; }

  /// A part of the name in `function a.b()`, which is no expression of its own in Lua's grammar.
  [[nodiscard]] bool is_function_name(ExpressionId id) const { return is_function_name_[id]; }
  [[nodiscard]] bool is_global(ExpressionId id, std::string_view name) const {
    const Expression& each = expression(id);
    return each.kind == Expression::Kind::name && !each.variable && each.text == name;
  }
  [[nodiscard]] bool is_binary(ExpressionId id, std::string_view operator_text) const {
    const Expression& each = expression(id);
    return each.kind == Expression::Kind::binary && each.text == operator_text;
  }
  /// `key` is spelt as a name: `a.key`, `{key = 1}`.
  [[nodiscard]] bool is_field_name(ExpressionId key) const {
    const Expression& each = expression(key);
    return each.kind == Expression::Kind::text && token(each.first).kind == ScriptToken::Kind::name;
  }
  /// The key of an index, as spelt, if it is a field's name or a quoted string.
  [[nodiscard]] std::optional<std::string_view> key_word(const Expression& index) const;
  /// A number literal that is zero.
  [[nodiscard]] bool is_zero(const Expression& each) const;

 private:
  const std::vector<ScriptToken>& tokens_;
  const Ast& ast_;
  std::vector<bool> is_function_name_;
};

}  // namespace lockstep::lua
