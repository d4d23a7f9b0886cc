#include "lua/source/warning.h"

#include <algorithm>
#include <array>
#include <utility>

#include "lua/source/literals.h"
#include "lua/source/script_tree.h"
#include "lua/source/token_stream.h"

namespace lockstep::lua {

namespace {

struct LibraryUse {
  std::string_view library;  ///< empty: the base library
  std::string_view name;
  std::string_view text;
};

constexpr std::string_view pairs_order =
    "the order may be another than in Redis, except over an array";
constexpr std::array<LibraryUse, 9> library_uses = {{
    {"", "pairs", pairs_order},
    {"", "next", pairs_order},
    {"table", "foreach", pairs_order},
    {"cjson", "encode", "an object's members may come in another order than in Redis"},
    {"cmsgpack", "pack", "a map's members may come in another order than in Redis"},
    {"string", "dump", "there is no such function here"},
    {"", "collectgarbage", "memory is not counted: the count is always the same"},
    {"os", "clock", "processor time is not counted: it is always the same"},
    {"", "gcinfo", "memory is not counted: the count is always the same"},
}};

void warn_of_global(const Expression& name, ScriptWarnings& warnings) {
  for (const LibraryUse& use : library_uses) {
    const bool is_meant = use.library.empty() && use.name == name.text;
    if (is_meant && !name.variable) warnings.add(name.place.line, name.text, use.text);
  }
}

void warn_of_field(const ScriptTree& tree, const Expression& index, ScriptWarnings& warnings) {
  if (!tree.is_field_name(index.parts[1])) return;
  const Expression& field = tree.expression(index.parts[1]);
  for (const LibraryUse& use : library_uses) {
    if (use.library.empty() || use.name != field.text) continue;
    if (!tree.is_global(index.parts[0], use.library)) continue;
    warnings.add(field.place.line, std::string(use.library) + "." + field.text, use.text);
  }
}

void warn_of_negation(const ScriptTree& tree, const Expression& each, ScriptWarnings& warnings) {
  const Expression& operand = tree.expression(each.parts[0]);
  if (operand.kind != Expression::Kind::number) return;
  const NumberLiteral literal = read_number_literal(operand.text);
  if (!literal.is_small_integer || literal.value != 0) return;
  warnings.add(each.place.line, "-0",
               "Redis may take 0 and -0 in one function for the same constant");
}

bool is_nil(const ScriptTree& tree, ExpressionId id) {
  return tree.expression(id).kind == Expression::Kind::nil;
}

std::uint32_t first_line(const ScriptTree& tree, ExpressionId id) {
  return end_line(tree.token(tree.expression(id).first));
}

/// Finds what may put a hole into a table.
class HoleFinder {
 public:
  HoleFinder(const ScriptTree& tree, ScriptWarnings& warnings) : tree_(tree), warnings_(warnings) {}

  /// Looks at expressions and statements in the order in which they end.
  void find() {
    for (const Statement& statement : tree_.ast().statements) {
      for (const ExpressionId id : statement.targets) find_up_to(id);
      for (const ExpressionId id : statement.values) find_up_to(id);
      if (statement.kind == Statement::Kind::assignment) assignment(statement);
    }
  }

 private:
  void find_up_to(ExpressionId last) {
    for (; next_ <= last; ++next_) {
      const Expression& each = tree_.expression(next_);
      if (each.kind == Expression::Kind::table) table(each);
    }
  }

  /// `{1, nil, 2}`
  void table(const Expression& table) {
    bool follows_nil = false;
    for (std::size_t i = 0; i < table.parts.size(); ++i) {
      if (table.keys[i]) continue;
      if (follows_nil) add(first_line(tree_, table.parts[i]), "nil");
      follows_nil = is_nil(tree_, table.parts[i]);
    }
  }

  /// `t[x] = nil`
  void assignment(const Statement& statement) {
    const std::size_t count = std::min(statement.targets.size(), statement.values.size());
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_nil(tree_, statement.values[i]) || !may_be_element(statement.targets[i])) continue;
      add(first_line(tree_, statement.values[0]), "= nil");
    }
  }

  /// t[x] where x may be a number. `t[#t] = nil` leaves no hole.
  [[nodiscard]] bool may_be_element(ExpressionId id) const {
    const Expression& target = tree_.expression(id);
    if (target.kind != Expression::Kind::index || tree_.key_word(target)) return false;
    return tree_.token(tree_.expression(target.parts[1]).first).text != "#";
  }

  void add(std::uint32_t line, std::string_view construct) {
    warnings_.add(line, construct, "the length of a table with holes may be another than in Redis");
  }

  const ScriptTree& tree_;
  ScriptWarnings& warnings_;
  ExpressionId next_ = 0;
};

}  // namespace

std::vector<ScriptWarning> ScriptWarnings::take() {
  std::stable_sort(
      list_.begin(), list_.end(),
      [](const ScriptWarning& left, const ScriptWarning& right) { return left.line < right.line; });
  const auto repeated = std::unique(list_.begin(), list_.end());
  list_.erase(repeated, list_.end());
  return std::move(list_);
}

void warn_of_constructs(const ScriptTree& tree, ScriptWarnings& warnings) {
  for (ExpressionId id = 0; id < tree.ast().expressions.size(); ++id) {
    const Expression& each = tree.expression(id);
    if (tree.is_function_name(id)) continue;
    if (each.kind == Expression::Kind::name) warn_of_global(each, warnings);
    if (each.kind == Expression::Kind::index) warn_of_field(tree, each, warnings);
    if (each.kind == Expression::Kind::unary && each.text == "-") {
      warn_of_negation(tree, each, warnings);
    }
  }
  for (const ScriptToken& token : tree.tokens()) {
    if (token.text.find("__mode") == std::string_view::npos) continue;
    warnings.add(token.line, "__mode",
                 "weak tables are refused: what is in them depends on the collector");
  }
}

void warn_of_holes(const ScriptTree& tree, ScriptWarnings& warnings) {
  const auto& expressions = tree.ast().expressions;
  const bool takes_length =
      std::any_of(expressions.begin(), expressions.end(), [](const Expression& each) {
        return each.kind == Expression::Kind::unary && each.text == "#";
      });
  if (takes_length) HoleFinder(tree, warnings).find();
}

}  // namespace lockstep::lua
