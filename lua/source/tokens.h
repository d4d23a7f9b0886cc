// The words of a Lua 5.1 program.
//
// Redis scripts are Lua 5.1, and ours run in Lua 5.4: what the two read differently has to be found
// in the text. This is the lexical grammar only; it knows no statements. Comments are passed over.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep::lua {

struct ScriptToken {
  enum class Kind : std::uint8_t {
    name,    ///< an identifier or a keyword
    number,  ///< as spelt, which may be malformed
    string,  ///< with its quotes
    long_string,
    symbol,  ///< an operator or a bracket; two- and three-character ones are one token
  };
  Kind kind;
  std::string_view text;  ///< points into the program
  std::uint32_t line;     ///< from 1; where the token begins
};

struct ScriptTokens {
  std::vector<ScriptToken> list;
  std::uint32_t end_line = 1;  ///< where the program ends
  bool is_complete = true;     ///< false: a string or comment does not end, and nothing follows
};

/// The tokens up to the end of the program, or up to the first that is not Lua (an unfinished
/// string): the compiler will complain of it in its own words. Operators of Lua 5.4 that 5.1 reads
/// as two tokens (`//`, `<<`, `>>`, `::`) come as two.
[[nodiscard]] ScriptTokens read_program(std::string_view program);
[[nodiscard]] std::vector<ScriptToken> read_tokens(std::string_view program);

}  // namespace lockstep::lua
