#include "lock_grammar.h"

#include <array>

namespace lockstep::test {
namespace {

const std::vector<std::string> with_watchdog = {"", " lease=10m"};
const std::vector<std::string> with_lease = {" lease=10m"};
const std::vector<std::string> without_lease = {""};
const std::vector<std::string> questions = {"is_locked", "is_held_by_me", "hold_count",
                                            "remaining_lease"};

std::vector<std::string> joined(std::vector<std::string> some,
                                const std::vector<std::string>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

const std::vector<std::string> work = {"sleep 1ms", "write", "sleep 20ms"};

std::vector<Holding> mutex(bool is_reentrant) {
  const std::vector<std::size_t> all = {0, 1, 2};
  const std::vector<std::size_t> nested = is_reentrant ? all : std::vector<std::size_t>{};
  return {{"lock", "unlock", nested},
          {"try_lock", "unlock", nested},
          {"try_lock wait=20ms", "unlock", nested}};
}

LockGrammar reentrant(const std::string& lock) {
  return {.lock = lock,
          .holdings = mutex(true),
          .leases = with_watchdog,
          .under = joined(work, joined(questions, {"extend lease=10m"})),
          .outside = joined({"sleep 1ms"}, questions),
          .beginning = {}};
}

/// Held once, for a lease that is given.
LockGrammar by_token(const std::string& lock, std::uint32_t masters) {
  const std::vector<std::string> asked = {"is_locked", "is_held_by_me", "remaining_lease"};
  return {.lock = lock,
          .masters = masters,
          .holdings = mutex(false),
          .leases = with_lease,
          .under = joined(work, joined(asked, {"extend lease=10m"})),
          .outside = joined({"sleep 1ms"}, asked),
          .beginning = {}};
}

/// Its waiters wait equally long: one that waits for less than those ahead of it may lose its
/// place, see scenarios/fair/impatient-waiter.toml.
LockGrammar fair() {
  LockGrammar grammar = reentrant("fair");
  grammar.holdings[2].take = "try_lock wait=5m";
  return grammar;
}

LockGrammar readwrite() {
  const std::vector<std::string> asked = {"is_locked", "is_held_by_me", "remaining_lease"};
  const std::vector<std::size_t> all = {0, 1, 2, 3};
  return {.lock = "readwrite",
          .holdings = {{"read_lock", "read_unlock", {0, 1}},
                       {"try_read_lock wait=20ms", "read_unlock", {0, 1}},
                       {"write_lock", "write_unlock", all, {"write"}},
                       {"try_write_lock wait=20ms", "write_unlock", all, {"write"}}},
          .leases = with_watchdog,
          .under = joined({"sleep 1ms", "sleep 20ms"}, asked),
          .outside = joined({"sleep 1ms"}, asked),
          .beginning = {}};
}

const std::vector<LockGrammar>& grammars() {
  static const std::vector<LockGrammar> all = {
      fair(),
      reentrant("fenced"),
      {.lock = "latch",
       .holdings = {},
       .leases = without_lease,
       .under = {},
       .outside = {"sleep 1ms", "count_down", "await", "await wait=20ms", "try_set_count count=1"},
       .beginning = {"try_set_count count=3", "try_set_count count=5"}},
      // Named in one order: otherwise each waits for what the other has, for up to a lease each
      // time.
      {.lock = "multi",
       .masters = 3,
       .holdings = {{"lock_all", "unlock_all"}, {"try_lock_all wait=200ms", "unlock_all"}},
       .leases = with_watchdog,
       .under = work,
       .outside = {"sleep 1ms"},
       .beginning = {},
       .names = {"orders", "orders,stock", "stock,money", "orders,stock,money"},
       .name_option = " names="},
      reentrant("plain"),
      readwrite(),
      // Not taken once more: twice a wait would be the lease of the holds that stay, see
      // scenarios/redisson-redlock/nested-with-wait.toml.
      {.lock = "redisson-redlock",
       .masters = 3,
       .holdings = mutex(false),
       .leases = with_watchdog,
       .under = work,
       .outside = {"sleep 1ms", "is_locked", "is_held_by_me"},
       .beginning = {}},
      by_token("redlock", 5),
      {.lock = "semaphore",
       .holdings = {{"acquire", "release", {}},
                    {"acquire permits=3", "release permits=3", {}},
                    {"try_acquire permits=2 wait=20ms", "release permits=2", {}}},
       .leases = without_lease,
       .under = {"sleep 1ms", "sleep 20ms"},
       .outside = {"sleep 1ms"},
       .beginning = {"try_set_permits permits=3", "try_set_permits permits=5"}},
      by_token("setnx", 1),
      reentrant("spin"),
  };
  return all;
}

}  // namespace

std::span<const LockGrammar> lock_grammars() { return grammars(); }

}  // namespace lockstep::test
