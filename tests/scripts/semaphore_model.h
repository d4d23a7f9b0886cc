// What the semaphore's server scripts do, as its sequential specification says it. It knows nothing
// of Lua or Redis, nor of who has the permits: whoever gives some back has them no more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace lockstep::test {

class SemaphoreModel {
 public:
  /// All or none.
  std::string acquire(std::int64_t permits) {
    if (!permits_ || *permits_ < permits) return "(integer) 0";
    *permits_ -= permits;
    return "(integer) 1";
  }
  /// Makes a semaphore where there is none.
  std::string release(std::int64_t permits) {
    permits_ = permits_.value_or(0) + permits;
    publish();
    return "(nil)";
  }
  std::string try_set_permits(std::int64_t permits) {
    if (permits_) return "(integer) 0";
    permits_ = permits;
    publish();
    return "(integer) 1";
  }

  /// As ScriptServer says it.
  [[nodiscard]] std::string data() const {
    return permits_ ? "S \"" + std::to_string(*permits_) + "\" -" : "";
  }
  std::string messages() { return std::exchange(messages_, {}); }

 private:
  void publish() {
    if (!messages_.empty()) messages_ += ' ';
    messages_ += std::to_string(*permits_);
  }

  std::optional<std::int64_t> permits_;
  std::string messages_;
};

}  // namespace lockstep::test
