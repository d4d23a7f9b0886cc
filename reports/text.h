// Text for people: sanitized, shortened, wrapped, measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::reports {

/// True where all of it is well-formed UTF-8 (NUL and other control characters included).
[[nodiscard]] bool is_utf8(std::string_view text);

/// How many bytes the character at `index` has; 0 where no well-formed UTF-8 character begins
/// there.
[[nodiscard]] std::size_t character_bytes(std::string_view text, std::size_t index);

/// Valid UTF-8 on one line that steers nothing: line feeds and tabs become spaces; other control
/// characters, those that change the direction of text, those that XML forbids and bytes that are
/// no UTF-8 become U+FFFD.
[[nodiscard]] std::string sanitized(std::string_view text);

/// As sanitized(), but line feeds stay.
[[nodiscard]] std::string sanitized_lines(std::string_view text);

/// The first characters of sanitized text and "…" where it is longer than `characters_max` (≥ 1).
[[nodiscard]] std::string shortened(std::string_view sanitized_text, std::size_t characters_max);

/// Any text, sanitized and shortened: its first characters as they are shown. Takes no longer for
/// long text.
[[nodiscard]] std::string brief(std::string_view text, std::size_t characters_max = 60);

/// Sanitized text in lines of at most `characters_max` characters (≥ 8), broken at spaces where
/// possible, words that are too long at hyphens. Never empty: no text is one empty line.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view sanitized_text,
                                               std::size_t characters_max);

/// What spaces part, without empty ones. As long as the text.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);
/// Whether it is one of these.
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

/// How wide the text is in Helvetica at this size, in the unit of the size; characters beyond ASCII
/// are taken as rather wide.
[[nodiscard]] int text_width(std::string_view sanitized_text, int size);

/// "41,200".
[[nodiscard]] std::string with_thousands(std::uint64_t number);

/// "5,000.3": milliseconds rounded to so many decimals (0 to 6), thousands separated, without the
/// unit.
/// REQUIRES: time_ns ≥ 0.
[[nodiscard]] std::string milliseconds_number(std::int64_t time_ns, int decimals = 1);

/// Escaped for XML text, and for attributes where it is on one line. REQUIRES: sanitized text.
[[nodiscard]] std::string xml_escaped(std::string_view sanitized_text);

}  // namespace lockstep::reports
