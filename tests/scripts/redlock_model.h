// What one node of the published RedLock algorithm is, as a specification: a token with a lease.
// What a quorum of such nodes makes is the client model's, and no matter of the scripts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::test {

class RedLockNode {
 public:
  /// SET NX PX: true where the node was free.
  bool take(const std::string& token, std::int64_t lease_ms) {
    if (lease_) return false;
    lease_ = Lease{token, lease_ms};
    return true;
  }
  /// True where the lock was the token's.
  bool release(const std::string& token) {
    if (!is_of(token)) return false;
    lease_.reset();
    return true;
  }
  /// True where the lock is the token's; its lease never gets shorter.
  bool extend(const std::string& token, std::int64_t lease_ms) {
    if (!is_of(token)) return false;
    lease_->left_ms = std::max(lease_->left_ms, lease_ms);
    return true;
  }
  /// The token whose lock it was.
  std::optional<std::string> force_release() {
    std::optional<std::string> token;
    if (lease_) token = lease_->token;
    lease_.reset();
    return token;
  }
  /// Redis keeps a key to the end of the millisecond in which its TTL ends.
  void pass_ms(std::int64_t ms) {
    if (!lease_) return;
    lease_->left_ms -= ms;
    if (lease_->left_ms < 0) lease_.reset();
  }

  /// As ScriptServer::data() shows the lock "L".
  [[nodiscard]] std::string data() const {
    if (!lease_) return {};
    return "L \"" + lease_->token + "\" " + std::to_string(lease_->left_ms) + "ms";
  }

 private:
  struct Lease {
    std::string token;
    std::int64_t left_ms;
  };
  [[nodiscard]] bool is_of(const std::string& token) const {
    return lease_ && lease_->token == token;
  }

  std::optional<Lease> lease_;
};

}  // namespace lockstep::test
