// lockstep check: holds a recorded history to a sequential model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/context.h"
#include "app/exit_code.h"
#include "checker/recorded/formats/read_history.h"
#include "checker/recorded/model.h"
#include "reports/formats/history_report.h"

namespace lockstep::app {

struct CheckArguments {
  std::string history;  ///< a file; "-": standard input
  checker::recorded::Model model = checker::recorded::Model::mutex;
  checker::recorded::ReadOptions reading;
  checker::recorded::Settings settings;
  std::uint64_t limit_time_ms = 60'000;
  std::uint64_t limit_memory_bytes = 4ULL << 30U;  ///< for the history and the search together
  OutputFormat format = OutputFormat::text;
  reports::Witness witness = reports::Witness::left_out;
  std::string picture;  ///< a file to draw a violation in; empty: none
};

/// As expected where the history is linearizable, not as expected where it isn't, unknown where a
/// limit came first. Throws model::InputError where there is no history to read.
[[nodiscard]] ExitCode check(const CheckArguments& arguments, const Context& context);

}  // namespace lockstep::app
