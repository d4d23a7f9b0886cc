// What shrinking finds out of each fault that it leaves, and how many runs that takes.
#pragma once

#include <cstdint>

namespace lockstep::search {

/// What becomes of the property without a fault, in the run and with the seeds that were tried.
enum class Need : std::uint8_t {
  always,     ///< it holds in all of them
  sometimes,  ///< it holds in some: it also breaks by chance
  never,      ///< it breaks in all of them
  untried,    ///< it was interrupted before that was looked at
};

/// What is left is tried without each of its faults with the seeds from 1 to this one.
inline constexpr std::uint64_t seeds_of_shrinking = 12;
/// What is left breaks with the seeds from 1 to this one, if it is said to break always.
inline constexpr std::uint64_t seeds_of_confirmation = 20;

}  // namespace lockstep::search
