#include "lua/source/rewriter.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "lua/source/edits.h"
#include "lua/source/literals.h"
#include "lua/source/script_tree.h"
#include "lua/source/token_classes.h"
#include "lua/source/warning.h"

namespace lockstep::lua {

namespace {

using ExpressionKind = Expression::Kind;
using Operands = std::vector<ExpressionId>;

constexpr std::array<std::string_view, 6> comparisons = {"==", "~=", "<", "<=", ">", ">="};

/// A name that Lua 5.4 would not take for one; nothing for others.
std::string_view other_spelling(std::string_view name) {
  if (name == "goto") return "__goto";
  if (name == "_ENV") return "__ENV";
  return {};
}

/// Expressions end in the order of their numbers, so inner edits are made before outer ones.
class Rewriter {
 public:
  Rewriter(const ScriptTree& tree, const ScriptFacts& facts, ScriptWarnings& warnings)
      : tree_(tree),
        kinds_(tree, facts),
        warnings_(warnings),
        edits_(tree.tokens().size()),
        is_kept_(tree.tokens().size()),
        is_used_(tree.ast().variables.size()),
        is_continued_(tree.ast().expressions.size()) {}

  std::string rewrite(std::string_view program) {
    const auto count = static_cast<ExpressionId>(tree_.ast().expressions.size());
    for (ExpressionId id = 0; id < count; ++id) prepare(id);
    for (ExpressionId id = 0; id < count; ++id) expression(id);
    for (const Statement& each : tree_.ast().statements) statement(each);
    for (const Variable& each : tree_.ast().variables) declaration(each);
    for (const Function& each : tree_.ast().functions) declare_arg(each);
    literals();
    return edits_.apply(program, tree_.tokens());
  }

 private:
  /// Learns what edits depend on that come before.
  void prepare(ExpressionId id) {
    const Expression& each = tree_.expression(id);
    if (tree_.is_binary(id, "..") && tree_.is_binary(each.parts[1], "..")) {
      is_continued_[each.parts[1]] = true;
    } else if (each.kind == ExpressionKind::unary && each.text == "-") {
      const Expression& operand = tree_.expression(each.parts[0]);
      const bool is_literal =
          operand.kind == ExpressionKind::number && kinds_.is_small_integer(each.parts[0]);
      has_negation_ = has_negation_ || !is_literal;
    }
  }

  void expression(ExpressionId id) {
    const Expression& each = tree_.expression(id);
    switch (each.kind) {
      case ExpressionKind::name:
        if (!tree_.is_function_name(id)) name(each);
        return;
      case ExpressionKind::index:
        if (!tree_.is_function_name(id)) index(each);
        return;
      case ExpressionKind::table:
        for (const auto& key : each.keys) {
          if (key) table_key(*key);
        }
        return;
      case ExpressionKind::call:
        if (calls_redis(each)) keep_integers(each.parts);
        return;
      case ExpressionKind::unary:
        if (each.text == "#") length(each);
        return;
      case ExpressionKind::binary:
        binary(id);
        return;
      case ExpressionKind::nil:
      case ExpressionKind::truth:
      case ExpressionKind::falsehood:
      case ExpressionKind::number:
      case ExpressionKind::text:
      case ExpressionKind::dots:
      case ExpressionKind::function:
      case ExpressionKind::method:
      case ExpressionKind::group:
        return;
    }
  }

  void name(const Expression& each) {
    if (each.variable) is_used_[*each.variable] = true;
    const std::string_view spelling = other_spelling(each.text);
    if (spelling.empty()) return;
    edits_.replace(each.first,
                   each.variable ? std::string(spelling) : "_ENV[\"" + each.text + "\"]");
  }

  void index(const Expression& each) {
    keep_integer(each.parts[1]);
    const Expression& key = tree_.expression(each.parts[1]);
    if (!tree_.is_field_name(each.parts[1]) || key.text != "goto") return;
    edits_.replace(key.first - 1, "[");
    edits_.replace(key.first, "\"goto\"]");
  }

  void table_key(ExpressionId id) {
    keep_integer(id);
    const Expression& key = tree_.expression(id);
    if (tree_.is_field_name(id) && key.text == "goto") edits_.replace(key.first, "[\"goto\"]");
  }

  /// redis.call or redis.pcall.
  [[nodiscard]] bool calls_redis(const Expression& call) const {
    const Expression& callee = tree_.expression(call.parts[0]);
    if (callee.kind != ExpressionKind::index || !tree_.is_global(callee.parts[0], "redis"))
      return false;
    const std::string& name = tree_.expression(callee.parts[1]).text;
    return tree_.is_field_name(callee.parts[1]) && (name == "call" || name == "pcall");
  }

  void length(const Expression& each) {
    if (mentions_len()) {
      edits_.replace(each.first, std::string(length_name) + "(");
      edits_.wrap(each.first, each.last, "", ")");
    } else if (has_negation_) {
      edits_.wrap(each.first, each.last, "(", "+0.0)");
    }
  }

  void binary(ExpressionId id) {
    const Expression& each = tree_.expression(id);
    if (each.text == "..") {
      if (!is_continued_[id]) concatenation(id);
    } else if (each.text == "%") {
      call(modulo_name, each.parts);
    } else if (is_one_of(each.text, comparisons)) {
      keep_integers(each.parts);
    }
  }

  /// All operands of a chain `a .. b .. c` that ends with this expression.
  void concatenation(ExpressionId id) {
    Operands operands;
    while (tree_.is_binary(id, "..")) {
      operands.push_back(tree_.expression(id).parts[0]);
      id = tree_.expression(id).parts[1];
    }
    operands.push_back(id);
    keep_integers(operands);
    if (!can_stay(operands)) call(concatenation_name, operands);
  }

  /// Text for certain, so that both Luas concatenate it alike. With `__concat` the function is
  /// needed even so: Lua 5.4.4 reads freed memory where a metamethod makes the stack grow.
  [[nodiscard]] bool can_stay(const Operands& operands) const {
    return std::all_of(operands.begin(), operands.end(), [this](ExpressionId id) {
      return kinds_.is_small_integer(id) || kinds_.is_text(id);
    });
  }

  /// Makes `a .. b .. c` a call of a function with these arguments.
  void call(std::string_view function, const Operands& operands) {
    const Expression& front = tree_.expression(operands.front());
    const Expression& back = tree_.expression(operands.back());
    const std::size_t first_operator = front.last + 1;
    const std::uint32_t line = tree_.token(front.first).line;
    if (line != tree_.token(back.last).line) {
      warnings_.add(line, tree_.token(first_operator).text,
                    "an error in this expression is told of its first line, in Redis of its last");
    }
    std::string before(function);
    before.append("(").append(quoted_names(operands)).append(",");
    edits_.wrap(front.first, back.last, before, "))");
    for (const ExpressionId id : operands) {
      if (id != operands.back()) edits_.replace(tree_.expression(id).last + 1, ",");
    }
    edits_.replace(back.first - 1, ",(");  // a call there has one result, not all
  }

  /// Each operand's name, for the functions to report errors with.
  [[nodiscard]] std::string quoted_names(const Operands& operands) const {
    std::string names = "\"";
    bool any = false;
    for (const ExpressionId id : operands) {
      const std::string name = name_of(id);
      any = any || !name.empty();
      names.append(name).append(";");
    }
    return any ? names + '"' : "\"\"";
  }

  /// An operand as Lua 5.1's errors name it: "local 'x'"; may be empty.
  [[nodiscard]] std::string name_of(ExpressionId id) const {
    while (tree_.expression(id).kind == ExpressionKind::group) id = tree_.expression(id).parts[0];
    const Expression& each = tree_.expression(id);
    std::string_view what = "field";
    std::string_view name = each.text;
    if (each.kind == ExpressionKind::name) {
      what = !each.variable ? "global" : each.is_upvalue ? "upvalue" : "local";
    } else if (each.kind == ExpressionKind::index) {
      name = tree_.key_word(each).value_or("?");
    } else {
      return {};
    }
    return std::string(what).append(" '").append(name).append("'");
  }

  void statement(const Statement& each) {
    if (each.kind == Statement::Kind::numeric_for && each.values.size() == 3) {
      step(each.values[2]);
    } else if (each.kind == Statement::Kind::results && each.function == 0) {
      keep_integers(each.values);
    } else if (each.is_function) {
      const Expression& target = tree_.expression(each.targets[0]);
      if (target.variable) is_used_[*target.variable] = true;
    }
  }

  void step(ExpressionId id) {
    const Expression& each = tree_.expression(id);
    if (kinds_.is_small_integer(id) && !tree_.is_zero(each)) return;
    edits_.wrap(each.first, each.last, std::string(step_name) + "(", ")");
  }

  void declaration(const Variable& each) {
    const std::string_view spelling = other_spelling(each.name);
    if (each.token && !spelling.empty()) edits_.replace(*each.token, std::string(spelling));
  }

  /// In 5.1 a function with `...` has its arguments in a local table `arg`, too, unless it uses
  /// `...` itself: then `arg` is nil.
  void declare_arg(const Function& each) {
    if (!each.arg || !is_used_[*each.arg]) return;
    const std::string table = std::string(" local arg=") + arg_name + "(...) ";
    edits_.wrap(each.parameters_end, each.parameters_end, "",
                each.uses_dots ? " local arg " : table);
  }

  /// A number that may stay an integer.
  void keep_integer(ExpressionId id) {
    if (kinds_.is_small_integer(id)) is_kept_[tree_.expression(id).last] = true;
  }
  void keep_integers(const Operands& list) {
    for (const ExpressionId id : list) keep_integer(id);
  }

  void literals() {
    for (std::size_t index = 0; index < tree_.tokens().size(); ++index) {
      const ScriptToken& token = tree_.token(index);
      std::optional<std::string> rewritten;
      if (token.kind == ScriptToken::Kind::number && !is_kept_[index]) {
        rewritten = read_number_literal(token.text).as_float;
      } else if (token.kind == ScriptToken::Kind::string) {
        rewritten = rewrite_string_literal(token.text);
      }
      if (rewritten) edits_.replace(index, std::move(*rewritten));
    }
  }

  bool mentions_len() {
    if (!mentions_len_) {
      const auto& tokens = tree_.tokens();
      mentions_len_ = std::any_of(tokens.begin(), tokens.end(), [](const ScriptToken& token) {
        return token.text.find("__len") != std::string_view::npos;
      });
    }
    return *mentions_len_;
  }

  const ScriptTree& tree_;
  ValueKinds kinds_;
  ScriptWarnings& warnings_;
  ScriptEdits edits_;
  std::vector<bool> is_kept_;       ///< numbers that stay integers, by token
  std::vector<bool> is_used_;       ///< variables
  std::vector<bool> is_continued_;  ///< the right operand of another `..`
  bool has_negation_ = false;
  std::optional<bool> mentions_len_;
};

}  // namespace

std::string rewrite(std::string_view program, const ScriptTree& tree, const ScriptFacts& facts,
                    ScriptWarnings& warnings) {
  return Rewriter(tree, facts, warnings).rewrite(program);
}

}  // namespace lockstep::lua
