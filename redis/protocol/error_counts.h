// How many errors of each kind a server has answered with, for INFO.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace lockstep::redis {

class ErrorCounts {
 public:
  /// An error's text begins with what kind it is: "WRONGTYPE Operation against …".
  void count(std::string_view text) {
    constexpr std::size_t code_bytes_max = 32;  // as Redis
    const std::size_t blank = text.substr(0, code_bytes_max).find(' ');
    const std::string_view code =
        blank == text.npos ? std::string_view("ERR") : text.substr(0, blank);
    ++total_;
    const auto found = by_code_.find(code);
    if (found == by_code_.end()) {
      by_code_.emplace(code, 1);
    } else {
      ++found->second;
    }
  }
  [[nodiscard]] std::int64_t total() const { return total_; }
  /// An error that was counted already is replied with once more.
  void count_repeated() { ++repeated_; }
  [[nodiscard]] std::int64_t repeated() const { return repeated_; }
  [[nodiscard]] const std::map<std::string, std::int64_t, std::less<>>& by_code() const {
    return by_code_;
  }

 private:
  std::int64_t total_ = 0;
  std::int64_t repeated_ = 0;
  std::map<std::string, std::int64_t, std::less<>> by_code_;
};

}  // namespace lockstep::redis
