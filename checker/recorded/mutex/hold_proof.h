// Why a re-entrant mutex's history has no order: chains of bounds on one owner's acquires and
// releases, each a count that anybody can repeat.
//
// At any moment an owner's acquires are at least as many as its releases, and where another owner
// was granted something, no more: it held nothing then. So a bound on its acquires when such a
// call begins is one on its releases when the call returns; and a bound on its releases is always
// one on its acquires. What it began after that, and what has returned, comes on top.
//
// It ends in one of three ways: the owner held the lock all the while that another was granted
// something; two held it at once; or more was released than acquired.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {

/// It counts what its owner began since the step before ended, and what has returned.
struct HoldStep {
  /// What is counted: acquires, until `operation`, another's, begins; it ends as that returns.
  /// Or else releases, until `operation`, the last of them, returns. The last step of one of two
  /// chains: acquires, until the stuck operation returns.
  bool acquires = false;
  std::uint32_t operation = 0;  ///< index in the history
  std::int64_t within = 0;      ///< how many
  std::int64_t at_least = 0;    ///< since the beginning
  friend bool operator==(const HoldStep&, const HoldStep&) = default;
};

struct HoldChain {
  TextId owner = no_text;
  std::vector<HoldStep> steps;      ///< at least one
  std::int64_t others_invoked = 0;  ///< by the end: of its releases, if acquires are counted last
  /// Indices in the history, of some operations: the last that the last step counts, and the last
  /// of the others that were under way then or began.
  std::vector<std::uint32_t> counted;
  std::vector<std::uint32_t> others;
};

struct HoldProof {
  std::vector<HoldChain> chains;  ///< one; or two, whose owners hold the lock at once
  std::uint32_t stuck = 0;        ///< index in the history: the end is its return
};

/// Fills in `counted` and `others`. `operations`: of the lock, indices in the history's, in order
/// of invocation.
void name_operations(const History& history, std::span<const std::uint32_t> operations,
                     HoldProof& proof);

/// Counts everything anew, and whether it can't be.
[[nodiscard]] bool is_true(const HoldProof& proof, const History& history,
                           std::span<const std::uint32_t> operations);

/// For a person: what can't be, of this chain.
[[nodiscard]] std::string claim_in_words(const History& history, const HoldProof& proof,
                                         const HoldChain& chain);

/// For a person: what is known of the others, in one line; empty where there is one step only.
[[nodiscard]] std::string why_in_words(const History& history, const HoldProof& proof,
                                       const HoldChain& chain);

/// For a person: how that is known, in a line for each step but the last; of all these the last.
[[nodiscard]] std::vector<std::string> reasons_in_words(const History& history,
                                                        const HoldProof& proof,
                                                        const HoldChain& chain,
                                                        std::size_t lines_max);

}  // namespace lockstep::checker::recorded
