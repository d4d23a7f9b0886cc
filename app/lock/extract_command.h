// lockstep extract: the Lua in the string literals of a library's source.
#pragma once

#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

struct ExtractArguments {
  std::vector<std::string> paths;
  std::string save_folder;  ///< empty: print
  std::string name;         ///< only the script of this name; empty: all
  OutputFormat format = OutputFormat::text;
};

/// What can't be read is complained of, and the rest is extracted; bad input then. Not as expected
/// where nothing is found. Saves all scripts or none, over no other file.
[[nodiscard]] ExitCode extract(const ExtractArguments& arguments, const Context& context);

}  // namespace lockstep::app
