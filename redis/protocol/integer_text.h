// Integers as Redis writes them into strings.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep::redis {

/// An integer's decimal digits, kept on the stack.
class IntegerText {
 public:
  explicit IntegerText(std::int64_t value)
      : length_(static_cast<std::size_t>(
            std::to_chars(digits_.data(), digits_.data() + digits_.size(), value).ptr -
            digits_.data())) {}
  [[nodiscard]] std::string_view view() const { return {digits_.data(), length_}; }

 private:
  std::array<char, 20> digits_;
  std::size_t length_;
};

}  // namespace lockstep::redis
