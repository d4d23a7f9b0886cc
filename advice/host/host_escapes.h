// What stands behind backslashes in a literal, undone by the rules of its language.
#pragma once

#include <string_view>

#include "advice/host/host_syntax.h"
#include "advice/host/host_text.h"

namespace lockstep::advice {

/// The holes stay where they are.
[[nodiscard]] HostText unescape(const HostText& raw, const EscapeRules& rules);

/// `\\` and `\` before the quote only.
[[nodiscard]] HostText unescape_quotes(const HostText& raw, char quote);

}  // namespace lockstep::advice
