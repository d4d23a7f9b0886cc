// The tokens of a Java, JavaScript or TypeScript file, with its string literals decoded.
//
// Covers the part of the lexical grammar that finding string literals reliably needs: comments,
// character literals, regular expressions and templates are told apart from them. Comments are
// skipped. An unfinished token is reported, and reading continues after it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lua/source/ast.h"

namespace lockstep::advice {

enum class HostLanguage : std::uint8_t { java, javascript };

/// A part of a literal: text, or an expression of unknown value.
struct HostPiece {
  enum class Kind : std::uint8_t { text, expression };
  Kind kind = Kind::text;
  std::string text;  ///< unescaped; of an expression as spelt
  lua::Place place;
};

struct HostToken {
  enum class Kind : std::uint8_t {
    word,    ///< an identifier or a keyword
    number,  ///< or a regular expression: a value but not a string
    text,    ///< a string literal, text block or template
    symbol,  ///< one character, or `=>`, `==`, `+=` and the like
  };
  Kind kind = Kind::symbol;
  std::string_view spelling;
  lua::Place place;
  std::vector<HostPiece> pieces;  ///< of a text
};

struct HostComplaint {
  lua::Place place;
  std::string what;
};

struct HostTokens {
  std::vector<HostToken> list;
  std::vector<HostComplaint> complaints;
};

[[nodiscard]] HostTokens read_host(std::string_view source, HostLanguage language);

}  // namespace lockstep::advice
