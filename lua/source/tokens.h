// The tokens of a Lua program.
//
// This is the lexical grammar only; it knows no statements. Comments are skipped.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep::lua {

/// The language that a program is read as.
enum class Dialect : std::uint8_t {
  lua51,   ///< Lua 5.1, strictly: what it refuses is refused in its words
  either,  ///< Lua 5.1 or 5.4: accepts whatever one of them accepts
};

struct ScriptToken {
  enum class Kind : std::uint8_t {
    name,    ///< an identifier or a keyword
    number,  ///< as spelt, which may be malformed
    string,  ///< with its quotes
    long_string,
    symbol,  ///< an operator or a bracket; two- and three-character ones are one token
  };
  Kind kind;
  std::string_view text;     ///< points into the program
  std::uint32_t line;        ///< from 1; where the token begins
  std::uint32_t column = 1;  ///< in bytes
};

struct ScriptTokens {
  std::vector<ScriptToken> list;
  std::uint32_t end_line = 1;  ///< where the program ends
  std::uint32_t end_column = 1;
  bool is_complete = true;  ///< false: a string or comment does not end, and nothing follows
};

/// Reads tokens up to the end of the program, or up to the first that is not Lua (an unfinished
/// string): the compiler reports that one in its own words. Operators of Lua 5.4 that 5.1 reads as
/// two tokens (`//`, `<<`, `>>`, `::`) are two tokens here.
[[nodiscard]] ScriptTokens read_program(std::string_view program);
[[nodiscard]] std::vector<ScriptToken> read_tokens(std::string_view program);

}  // namespace lockstep::lua
