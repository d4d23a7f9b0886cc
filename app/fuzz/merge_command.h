// lockstep merge: joins what the shards of a search came to, and tells it as the whole search
// would.
#pragma once

#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"
#include "app/fuzz/fuzz_reporter.h"

namespace lockstep::app {

struct MergeArguments {
  std::vector<std::string> parts;  ///< output folders of searches, or records
  FuzzOutput output;
};

/// Also writes the joined record of each target into the output folder, to be joined with others.
/// The exit code is that of the whole search; 3 where a part is missing and nothing broke. Throws
/// model::InputError where a part is damaged, or of another search.
[[nodiscard]] ExitCode merge(const MergeArguments& arguments, const Context& context);

}  // namespace lockstep::app
