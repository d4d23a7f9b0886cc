// Finding the run that is to be made small: of a scenario by looking for it, of a trace by making
// it again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/shrink/shrunk_files.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"

namespace lockstep::app {

struct FailingRunQuery {
  std::optional<checker::Property> property;  ///< none: the first that breaks of those asked about
  std::uint64_t runs = 1'000;
  std::uint64_t seed = 1;
};

struct FailingRunResult {
  std::optional<FailingRun> run;
  std::string why_not;  ///< "nothing breaks in 1000 runs"
};

/// Whether the file is a trace, by its first character. Throws model::InputError where it can't be
/// read.
[[nodiscard]] bool is_trace_file(const std::string& path);

/// Seed after seed, as `lockstep run` makes them; where faults are left open, as `lockstep fuzz`
/// searches. Throws model::InputError where the lock does not judge the property.
[[nodiscard]] FailingRunResult find_failing_run(const scenario::Scenario& scenario,
                                                const FailingRunQuery& wanted,
                                                model::Engine& engine);

/// Throws model::InputError where the trace is wrong.
[[nodiscard]] FailingRunResult failing_run_of_trace(const std::string& path,
                                                    const FailingRunQuery& wanted,
                                                    model::Engine& engine);

}  // namespace lockstep::app
