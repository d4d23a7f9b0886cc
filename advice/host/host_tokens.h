// The tokens of a source file, with its string literals decoded (host_syntax.h: of which
// languages).
//
// Covers the part of the lexical grammar that finding string literals reliably needs: comments,
// characters, patterns and templates are told apart from them. Comments are skipped. An unfinished
// token is reported, and reading continues after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "advice/host/host_syntax.h"
#include "advice/host/host_text.h"
#include "lua/source/ast.h"

namespace lockstep::advice {

struct HostToken {
  enum class Kind : std::uint8_t {
    word,    ///< an identifier or a keyword
    number,  ///< or a pattern, a command: a value but not a string
    text,    ///< a string literal
    symbol,  ///< one character, or `=>`, `==`, `+=` and the like
  };
  Kind kind = Kind::symbol;
  bool begins_line = false;       ///< the first on its line, which is not joined to the last one
  bool is_character = false;      ///< a text that is one character: only a part of a string
  std::uint32_t indentation = 0;  ///< of its line
  std::string_view spelling;
  lua::Place place;
  HostText text;  ///< of a text
};

struct HostComplaint {
  lua::Place place;
  std::string what;
};

struct HostTokens {
  std::vector<HostToken> list;
  std::vector<HostComplaint> complaints;
  std::vector<HostComplaint> embedded;  ///< files that Go's //go:embed names
};

/// The tokens refer to the source. `is_markup`: quotes may stand in text that is no code, as in
/// JSX.
[[nodiscard]] HostTokens read_host(std::string_view source, HostLanguage language,
                                   bool is_markup = false);

}  // namespace lockstep::advice
