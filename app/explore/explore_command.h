// lockstep explore: searches scenarios exhaustively within bounds, and ends in a certificate or in
// the smallest counterexample.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"
#include "search/explore/exploration.h"

namespace lockstep::app {

struct ExploreArguments {
  std::vector<std::string> paths;  ///< scenario files, or folders of them
  search::Exploration::Plan plan;
  std::uint64_t jobs = 1;
  std::uint64_t memory_bytes_max = std::uint64_t{4} << 30U;
  OutputFormat format = OutputFormat::text;
  std::string output_folder = "lockstep-out";
  /// Certificates are saved too; else only what was found, and what goes on later.
  bool saves_certificates = false;
  std::optional<std::string> resume;  ///< a search that was interrupted
};

/// The exit code is the worst of all files: 1 where something broke that was to hold, or something
/// holds that was to break; 3 where not all was searched. Throws model::InputError.
[[nodiscard]] ExitCode explore(const ExploreArguments& arguments, const Context& context);

}  // namespace lockstep::app
