// The expressions of Lua 5.1's grammar; the statements around them are the parser's
// (script_parser.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lua/source/parser.h"
#include "lua/source/rewriter.h"
#include "lua/source/scopes.h"
#include "lua/source/syntax.h"

namespace lockstep::lua {

/// An expression that has been read.
struct ScriptExpression {
  enum class Form : std::uint8_t { value, name, indexed, call };
  Form form = Form::value;
  ScriptOperand operand;
  bool is_multiple = false;     ///< a call or `...`: may have more values than one, or none
  bool is_nil = false;          ///< the word itself
  bool may_be_element = false;  ///< t[x] where x may be a number
  bool is_redis_call = false;   ///< the function redis.call or redis.pcall
  /// If `..` is what was done last: its operands and operators.
  std::vector<ScriptOperand> chain;
  std::vector<std::size_t> chain_operators;
};

class ScriptExpressions {
 public:
  ScriptExpressions(const ScriptExpressions&) = delete;
  ScriptExpressions& operator=(const ScriptExpressions&) = delete;

 protected:
  enum class Self : std::uint8_t { none, implicit };

  struct Function {
    std::uint32_t line = 0;
    bool is_vararg = false;
    bool is_main = false;
    bool uses_dots = false;
    int loops = 0;
    std::optional<std::size_t> arg;  ///< the variable of that name which `...` brings
  };

  /// Counts how deeply the grammar has nested, while it lives.
  class Level {
   public:
    explicit Level(ScriptExpressions& owner);
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --owner_.levels_; }

   private:
    ScriptExpressions& owner_;
  };

  ScriptExpressions(const ScriptTokens& tokens, std::string_view chunk, const ScriptFacts& facts)
      : syntax_(tokens, chunk), notes_(tokens.list), facts_(facts) {}
  ~ScriptExpressions() = default;

  /// A function from its parameters to its `end`.
  virtual void body(std::uint32_t line, Self self) = 0;

  ScriptExpression expression();
  std::vector<ScriptExpression> expressions();
  /// A name or a bracketed expression with what follows: fields, indices, calls.
  ScriptExpression primary();

  void open_function(const Function& function);
  void close_function();
  Function& function() { return functions_.back(); }
  std::size_t declare(std::string_view name, const ScriptOperand* value = nullptr);
  void declare_name(std::size_t token) { declare_with_value(token, nullptr); }
  void declare_with_value(std::size_t token, const ScriptExpression* value);
  /// The variable named by the token gets another value.
  void note_assignment(std::size_t token);
  /// `goto` can't be spelt as the name of a field here.
  void refuse_as_field(std::size_t token);

  ScriptParse finish(std::string_view program);
  ScriptSyntax& syntax() { return syntax_; }
  ScriptRewriter& notes() { return notes_; }
  ScriptScopes& scopes() { return scopes_; }

 private:
  ScriptExpression operation(int limit);
  ScriptExpression unary(int priority);
  ScriptExpression simple();
  ScriptExpression literal();
  ScriptExpression prefix();
  ScriptExpression name();
  void field(ScriptExpression& target);
  void index(ScriptExpression& target);
  void arguments(ScriptExpression& target);
  ScriptExpression constructor();
  void constructor_field();
  void combine(ScriptExpression& left, std::size_t operator_token, ScriptExpression right);
  void settle(ScriptExpression& value);
  void note_library_use(const ScriptExpression& target, std::size_t field);
  [[nodiscard]] bool is_global(const ScriptExpression& target, std::string_view name) const;

  ScriptSyntax syntax_;
  ScriptRewriter notes_;
  ScriptScopes scopes_;
  ScriptFacts facts_;
  std::vector<Function> functions_;
  int levels_ = 0;
};

/// A number literal that is zero.
[[nodiscard]] bool is_zero(const ScriptToken& token);

}  // namespace lockstep::lua
