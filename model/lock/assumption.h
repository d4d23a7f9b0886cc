// What a lock may assume about its environment to keep a promise: conditions beyond its control,
// each of which a run keeps or breaks (search/contract/contract_judge.h decides which).
//
// What it may ask of its callers is in usage.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::model {

enum class Assumption : std::uint8_t {
  holds_within_lease,    ///< a hold ends within the lease that its caller asked for, in true time
  renewals_get_through,  ///< no renewal is held up for a third of the lock's lease
  writes_survive,        ///< no server loses a write that it has acknowledged
  keys_stay,             ///< nobody but the lock removes its keys
  clocks_steady,         ///< clocks do not step, and drift by no more than is declared
  executed_once,         ///< a request that is sent again is not executed again
  messages_arrive,       ///< no message, connection or server fails
  calls_answered,        ///< each call gets an answer that is not a server error
  calls_not_abandoned,   ///< a caller waits until its call returns
  clients_survive,       ///< no client process ends while it has something of the lock
};
inline constexpr std::size_t assumption_count =
    static_cast<std::size_t>(Assumption::clients_survive) + 1;

/// "holds-within-lease", …
[[nodiscard]] std::string_view to_string(Assumption assumption);
[[nodiscard]] std::optional<Assumption> assumption_from(std::string_view word);
/// In the order of Assumption.
[[nodiscard]] std::span<const std::string_view> assumption_words();
/// A clause to follow "as long as": "each hold ends within the lease that its caller asked for".
[[nodiscard]] std::string_view as_long_as(Assumption assumption);
/// A clause to follow "where": "a hold outlasts the lease that its caller asked for".
[[nodiscard]] std::string_view where_broken(Assumption assumption);

/// A set of assumptions.
class AssumptionSet {
 public:
  constexpr AssumptionSet() = default;
  constexpr AssumptionSet(std::initializer_list<Assumption> all) {
    for (const Assumption each : all) insert(each);
  }
  constexpr void insert(Assumption each) { bits_ |= bit_of(each); }
  constexpr void erase(Assumption each) { bits_ &= ~bit_of(each); }
  [[nodiscard]] constexpr bool contains(Assumption each) const {
    return (bits_ & bit_of(each)) != 0;
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr bool is_within(AssumptionSet other) const {
    return (bits_ & ~other.bits_) == 0;
  }
  [[nodiscard]] constexpr AssumptionSet operator&(AssumptionSet other) const {
    other.bits_ &= bits_;
    return other;
  }
  [[nodiscard]] constexpr AssumptionSet operator|(AssumptionSet other) const {
    other.bits_ |= bits_;
    return other;
  }
  [[nodiscard]] constexpr AssumptionSet without(AssumptionSet other) const {
    other.bits_ = bits_ & ~other.bits_;
    return other;
  }
  [[nodiscard]] std::size_t size() const;
  template <typename Visit>
  void visit(Visit visit) const {
    for (std::size_t i = 0; i < assumption_count; ++i) {
      if (contains(static_cast<Assumption>(i))) visit(static_cast<Assumption>(i));
    }
  }

  friend bool operator==(AssumptionSet, AssumptionSet) = default;

 private:
  [[nodiscard]] static constexpr std::uint32_t bit_of(Assumption each) {
    return 1U << static_cast<std::uint32_t>(each);
  }
  std::uint32_t bits_ = 0;
};

/// "holds-within-lease and clocks-steady".
[[nodiscard]] std::string words_of(AssumptionSet assumptions);

}  // namespace lockstep::model
