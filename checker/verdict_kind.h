// What a verdict comes to.
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep::checker {

enum class VerdictKind : std::uint8_t {
  holds,
  violated,
  unknown,  ///< the checker hit its limit, or the run its horizon
};
[[nodiscard]] std::string_view to_string(VerdictKind kind);

}  // namespace lockstep::checker
