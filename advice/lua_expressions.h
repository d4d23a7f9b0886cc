// The expressions of Lua, 5.1 and 5.4, as nodes of a tree; the statements around them are the
// reader's (lua_reader.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "advice/lua_token_stream.h"

namespace lockstep::advice {

struct LuaOperator {
  std::string_view text;
  int left;
  int right;
};

class LuaExpressions : protected LuaTokenStream {
 public:
  LuaExpressions(const LuaExpressions&) = delete;
  LuaExpressions& operator=(const LuaExpressions&) = delete;

 protected:
  using Kind = Expression::Kind;
  static constexpr int levels_max = 190;  // below the 200 of both Luas, which say so themselves
  enum class Self : std::uint8_t { none, implicit };

  explicit LuaExpressions(std::string_view program) : LuaTokenStream(program) {}
  ~LuaExpressions() = default;

  /// Statements up to the end of a block; what they declare goes out of scope.
  virtual Block block() = 0;

  /// Counts how deeply the grammar has nested, while it lives.
  class Level {
   public:
    explicit Level(LuaExpressions& reader) : reader_(reader) {
      if (++reader.levels_ > levels_max) reader.fail("chunk has too many syntax levels");
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --reader_.levels_; }

   private:
    LuaExpressions& reader_;
  };

  VariableId declare(std::string_view name);
  std::vector<ExpressionId> expressions();
  ExpressionId expression() { return operation(0); }
  /// A name or a bracketed expression with what follows: fields, indices, calls.
  ExpressionId primary();
  ExpressionId name();
  ExpressionId text_key();
  ExpressionId index(ExpressionId table, ExpressionId key);
  /// A function from its parameters to its `end`.
  ExpressionId function(const Place& place, Self self);
  void note_lua54(const Place& place, std::string_view construct);

  LuaAst& tree() { return tree_; }
  [[nodiscard]] std::size_t mark() const { return active_.size(); }
  void close_scope(std::size_t mark) { active_.resize(mark); }

 private:
  [[nodiscard]] std::optional<VariableId> resolve(std::string_view name) const;
  ExpressionId add(Expression expression);
  ExpressionId add(Kind kind, const Place& place, std::string text = {},
                   std::vector<ExpressionId> parts = {});
  [[nodiscard]] std::pair<const LuaOperator*, std::size_t> operator_here() const;
  ExpressionId operation(int limit);
  ExpressionId unary();
  ExpressionId simple();
  ExpressionId text();
  ExpressionId call(Kind kind, ExpressionId callee, std::string method);
  ExpressionId table();

  int levels_ = 0;
  std::vector<VariableId> active_;
  LuaAst tree_;
};

}  // namespace lockstep::advice
