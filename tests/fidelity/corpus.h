// The Lua corpus on both servers, in numbers.
#pragma once

#include <cstddef>

namespace lockstep::fidelity {

struct CorpusCounts {
  std::size_t programs = 0;
  std::size_t equal = 0;
  std::size_t reported = 0;     ///< differ, and their loading says so
  std::size_t known = 0;        ///< differ as docs/fidelity.md says
  std::size_t differences = 0;  ///< differ otherwise; each is printed
};

[[nodiscard]] CorpusCounts compare_corpus();

}  // namespace lockstep::fidelity
