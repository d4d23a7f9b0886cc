// The values of string expressions: literals that are joined, formatted, trimmed, kept in constants
// of the same file or returned by functions of it.
//
// What can't be known leaves a hole in the text (host_text.h). Work is bounded: a file can't make
// an expression grow or be read again and again without end.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "advice/host/host_scopes.h"
#include "advice/host/host_syntax.h"
#include "advice/host/host_text.h"
#include "advice/host/host_tokens.h"

namespace lockstep::advice {

/// The words of `a.b->c::d`; empty: it is no path.
[[nodiscard]] std::vector<std::string_view> path_words(std::string_view path);

struct HostValue {
  HostText text;
  bool has_text = false;  ///< something of it is known
  lua::Place place;       ///< of its first literal
};

class HostValues {
 public:
  /// All outlive it.
  HostValues(const std::vector<HostToken>& tokens, const HostScopes& scopes,
             const HostSyntax& syntax);

  /// The value of the expression that begins at a token and ends before `end` at the latest.
  [[nodiscard]] HostValue evaluate(std::size_t begin, std::size_t end);
  /// The first token of the whole expression that a literal is a part of.
  [[nodiscard]] std::size_t whole_expression(std::size_t literal) const;
  [[nodiscard]] std::size_t expression_end(std::size_t begin) const;

  /// What a variable holds to which an expression is assigned or added, where statements add to it;
  /// none: none do.
  [[nodiscard]] std::optional<HostValue> built_by_statements(std::size_t begin);

  /// The first token of an expression that joins the list of a constant, where this token is the
  /// word that joins; none: it is not.
  [[nodiscard]] std::optional<std::size_t> joins_list_of_constant(std::size_t token);

  /// Whether something joins the list that a bracket opens, whatever is between.
  [[nodiscard]] bool is_list_joined(std::size_t bracket) const {
    return joining_method(bracket, tokens_.size()) != HostScopes::none;
  }

  /// Literals that are a part of an expression that was evaluated.
  [[nodiscard]] bool is_used(std::size_t token) const { return used_[token]; }
  /// First tokens of the values of constants that the expression has inside which was evaluated
  /// last.
  [[nodiscard]] const std::set<std::size_t>& parts() const { return parts_; }
  /// The first token of the value of the constant that an expression names; none: it names none.
  [[nodiscard]] std::optional<std::size_t> constant_value(std::size_t begin, std::size_t end);

  /// Elements of a list between brackets: first tokens, and where each ends.
  struct Element {
    std::size_t begin;
    std::size_t end;
  };
  [[nodiscard]] std::vector<Element> elements(std::size_t open) const;
  /// Tokens as they are spelt, cut off where it is long.
  [[nodiscard]] std::string spelling_of(std::size_t begin, std::size_t end) const;

 private:
  /// Brackets in brackets, constants of constants: deeper ones are no script's.
  static constexpr int depth_max = 40;
  /// Operands and names that are looked at in one file: what is beyond is a hole.
  static constexpr std::size_t work_max = 400'000;
  static constexpr std::size_t text_bytes_max = 1U << 20U;

  struct Constant {
    std::size_t target;      ///< the token of its name
    std::size_t value;       ///< the first token of its value
    bool is_member = false;  ///< this.name = …
    std::string owner;       ///< of a property the constant that it belongs to
  };
  struct Addition {
    std::size_t target;
    std::size_t value;
    bool adds_line_end = false;
  };

  void find_constants();
  bool find_several_constants(std::size_t assignment);
  void find_functions();
  void add_constant(std::size_t target, std::size_t value, std::string owner);

  [[nodiscard]] bool is(std::size_t index, std::string_view spelling) const {
    return scopes_.is(index, spelling);
  }
  [[nodiscard]] bool is_text(std::size_t index) const {
    return index < tokens_.size() && tokens_[index].kind == HostToken::Kind::text;
  }
  [[nodiscard]] bool is_joint(std::size_t index) const { return is(index, syntax_.joins); }
  [[nodiscard]] bool is_dot(std::size_t index) const;
  [[nodiscard]] bool ends_operand(std::size_t index) const;
  [[nodiscard]] bool ends_chain(std::size_t index) const;
  [[nodiscard]] bool begins_statement(std::size_t index) const;
  [[nodiscard]] bool is_append(std::size_t callee) const;
  [[nodiscard]] std::size_t past(std::size_t at) const;
  [[nodiscard]] std::size_t operand_end(std::size_t at) const;
  [[nodiscard]] std::size_t chain_begin(std::size_t begin) const;
  [[nodiscard]] std::size_t literal_begin(std::size_t literal) const;
  [[nodiscard]] std::size_t wrapping_begin(std::size_t begin, std::size_t end) const;

  HostValue sum(std::size_t at, std::size_t end, int depth);
  HostValue operand(std::size_t at, std::size_t stop, int depth);
  std::optional<HostValue> primary(std::size_t& at, std::size_t stop, int depth);
  std::optional<HostValue> literals(std::size_t& at, std::size_t stop, int depth);
  std::optional<HostValue> tagged(std::size_t& at, std::size_t stop, int depth);
  std::optional<HostValue> list_joined(std::size_t& at, std::size_t stop, int depth);
  [[nodiscard]] std::size_t joining_method(std::size_t at, std::size_t stop) const;
  [[nodiscard]] std::size_t list_bracket(std::size_t begin, std::size_t end) const;
  std::optional<std::vector<Element>> list_at(std::size_t begin, std::size_t end, int depth);
  HostText separator_of(std::size_t method, int depth);
  std::optional<HostValue> built_by_block(std::size_t& at, std::size_t stop, int depth);
  std::optional<HostValue> path_or_call(std::size_t& at, std::size_t stop, int depth);
  std::optional<HostValue> call(std::size_t callee, std::size_t open, int depth);
  std::optional<HostValue> join(const std::vector<Element>& parts, const HostText& separator,
                                int depth);
  std::optional<HostValue> format(const HostValue& pattern, const std::vector<Element>& arguments,
                                  std::size_t from, int depth, std::size_t user);
  bool apply_method(std::string_view name, std::size_t open, HostValue& value, int depth);
  HostText filled(const HostText& text, std::size_t user, int depth);
  std::optional<HostValue> constant(std::string_view path, std::size_t user, int depth);
  const Constant* constant_named(std::string_view path, std::size_t user);
  std::optional<HostValue> with_additions(const Constant& constant, std::size_t user, int depth);

  const std::vector<HostToken>& tokens_;
  const HostScopes& scopes_;
  const HostSyntax& syntax_;
  std::vector<bool> used_;
  std::map<std::string, std::vector<Constant>, std::less<>> constants_;
  std::map<std::string, std::vector<Addition>, std::less<>> additions_;
  std::map<std::string, std::size_t, std::less<>> functions_;  // to what they return; 0: unclear
  std::set<std::size_t> parts_;
  std::set<std::size_t> active_;  // values of constants that are being evaluated
  std::map<std::size_t, std::optional<HostValue>> known_;
  bool is_elsewhere_ = false;  // what is read belongs to a constant, not to the expression
  std::size_t work_ = 0;
};

}  // namespace lockstep::advice
