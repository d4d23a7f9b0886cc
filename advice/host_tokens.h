// The words of a Java, JavaScript or TypeScript file, with its string literals read.
//
// The lexical grammar only, and of that what is needed to find string literals for certain:
// comments, character literals, regular expressions and templates are told apart from them.
// Comments are passed over. What does not end where it must is complained of, and reading goes on
// behind it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "advice/lua_ast.h"

namespace lockstep::advice {

enum class HostLanguage : std::uint8_t { java, javascript };

/// A part of a literal: text, or an expression whose value is not known here.
struct HostPiece {
  enum class Kind : std::uint8_t { text, expression };
  Kind kind = Kind::text;
  std::string text;  ///< with its escapes undone; of an expression as it is spelt
  Place place;
};

struct HostToken {
  enum class Kind : std::uint8_t {
    word,    ///< an identifier or a keyword
    number,  ///< or a regular expression: a value that is no string
    text,    ///< a string literal, text block or template
    symbol,  ///< one character, or `=>`, `==`, `+=` and the like
  };
  Kind kind = Kind::symbol;
  std::string_view spelling;
  Place place;
  std::vector<HostPiece> pieces;  ///< of a text
};

struct HostComplaint {
  Place place;
  std::string what;
};

struct HostTokens {
  std::vector<HostToken> list;
  std::vector<HostComplaint> complaints;
};

[[nodiscard]] HostTokens read_host(std::string_view source, HostLanguage language);

}  // namespace lockstep::advice
