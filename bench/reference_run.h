// A reference scenario made ready to run: what several benchmarks measure.
#pragma once

#include <cstdint>
#include <memory>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "sim/seeded_choices.h"

namespace lockstep::bench {

class ReferenceRun {
 public:
  explicit ReferenceRun(const char* scenario = "bench/reference.toml");

  /// Runs with this seed and judges. Throws std::logic_error where a property does not hold or a
  /// client model failed: what is measured would not be the reference run. The result is valid
  /// until the next run.
  const model::RunResult& run(std::uint64_t seed);

 private:
  model::Engine engine_;
  std::unique_ptr<model::Simulation> simulation_;
  sim::SeededChoices choices_{1};
};

}  // namespace lockstep::bench
