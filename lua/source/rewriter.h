// What the parser notes of a program, and the program rewritten accordingly.
//
// Whether an operand can be a number is known only at the end, when every assignment has been seen;
// so changes are noted in the order in which their expressions end, inner before outer, and made
// all at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lua/source/edits.h"
#include "lua/source/scopes.h"
#include "lua/source/tokens.h"
#include "lua/source/warning.h"

namespace lockstep::lua {

/// The names of the global functions that rewritten operators call.
inline constexpr const char* concatenation_name = "__concatenation";
inline constexpr const char* modulo_name = "__modulo";
inline constexpr const char* length_name = "__length";
inline constexpr const char* step_name = "__step";
inline constexpr const char* arg_name = "__arg";

/// An operand by its first and last token.
struct ScriptOperand {
  std::size_t first = 0;
  std::size_t last = 0;
  ValueKind kind = ValueKind::other;
  std::size_t variable = 0;  ///< for ValueKind::local
  std::string name;          ///< as Lua 5.1's errors name it: "local 'x'"; may be empty
};

class ScriptRewriter {
 public:
  explicit ScriptRewriter(const std::vector<ScriptToken>& tokens)
      : tokens_(tokens), is_kept_(tokens.size(), false), edits_(tokens.size()) {}

  /// `first .. second .. third` with its operators' tokens.
  void concatenation(std::vector<ScriptOperand> operands, std::vector<std::size_t> operators);
  void modulo(const ScriptOperand& left, std::size_t operator_token, const ScriptOperand& right);
  void length(std::size_t first, std::size_t last, std::uint32_t line);
  void negation() { has_negation_ = true; }
  /// The step of a numeric loop.
  void step(const ScriptOperand& operand);
  /// A number that may stay an integer.
  void keep_integer(const ScriptOperand& operand);
  void replace(std::size_t token, std::string text) { edits_.replace(token, std::move(text)); }
  void insert_after(std::size_t token, std::string_view text) {
    edits_.wrap(token, token, "", text);
  }
  /// A table may get a hole on this line.
  void hole(std::uint32_t line, std::string_view construct);
  void zero(bool is_negative, std::uint32_t line);
  void warn(std::uint32_t line, std::string_view construct, std::string_view text);

  /// The program as Lua 5.4 has to read it.
  [[nodiscard]] std::string rewrite(std::string_view program, const ScriptScopes& scopes);
  [[nodiscard]] std::vector<ScriptWarning> take_warnings();

 private:
  enum class Form : std::uint8_t { concatenation, modulo, length, step };
  struct Change {
    Form form;
    std::vector<ScriptOperand> operands;
    std::vector<std::size_t> operators;
  };
  void apply(const Change& change, const ScriptScopes& scopes);
  void call(const Change& change, std::string_view function);
  [[nodiscard]] bool can_stay(const Change& change, const ScriptScopes& scopes) const;
  void rewrite_literals();
  [[nodiscard]] bool mentions(std::string_view word) const;

  const std::vector<ScriptToken>& tokens_;
  std::vector<bool> is_kept_;  ///< numbers that stay integers
  ScriptEdits edits_;
  std::vector<Change> changes_;
  std::vector<ScriptWarning> warnings_;
  std::vector<ScriptWarning> holes_;  ///< told only where lengths are taken, too
  bool has_negation_ = false;
  bool has_length_ = false;
};

}  // namespace lockstep::lua
