// How much longer it takes to say why than that it is so.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/histories/history_generator.h"
#include "checker/recorded/model.h"

namespace lockstep::bench {

struct ExplanationFigure {
  double verdict_seconds = 0;    ///< of the longest part that has an order: a "yes", no words
  double explained_seconds = 0;  ///< of the whole: the "no", and why in words
  std::uint64_t operations = 0;
  double peak_mib = 0;  ///< of the process until it was said
  std::size_t lines = 0;
  bool refuted = false;
  bool is_rest_known = false;  ///< whether the part before was found to have an order
};

/// Of both the best of three, in the processor's time, one after the other in one process.
[[nodiscard]] ExplanationFigure measure_explanation(checker::recorded::Model model,
                                                    const RoundsShape& shape);

}  // namespace lockstep::bench
