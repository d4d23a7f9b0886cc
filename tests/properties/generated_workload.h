// A scenario file without faults, with a workload that RapidCheck generates and shrinks.
//
// Choices are small numbers, the simplest first, so that what fails shrinks to few clients, few
// sections, and the plainest steps.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lock_grammar.h"

namespace lockstep::test {

inline constexpr std::size_t clients_max = 8;
inline constexpr std::size_t threads_max = 4;

/// A hold with what is done under it, or a step outside, by number.
struct Section {
  std::uint32_t holding = 0;  ///< beyond the grammar's holdings: a step outside
  std::uint32_t lease = 0;
  std::uint32_t name = 0;
  std::vector<std::uint32_t> under;  ///< steps; beyond the grammar's: a nested hold
};

using ThreadSections = std::vector<Section>;

struct GeneratedClient {
  std::vector<ThreadSections> threads;
  std::uint32_t start_ms = 0;
};

struct GeneratedWorkload {
  std::vector<GeneratedClient> clients;
  std::uint64_t seed = 1;
};

[[nodiscard]] rc::Gen<GeneratedWorkload> generated_workload();

/// The scenario's text; it expects that `holds` hold.
[[nodiscard]] std::string scenario_text(const LockGrammar& grammar,
                                        const GeneratedWorkload& workload,
                                        const std::string& holds);

}  // namespace lockstep::test
