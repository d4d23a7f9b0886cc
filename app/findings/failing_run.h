// Finds a run to shrink: searches a scenario for it, or makes a trace's run again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/findings/shrunk_files.h"
#include "checker/verdict.h"

namespace lockstep::model {
class Engine;
}

namespace lockstep::app {

struct FailingRunQuery {
  std::optional<checker::Property> property;  ///< none: the first that breaks
  std::uint64_t runs = 1'000;                 ///< at most so many; a trace has one
  std::uint64_t seed = 1;
};

struct FailingRunResult {
  std::optional<FailingRun> run;
  std::string why_not;  ///< "nothing breaks in 1000 runs"
};

/// Whether the file is a trace, going by its first character.
[[nodiscard]] bool is_trace_file(const std::string& path);

/// Tries seed after seed, as lockstep run does; searches as lockstep fuzz does if the scenario
/// leaves faults open. Throws scenario::InputError if the lock is not judged by the property.
[[nodiscard]] FailingRunResult find_failing_run(const scenario::Scenario& scenario,
                                                const FailingRunQuery& query,
                                                model::Engine& engine);

/// Throws scenario::InputError if the trace is wrong.
[[nodiscard]] FailingRunResult failing_run_of_trace(const std::string& path,
                                                    const FailingRunQuery& query,
                                                    model::Engine& engine);

}  // namespace lockstep::app
