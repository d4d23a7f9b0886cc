// Why a history isn't linearizable, or how far the search came: for a person to read.
//
// The operations are indices into the history's. It says what happened to one object only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/recorded/counting/counting_proof.h"
#include "checker/recorded/history.h"
#include "checker/recorded/mutex/hold_proof.h"

namespace lockstep::checker::recorded {

/// An operation that could not be placed, and what it met: "the owner is a/1".
struct NotPlaced {
  std::uint32_t operation = 0;
  std::string why;
};

/// One way that got as far as any: all that returned before the stuck operation's return is placed.
struct FinalPath {
  std::vector<std::uint32_t> order;  ///< a partial linearization
  std::string state;                 ///< what it leaves: "held by a/1"
  std::vector<NotPlaced> missing;    ///< under way at the stuck return, and illegal in that state
};

/// How many ways are told, at most. More are counted.
inline constexpr std::size_t final_paths_max = 8;

struct Explanation {
  /// The history up to and with this event (a completion) has no linearization, up to the event
  /// before it has one: the shortest prefix. An acquire under way there counts with the token that
  /// it is going to have. Where the answer is unknown: the furthest event reached.
  std::uint32_t until = 0;
  std::uint32_t stuck = 0;  ///< the operation that completes there
  /// Whether it is certain that no order gets past it; else the search ended before it knew.
  bool is_certain = true;
  std::string object;  ///< "lock \"orders\"", "the register"
  /// The longest partial linearization first. States are told once each. Where there is a core, of
  /// its operations alone.
  std::vector<FinalPath> final_paths;
  std::uint64_t final_path_count = 0;
  /// A small set of operations that has no linearization by itself, where one is known; else empty.
  std::vector<std::uint32_t> core;
  /// Of locks that only count, in place of ways and core: a proof that is counted.
  std::optional<CountingProof> proof;
  /// The same, of what each owner of a re-entrant mutex acquired and released.
  std::optional<HoldProof> hold_proof;
};

/// "a/1", or "process 3" where the history has numbers only.
[[nodiscard]] std::string owner_of(const History& history, const Operation& operation);

/// "process 3's acquire (line 17)"
[[nodiscard]] std::string describe(const History& history, const Operation& operation);

/// An explanation as text.
struct Told {
  std::string lines;
  std::size_t left_out = 0;  ///< how many lines more there are
};

inline constexpr std::size_t all_lines = SIZE_MAX;

/// Why, in at most so many lines (≥ 6): what is stuck, and what each way met. Of a list that is too
/// long the last operations stay, and of ways the longest.
[[nodiscard]] Told tell(const History& history, const Explanation& explanation,
                        std::size_t lines_max);

/// All of it.
[[nodiscard]] std::string in_words(const History& history, const Explanation& explanation);

}  // namespace lockstep::checker::recorded
