// The true state of a lock as `lock-changed` events tell it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/recorded_trace.h"

namespace lockstep::reports {

struct Holder {
  std::string owner;
  std::int64_t count = 1;
  bool is_reader = false;

  friend bool operator==(const Holder&, const Holder&) = default;
};

/// Reads "a/1:2 b/1:1", "a/1 reads:1".
[[nodiscard]] std::vector<Holder> holders_from(std::string_view text);

[[nodiscard]] bool holds(const std::vector<Holder>& holders, std::string_view owner);

/// "a/1 holds it", "a/1 holds it twice", "a/1 reads it", "free".
[[nodiscard]] std::string holders_in_words(const std::vector<Holder>& holders);

}  // namespace lockstep::reports
