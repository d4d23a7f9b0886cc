// Where the repository is, for tests and benchmarks that read its files.
#pragma once

#include <string>

namespace lockstep {

/// Without a slash at its end.
[[nodiscard]] std::string source_folder();

}  // namespace lockstep
