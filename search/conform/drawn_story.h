// A small drawn scenario for comparing a client model with the real library: two clients that
// take the lock in turns, extend it and release it too late; every second one has a fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "scenario/scenario.h"

namespace lockstep::scenario {
enum class StepKind : std::uint8_t;
}

namespace lockstep::search {

struct DrawnStory {
  scenario::Scenario scenario;
  std::string fault;  ///< in words; empty: none
  std::size_t operations = 0;
};

/// What a real library cannot do, or calls otherwise.
struct StoryLimits {
  std::string lock_name = "orders";
  std::set<scenario::StepKind> without;  ///< steps that are never drawn
};

/// How many of a client's steps ask something of the lock.
[[nodiscard]] std::size_t operations_of(const scenario::ClientSpec& client);

/// The same for the same lock and seed. `lock` as a scenario names it; `offered` are the steps that
/// its client model has; `masters` is how many independent ones the lock needs.
[[nodiscard]] DrawnStory draw_story(const std::string& lock, const StoryLimits& limits,
                                    std::span<const scenario::StepKind> offered,
                                    std::uint32_t masters, std::uint64_t seed);

}  // namespace lockstep::search
