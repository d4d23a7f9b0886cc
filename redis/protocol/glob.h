// Glob patterns of KEYS and PSUBSCRIBE.
#pragma once

#include <string_view>

namespace lockstep::redis {

/// Whether a text matches a pattern by Redis's rules: `*`, `?`, `[abc]`, `[^a-z]`, `\` before a
/// letter taken as it is. A class without its `]` ends with the pattern. As in Redis 7.0 only the
/// empty pattern matches the empty text; `*` does not. Bytes, no locale; time at most proportional
/// to the product of both lengths.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace lockstep::redis
