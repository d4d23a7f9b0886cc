// Histories of any length for the benchmarks: clients of one simulated object, some of whose calls
// end without an outcome.
//
// Linearizable by construction, but for a double hold on demand. The same shape gives the same
// history. It shares no code with the checker but the history's form.
#pragma once

#include <cstdint>

#include "checker/recorded/history.h"

namespace lockstep::bench {

enum class Waiting : std::uint8_t {
  blocking,  ///< an acquire returns when it is granted
  trying,    ///< it returns at once, mostly refused
};

struct MutexShape {
  std::uint32_t clients = 8;
  std::uint32_t operations = 1'000'000;  ///< or more, until there was a double hold
  std::uint32_t unknown_percent = 0;
  Waiting waiting = Waiting::blocking;
  /// When this share of the operations was invoked, two hold the lock at once; 0: never. These two
  /// (of four) have no unknown outcomes, so that nothing else explains it.
  std::uint32_t double_hold_percent = 0;
  std::uint64_t seed = 1;
};
/// A client whose acquire ended without an outcome releases; one whose release did, releases again.
/// Of unknown outcomes half take effect in time, and of releases some much later.
[[nodiscard]] checker::recorded::History generate_mutex(const MutexShape& shape);

/// Clients that ask for a lock or a permit in rounds, all in a round at once, and are served one
/// after the other. Between two rounds nobody has any.
struct RoundsShape {
  std::uint32_t clients = 8;
  std::uint32_t operations = 200'000;  ///< or a round more
  /// Lost outcomes, in a round of one kind only: all take effect, and nothing else explains what
  /// comes after.
  std::uint32_t unknown_percent = 0;
  std::uint32_t permits = 1;
  /// When this share of the operations was invoked, twice as many and one are granted as there are
  /// permits, more than lost releases explain; 0: never.
  std::uint32_t too_many_percent = 90;
  std::uint64_t seed = 1;
};
[[nodiscard]] checker::recorded::History generate_rounds(const RoundsShape& shape);

inline constexpr std::uint32_t by_halves = UINT32_MAX;

struct ValuesShape {
  std::uint32_t clients = 10;
  std::uint32_t operations = 1'000;
  std::uint32_t keys = 1;                   ///< 1: a register without a key
  std::uint32_t values = 5;                 ///< for writes; 0: each value is written once
  std::uint32_t append_percent = 0;         ///< of the operations
  std::uint32_t compare_percent = 0;        ///< compare-and-sets
  std::uint32_t write_percent = by_halves;  ///< by_halves: of the rest half, half are reads
  std::uint32_t unknown_percent = 0;        ///< of writes of all kinds
  bool uneven = false;                      ///< some operations take much longer than others
  bool wrong_read = false;                  ///< near the end, one of a value that is gone
  std::uint64_t seed = 1;
};
[[nodiscard]] checker::recorded::History generate_values(const ValuesShape& shape);

}  // namespace lockstep::bench
