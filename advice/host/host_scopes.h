// The brackets of a source file, its classes and functions, and the names of values in it.
//
// Goes by how declarations look, not by a grammar: what looks like none has no name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "advice/host/host_syntax.h"
#include "advice/host/host_tokens.h"

namespace lockstep::advice {

struct HostScope {
  bool is_class = false;
  std::string name;
  std::string of_class;        ///< of a function that says which class it belongs to, as in Go
  std::size_t begin = 0;       ///< the first token of its body
  std::size_t end = 0;         ///< behind its last token
  std::size_t parameters = 0;  ///< the bracket of a function's; 0: none
  std::size_t parent = 0;      ///< HostScopes::none at the outermost
};

class HostScopes {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Both outlive it.
  HostScopes(const std::vector<HostToken>& tokens, const HostSyntax& syntax);

  /// The bracket that belongs to this one; the number of tokens if there is none.
  [[nodiscard]] std::size_t matching_bracket(std::size_t bracket) const {
    return partners_[bracket];
  }
  /// The innermost bracket around a token; the number of tokens if there is none.
  [[nodiscard]] std::size_t around(std::size_t token) const { return around_[token]; }

  [[nodiscard]] const std::vector<HostScope>& scopes() const { return scopes_; }
  /// The innermost function around a token, or none.
  [[nodiscard]] std::size_t function_of(std::size_t token) const;
  /// Whether the token is inside of the scope; everything is inside of none.
  [[nodiscard]] bool is_inside(std::size_t token, std::size_t scope) const;
  /// The name of the innermost class around a token; empty: there is none.
  [[nodiscard]] std::string class_of(std::size_t token) const;

  /// What a value that begins at a token is called: by its property, else the method around it,
  /// else its constant, else "script".
  [[nodiscard]] std::string name_of(std::size_t token) const;

  /// The name that is assigned to by the `=` before a token, as it is spelt without its owner;
  /// empty: there is none.
  [[nodiscard]] std::string assigned_before(std::size_t token) const;
  /// The token of that name, or none.
  [[nodiscard]] std::size_t target_before(std::size_t token) const;
  /// `name: value`, `'name' => value`: the name of a property whose value begins at a token.
  [[nodiscard]] std::string label_before(std::size_t token) const;
  /// The first token of the call whose brackets open at `open`, `new` and owners included.
  [[nodiscard]] std::size_t call_begin(std::size_t open) const;
  /// The word that is called by the brackets that open at `open`, or none.
  [[nodiscard]] std::size_t callee_of(std::size_t open) const;

  [[nodiscard]] bool is(std::size_t index, std::string_view spelling) const;
  [[nodiscard]] std::string_view word_at(std::size_t index) const;

 private:
  void pair_brackets();
  void find_braced_scopes();
  void find_indented_scopes();
  void add(HostScope scope);
  [[nodiscard]] bool declares(std::size_t brace, HostScope& scope) const;
  [[nodiscard]] bool declares_arrow(std::size_t arrow, HostScope& scope) const;
  [[nodiscard]] bool declares_by_keyword(std::size_t keyword, std::size_t brace,
                                         HostScope& scope) const;
  [[nodiscard]] bool declares_class(std::size_t keyword, std::size_t brace, HostScope& scope) const;
  [[nodiscard]] std::size_t value_begin(std::size_t token) const;

  const std::vector<HostToken>& tokens_;
  const HostSyntax& syntax_;
  std::vector<std::size_t> partners_;
  std::vector<std::size_t> around_;
  std::vector<HostScope> scopes_;
  std::vector<std::size_t> scope_at_;  // of each token the innermost scope
};

/// A name as it is asked for: without the sigils of PHP and Ruby.
[[nodiscard]] std::string_view without_sigils(std::string_view word);

}  // namespace lockstep::advice
