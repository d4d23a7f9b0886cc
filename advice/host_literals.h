// The values of string literals in Java, JavaScript and TypeScript.
#pragma once

#include <string>
#include <string_view>

#include "advice/host_tokens.h"

namespace lockstep::advice {

/// Undoes the escapes inside a literal. Line ends become \n, as in both languages.
[[nodiscard]] std::string unescape(std::string_view inside, HostLanguage language);

/// The value of a Java text block, given the text between its quotes: without the first line end,
/// the indentation that all lines share, and blanks at their ends.
[[nodiscard]] std::string text_block(std::string_view inside);

}  // namespace lockstep::advice
