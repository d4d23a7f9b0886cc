// The expressions of Lua's grammar, as nodes of a tree. parser.cpp has the statements around them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lua/source/ast.h"
#include "lua/source/scopes.h"
#include "lua/source/token_stream.h"

namespace lockstep::lua {

class ExpressionParser {
 public:
  ExpressionParser(const ExpressionParser&) = delete;
  ExpressionParser& operator=(const ExpressionParser&) = delete;

 protected:
  enum class Self : std::uint8_t { none, implicit };

  /// Where a node begins.
  struct Start {
    std::size_t token;
    Place place;
  };

  /// A function whose body is being parsed.
  struct OpenFunction {
    FunctionId id;
    std::uint32_t line;
    int loops = 0;
  };

  /// Counts how deeply the grammar has nested, while it lives.
  class Level {
   public:
    explicit Level(ExpressionParser& parser);
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --parser_.levels_; }

   private:
    ExpressionParser& parser_;
  };

  ExpressionParser(const ScriptTokens& tokens, Dialect dialect) : stream_(tokens, dialect) {}
  ~ExpressionParser() = default;

  /// The statements of a function, up to its `end`.
  virtual Block statements() = 0;

  ExpressionId expression() { return operation(0); }
  std::vector<ExpressionId> expressions();
  /// A name or a bracketed expression with what follows: fields, indices, calls.
  ExpressionId primary();
  ExpressionId name();
  /// An identifier that stands for its own text: `x` of `a.x`.
  ExpressionId field_name();
  ExpressionId index(ExpressionId table, ExpressionId key);
  /// A function from its parameters to its `end`. `line` is the one that errors name.
  ExpressionId function(const Start& start, std::uint32_t line, Self self);

  FunctionId open_function(std::uint32_t line, const Place& place);
  void close_function(Block body);
  OpenFunction& open_function() { return functions_.back(); }
  VariableId declare(std::size_t token);
  /// The variables that a loop keeps for itself.
  void declare_hidden();
  /// Fails for `goto` in Lua 5.1: Redis takes it, but Lua 5.4 has no spelling for it here.
  void refuse_as_field(std::size_t token) const;
  void note_newer(const Place& place, std::string_view construct);

  [[nodiscard]] Start start() const { return {stream_.position(), stream_.place()}; }
  TokenStream& stream() { return stream_; }
  Scopes& scopes() { return scopes_; }
  Ast& ast() { return ast_; }

 private:
  /// Adds a node that ends with the token before the present one.
  ExpressionId add(Expression expression);
  ExpressionId add(Expression::Kind kind, const Start& start, std::string text = {},
                   std::vector<ExpressionId> parts = {});
  VariableId declare(std::string_view name, std::optional<std::size_t> token);
  void check_locals() const;
  ExpressionId operation(int limit);
  ExpressionId unary();
  ExpressionId simple();
  ExpressionId word(Expression::Kind kind);
  ExpressionId dots();
  ExpressionId text();
  ExpressionId prefix();
  ExpressionId call(Expression::Kind kind, ExpressionId callee, std::string method);
  void arguments(std::vector<ExpressionId>& parts);
  ExpressionId table();
  std::optional<ExpressionId> table_key();
  void parameters();

  TokenStream stream_;
  Scopes scopes_;
  Ast ast_;
  std::vector<OpenFunction> functions_;
  int levels_ = 0;
};

}  // namespace lockstep::lua
