// Whether the tests were built with sanitizers: what they see takes ten times as long, and more
// memory.
#pragma once

namespace lockstep::support {

#if defined(__has_feature)
inline constexpr bool is_sanitized = __has_feature(address_sanitizer);
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace lockstep::support
