// A user's words within a message.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::scenario {

/// "'lease'", without control characters, at most 300 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace lockstep::scenario
