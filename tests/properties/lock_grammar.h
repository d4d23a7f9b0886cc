// What a client may do with each lock of scripts/ if nothing goes wrong: the words of generated
// workloads.
//
// Not covered: force_unlock (who frees a lock under its holder breaks it, whatever the lock) and
// names taken one under the other (two that take them in different orders wait for each other).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep::test {

/// A way to hold the lock.
struct Holding {
  std::string take;  ///< "try_lock wait=20ms"
  std::string give;  ///< "unlock"
  /// Ways in which whoever holds it like this may hold it once more, as indices of `holdings`.
  std::vector<std::size_t> nested = {};
  std::vector<std::string> under = {};  ///< steps beside the grammar's, for who holds it like this
};

struct LockGrammar {
  std::string lock;
  std::uint32_t masters = 1;
  std::vector<Holding> holdings;
  std::vector<std::string> leases;     ///< "" (the lock's own) and " lease=10m"
  std::vector<std::string> under;      ///< steps for somebody who holds the lock
  std::vector<std::string> outside;    ///< steps for anybody
  std::vector<std::string> beginning;  ///< steps of the first thread before all others
  std::vector<std::string> names = {"orders", "stock"};
  std::string name_option = " name=";
  std::string latency = "1us..5ms";
};

/// One for each lock of scripts/, in alphabetical order.
[[nodiscard]] std::span<const LockGrammar> lock_grammars();

}  // namespace lockstep::test
