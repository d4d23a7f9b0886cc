// Where tests find the locks: scripts/ of the source tree, or a folder of mutants
// (tools/mutate-scripts).
#pragma once

#include <cstdlib>
#include <filesystem>

#include "tests/support/source_folder.h"

namespace lockstep::support {

inline std::filesystem::path script_folder() {
  const char* mutants = std::getenv("LOCKSTEP_SCRIPTS_DIR");
  if (mutants != nullptr) return mutants;
  return std::filesystem::path(source_folder()) / "scripts";
}

}  // namespace lockstep::support
