// Integers as Redis writes them into strings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep::redis {

/// An integer's decimal digits, kept on the stack.
class IntegerText {
 public:
  /// Two digits at once, from the last on: of std::to_chars, GCC 12 copies the table at each call.
  explicit IntegerText(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    std::uint64_t rest = value < 0 ? 0 - bits : bits;
    std::size_t begin = text_.size();
    for (; rest >= 100; rest /= 100) {
      text_[--begin] = ones[rest % 100];
      text_[--begin] = tens[rest % 100];
    }
    text_[--begin] = ones[rest];
    if (rest >= 10) text_[--begin] = tens[rest];
    if (value < 0) text_[--begin] = '-';
    begin_ = begin;
  }
  [[nodiscard]] std::string_view view() const {
    return {text_.data() + begin_, text_.size() - begin_};
  }

 private:
  /// A digit of each number below 100.
  using Digits = std::array<char, 100>;
  static constexpr Digits digits(std::size_t divisor) {
    Digits all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>('0' + i / divisor % 10);
    return all;
  }
  static const Digits tens;
  static const Digits ones;

  std::array<char, 20> text_;  // that of INT64_MIN is the longest
  std::size_t begin_;
};

inline constexpr IntegerText::Digits IntegerText::tens = digits(10);
inline constexpr IntegerText::Digits IntegerText::ones = digits(1);

}  // namespace lockstep::redis
