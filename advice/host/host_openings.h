// How a string literal begins, and with that how it goes on: from the tables of host_syntax.h, and
// what they can't say.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advice/host/host_syntax.h"

namespace lockstep::advice {

struct LiteralOpening {
  std::size_t length = 0;  ///< of the opening
  std::string close;
  Backslash backslash = Backslash::escapes;
  Holes holes = Holes::none;
  std::size_t braces = 1;      ///< how many open a hole of Holes::braces
  bool doubles_braces = true;  ///< {{ is a brace
  bool takes_lines = false;
  bool doubles_close = false;
  char nested_open = '\0';        ///< Ruby's %q(a (b) c): what must be closed before the literal is
  bool gives_close_back = false;  ///< Kotlin's """a"""": further quotes belong to the text
  Layout layout = Layout::as_is;
  LiteralKind kind = LiteralKind::text;
};

/// A literal whose lines come after this line.
struct HeredocOpening {
  std::size_t length = 0;
  std::string terminator;
  bool may_be_indented = false;  ///< the terminator
  bool removes_margin = false;   ///< Ruby's <<~
  bool is_raw = false;
};

/// Whether a literal begins at `at`. `may_begin_operand`: as far as what was read before goes.
[[nodiscard]] std::optional<LiteralOpening> literal_opening(std::string_view source, std::size_t at,
                                                            const HostSyntax& syntax,
                                                            bool may_begin_operand);

[[nodiscard]] std::optional<HeredocOpening> heredoc_opening(std::string_view source, std::size_t at,
                                                            HostLanguage language);

/// Where the brace that is open before `at` is closed; npos if not before `end`. Braces in quotes
/// don't count.
[[nodiscard]] std::size_t closing_brace(std::string_view source, std::size_t at, std::size_t end);

/// The .lua files that a line of words names: Go's `//go:embed a.lua b.lua`.
[[nodiscard]] std::vector<std::string_view> embedded_scripts(std::string_view source,
                                                             std::size_t at);

}  // namespace lockstep::advice
