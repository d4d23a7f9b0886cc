// What the textbook lock does, as its sequential specification says it: it belongs to the token
// that took it, until that token gives it back or the lease is over. There is no re-entry.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::test {

class SetnxModel {
 public:
  void advance_ms(std::int64_t ms) { elapsed_ms_ += ms; }

  /// Each returns whether it did what it is called.
  bool acquire(const std::string& token, std::int64_t lease_ms) {
    if (is_held()) return false;
    hold_ = Hold{token, elapsed_ms_ + lease_ms};
    return true;
  }
  bool release(const std::string& token) {
    if (!is_held_by(token)) return false;
    hold_.reset();
    return true;
  }
  bool extend(const std::string& token, std::int64_t lease_ms) {
    if (!is_held_by(token)) return false;
    hold_->until_ms = elapsed_ms_ + lease_ms;
    return true;
  }

  /// As ScriptServer::data() shows it.
  [[nodiscard]] std::string data() const {
    if (!is_held()) return "";
    return "L \"" + hold_->token + "\" " + std::to_string(hold_->until_ms - elapsed_ms_) + "ms";
  }

 private:
  struct Hold {
    std::string token;
    std::int64_t until_ms = 0;
  };

  [[nodiscard]] bool is_held() const { return hold_ && hold_->until_ms >= elapsed_ms_; }
  [[nodiscard]] bool is_held_by(const std::string& token) const {
    return is_held() && hold_->token == token;
  }

  std::int64_t elapsed_ms_ = 0;
  std::optional<Hold> hold_;
};

}  // namespace lockstep::test
