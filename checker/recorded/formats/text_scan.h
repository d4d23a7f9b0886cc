// What the readers of JSON and EDN have in common: strings, tokens, UTF-8, and words for what
// stands where something else was expected.
//
// Whatever is kept has a largest size; what is passed over (`kept` is null) may be of any.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "checker/recorded/formats/byte_source.h"
#include "checker/recorded/formats/event.h"

namespace lockstep::checker::recorded {

/// One value's text may be so long.
inline constexpr std::size_t value_bytes_max = 1U << 20U;
/// Collections may be in one another so deep.
inline constexpr std::size_t nesting_max = 100;

/// "'x'", "the end of the line", "the end of the file", "the byte 0x00".
[[nodiscard]] std::string name_of_next(ByteSource& source);

/// Throws "expected WHAT, not …" at the next byte.
[[noreturn]] void fail_expected(ByteSource& source, std::string_view what);

/// Throws at this place where the text has become longer than a value may be.
void require_size(const std::string& text, FilePlace begins_at);

/// Throws at the next byte where collections are too deep.
void require_depth(ByteSource& source, std::size_t depth);

/// Which line feeds and other control characters a string may have.
enum class StringRules : unsigned char { json, edn };

/// Past a string, whose opening quote is next; its characters go to the end of `kept`.
void take_string(ByteSource& source, StringRules rules, std::string* kept);

/// Past one character beyond ASCII, well-formed UTF-8.
void take_beyond_ascii(ByteSource& source, std::string* kept);

/// Fills a value with a number's token, which stands where the value does. Throws where it isn't
/// one.
void set_number(Value& value);

}  // namespace lockstep::checker::recorded
