// Rules that a lock may require its callers to follow, so that it keeps a promise.
//
// A drawn workload follows all of them, or says which it breaks; a lock's contract says
// which a promise needs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::model {

enum class Usage : std::uint8_t {
  one_order,           ///< of several locks
  equal_waits,         ///< everybody waits by `lock`
  equal_permits,       ///< of the threads of one client
  permits_not_nested,  ///< a thread asks for permits only while it has none
  nobody_forces,
  holds_within_lease,    ///< a hold ends within the lease that was asked for last
  lease_beyond_wait,     ///< a lease is longer than the wait for the lock
  unleased_reentry,      ///< a re-entering owner asks for no lease
  reentry_no_shorter,    ///< … for none that is shorter than that of the hold around it
  leases_not_mixed,      ///< of one lock all holds have a lease of the caller's, or none has
  extension_no_shorter,  ///< an extension asks for no less than the lease before it
  enough_count_downs,    ///< as many as were set, before the latch is set again
  clocks_agree,          ///< the wall clocks of clients, of locks that compare them
};

struct UsageForm {
  Usage usage;
  std::string_view word;      ///< in lock.toml: "one-order"
  std::string_view sentence;  ///< "locks are taken in one order"
};

/// In the order of the enumerators.
[[nodiscard]] std::span<const UsageForm> usage_forms();
[[nodiscard]] const UsageForm& form_of(Usage usage);
/// Whether a lock may require this of its callers for the promise. A promise without rules must
/// hold however the lock is used.
[[nodiscard]] bool is_needed_for(Usage usage, checker::Property promise);
[[nodiscard]] std::optional<Usage> find_usage(std::string_view word);

}  // namespace lockstep::model
