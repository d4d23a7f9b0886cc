// The Lua corpus on both servers, in numbers.
#pragma once

#include <cstddef>

#include "confirm/real_program.h"

namespace lockstep::fidelity {

struct CorpusCounts {
  std::size_t programs = 0;
  std::size_t equal = 0;
  std::size_t reported = 0;     ///< differ, and their loading says so
  std::size_t known = 0;        ///< differ as docs/fidelity.md says
  std::size_t differences = 0;  ///< differ otherwise; each is printed
};

/// With a real server of this program. Each difference is printed; `is_brief`: on one line.
[[nodiscard]] CorpusCounts compare_corpus(const confirm::RealProgram& program, bool is_brief);

}  // namespace lockstep::fidelity
