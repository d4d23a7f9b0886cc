// lockstep fuzz: searches scenarios that leave something open for runs that break what they expect,
// and saves what it finds as small scenarios.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"
#include "app/fuzz/fuzz_reporter.h"
#include "search/fuzz/fuzz.h"

namespace lockstep::app {

struct FuzzArguments {
  std::vector<std::string>
      targets;  ///< scenario files, folders of them, locks, or folders of locks
  search::FuzzPlan plan;
  std::uint64_t jobs = 1;
  /// Of all targets together; none: as many runs as the plan says.
  std::optional<std::uint64_t> time_ms;
  /// Of runs that reached something new, a folder for each target in it; none: nothing is kept.
  std::optional<std::string> corpus_folder;
  /// Whether a record is written that lockstep merge joins with others.
  enum class Record : std::uint8_t { none, written };
  Record record = Record::none;
  FuzzOutput output;
};

/// The exit code is the worst of all targets: 1 where something broke that was to hold, or nothing
/// did of what was to break. Throws model::InputError where a target is neither file nor lock.
[[nodiscard]] ExitCode fuzz(const FuzzArguments& arguments, const Context& context);

}  // namespace lockstep::app
