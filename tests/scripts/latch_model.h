// What the count-down latch's server scripts do, as its sequential specification says it. It knows
// nothing of Lua or Redis.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace lockstep::test {

class LatchModel {
 public:
  /// An open latch is closed; a closed one stays as it is.
  std::string try_set_count(std::int64_t count) {
    if (count_ > 0) return "(integer) 0";
    count_ = count;
    tell("closed");
    return "(integer) 1";
  }
  /// The last one opens the latch. An open one stays open.
  std::string count_down() {
    if (count_ > 0 && --count_ == 0) tell("open");
    return "(nil)";
  }

  /// As ScriptServer says it. An open latch leaves nothing behind.
  [[nodiscard]] std::string data() const {
    return count_ > 0 ? "C \"" + std::to_string(count_) + "\" -" : "";
  }
  std::string messages() { return std::exchange(messages_, {}); }

 private:
  void tell(const char* message) {
    if (!messages_.empty()) messages_ += ' ';
    messages_ += message;
  }

  std::int64_t count_ = 0;
  std::string messages_;
};

}  // namespace lockstep::test
