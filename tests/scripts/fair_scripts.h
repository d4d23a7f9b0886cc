// The server scripts of scripts/fair, called as its client model does, for tests.
//
// The lock is L, its queue Q, the deadlines T, the channels' prefix "channel"; latches have the
// names that tests give them. Owners are single letters, and the server listens to those of a to d.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/scripts/script_server.h"

namespace lockstep::test {

class FairServer : public ScriptServer {
 public:
  FairServer() : ScriptServer("fair", "channel channel:a channel:b channel:c channel:d") {}

  /// `script` is acquire or one of its variants.
  std::string acquire(std::string_view script, const std::string& owner, std::int64_t lease_ms,
                      std::int64_t wait_ms, std::int64_t now_ms) {
    return run(script, {"L", "Q", "T"}, {text(lease_ms), owner, text(wait_ms), text(now_ms)});
  }
  std::string try_acquire(std::string_view script, const std::string& owner, std::int64_t lease_ms,
                          std::int64_t now_ms, std::int64_t wait_ms) {
    return run(script, {"L", "Q", "T"}, {text(lease_ms), owner, text(now_ms), text(wait_ms)});
  }
  std::string give_up(std::string_view script, const std::string& owner, std::int64_t wait_ms) {
    return run(script, {"Q", "T"}, {owner, text(wait_ms)});
  }
  /// The latched one; the latch stays for 500 ms.
  std::string release_once(const std::string& owner, std::int64_t lease_ms, std::int64_t now_ms,
                           const std::string& latch,
                           const std::string& publishing_command = "publish") {
    return run("release", {"L", "Q", "T", "channel", latch},
               {"free", text(lease_ms), owner, text(now_ms), publishing_command, "500"});
  }
  std::string release(std::string_view script, const std::string& owner, std::int64_t lease_ms,
                      std::int64_t now_ms) {
    return run(script, {"L", "Q", "T", "channel"}, {"free", text(lease_ms), owner, text(now_ms)});
  }
  std::string force_release(std::string_view script, std::int64_t now_ms) {
    return run(script, {"L", "Q", "T", "channel"}, {"free", text(now_ms)});
  }
  std::string renew(const std::string& owner, std::int64_t lease_ms) {
    return run("../plain/renew", {"L"}, {text(lease_ms), owner});
  }

 private:
  static std::string text(std::int64_t number) { return std::to_string(number); }
};

}  // namespace lockstep::test
