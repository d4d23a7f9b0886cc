// What string literals of Java, JavaScript and TypeScript stand for.
#pragma once

#include <string>
#include <string_view>

#include "advice/host_tokens.h"

namespace lockstep::advice {

/// The inside of a literal with its escapes undone. Line ends are \n, as both languages have them.
[[nodiscard]] std::string unescape(std::string_view inside, HostLanguage language);

/// The inside of a Java text block, from behind the opening quotes to before the closing ones: the
/// first line end, the indentation that all lines share and blanks at their ends are no part of it.
[[nodiscard]] std::string text_block(std::string_view inside);

}  // namespace lockstep::advice
