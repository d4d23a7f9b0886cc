// Errors by which a server refuses a request before it has done anything. Those of scripts, and of
// commands that have begun, are none.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep::redis {

/// "MOVED 3999 n2:6379" -> "MOVED"
[[nodiscard]] constexpr std::string_view code_of(std::string_view error) {
  return error.substr(0, error.find(' '));
}

[[nodiscard]] constexpr bool is_refusal(std::string_view error) {
  constexpr std::array<std::string_view, 14> codes = {
      "READONLY", "LOADING",    "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY",  "NOSCRIPT",
      "OOM",      "NOREPLICAS", "NOAUTH",     "NOPERM",      "MISCONF",  "MOVED", "CROSSSLOT"};
  return std::find(codes.begin(), codes.end(), code_of(error)) != codes.end();
}

}  // namespace lockstep::redis
