#include "lua/source/rewriter.h"

#include <algorithm>
#include <optional>

#include "lua/source/literals.h"

namespace lockstep::lua {

namespace {

using Kind = ScriptToken::Kind;

/// Each operand's name, as the functions that report errors want them.
std::string quoted_names(const std::vector<ScriptOperand>& operands) {
  std::string names = "\"";
  bool any = false;
  for (const ScriptOperand& operand : operands) {
    any = any || !operand.name.empty();
    names.append(operand.name).append(";");
  }
  return any ? names + '"' : "\"\"";
}

}  // namespace

void ScriptRewriter::concatenation(std::vector<ScriptOperand> operands,
                                   std::vector<std::size_t> operators) {
  for (const ScriptOperand& operand : operands) keep_integer(operand);
  changes_.push_back({Form::concatenation, std::move(operands), std::move(operators)});
}

void ScriptRewriter::modulo(const ScriptOperand& left, std::size_t operator_token,
                            const ScriptOperand& right) {
  changes_.push_back({Form::modulo, {left, right}, {operator_token}});
}

void ScriptRewriter::length(std::size_t first, std::size_t last, std::uint32_t) {
  has_length_ = true;
  ScriptOperand operand;
  operand.first = first;
  operand.last = last;
  changes_.push_back({Form::length, {operand}, {}});
}

void ScriptRewriter::step(const ScriptOperand& operand) {
  changes_.push_back({Form::step, {operand}, {}});
}

void ScriptRewriter::keep_integer(const ScriptOperand& operand) {
  if (operand.kind == ValueKind::small_integer) is_kept_[operand.last] = true;
}

void ScriptRewriter::hole(std::uint32_t line, std::string_view construct) {
  holes_.push_back({line, std::string(construct),
                    "the length of a table with holes may be another than in Redis"});
}

void ScriptRewriter::warn(std::uint32_t line, std::string_view construct, std::string_view text) {
  warnings_.push_back({line, std::string(construct), std::string(text)});
}

bool ScriptRewriter::mentions(std::string_view word) const {
  return std::any_of(tokens_.begin(), tokens_.end(), [word](const ScriptToken& token) {
    return token.text.find(word) != std::string_view::npos;
  });
}

/// Text for certain, so that both Luas concatenate it alike. With `__concat` the function is needed
/// even so: Lua 5.4.4 reads freed memory where a metamethod makes the stack grow.
bool ScriptRewriter::can_stay(const Change& change, const ScriptScopes& scopes) const {
  return std::all_of(change.operands.begin(), change.operands.end(),
                     [&scopes](const ScriptOperand& operand) {
                       return operand.kind == ValueKind::small_integer ||
                              scopes.is_text(operand.kind, operand.variable);
                     });
}

void ScriptRewriter::call(const Change& change, std::string_view function) {
  const std::uint32_t line = tokens_[change.operands.front().first].line;
  if (line != tokens_[change.operands.back().last].line) {
    warn(line, tokens_[change.operators.front()].text,
         "an error in this expression is told of its first line, in Redis of its last");
  }
  std::string before(function);
  before.append("(").append(quoted_names(change.operands)).append(",");
  edits_.wrap(change.operands.front().first, change.operands.back().last, before, "))");
  for (const std::size_t index : change.operators) edits_.replace(index, ",");
  edits_.replace(change.operators.back(), ",(");  // a call there has one result, not all
}

void ScriptRewriter::apply(const Change& change, const ScriptScopes& scopes) {
  const ScriptOperand& first = change.operands.front();
  switch (change.form) {
    case Form::concatenation:
      if (!can_stay(change, scopes)) call(change, concatenation_name);
      return;
    case Form::modulo:
      call(change, modulo_name);
      return;
    case Form::length:
      if (mentions("__len")) {
        edits_.replace(first.first, std::string(length_name) + "(");
        edits_.wrap(first.first, first.last, "", ")");
      } else if (has_negation_) {
        edits_.wrap(first.first, first.last, "(", "+0.0)");
      }
      return;
    case Form::step:
      edits_.wrap(first.first, first.last, std::string(step_name) + "(", ")");
      return;
  }
}

void ScriptRewriter::rewrite_literals() {
  for (std::size_t index = 0; index < tokens_.size(); ++index) {
    const ScriptToken& token = tokens_[index];
    if (token.text.find("__mode") != std::string_view::npos) {
      warn(token.line, "__mode",
           "weak tables are refused: what is in them depends on the collector");
    }
    std::optional<std::string> rewritten;
    if (token.kind == Kind::number && !is_kept_[index]) {
      rewritten = read_number_literal(token.text).as_float;
    } else if (token.kind == Kind::string) {
      rewritten = rewrite_string_literal(token.text);
    }
    if (rewritten) edits_.replace(index, std::move(*rewritten));
  }
}

std::string ScriptRewriter::rewrite(std::string_view program, const ScriptScopes& scopes) {
  rewrite_literals();
  for (const Change& change : changes_) apply(change, scopes);
  return edits_.apply(program, tokens_);
}

std::vector<ScriptWarning> ScriptRewriter::take_warnings() {
  if (has_length_) warnings_.insert(warnings_.end(), holes_.begin(), holes_.end());
  std::stable_sort(
      warnings_.begin(), warnings_.end(),
      [](const ScriptWarning& left, const ScriptWarning& right) { return left.line < right.line; });
  const auto repeated = std::unique(warnings_.begin(), warnings_.end());
  warnings_.erase(repeated, warnings_.end());
  return std::move(warnings_);
}

}  // namespace lockstep::lua
