// An option's value and its place in a file, for error messages.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "scenario/options.h"
#include "scenario/text/source_location.h"

namespace lockstep::scenario {
class TableReader;
}  // namespace lockstep::scenario

namespace lockstep::model {

struct PlacedOption {
  scenario::OptionValue value;
  scenario::SourceLocation place;
  std::string spelling;  ///< its key in the file: "timeout" of "timeout_ms"
};

/// A string that is a duration becomes milliseconds under a name that says so: "timeout_ms". Throws
/// InputError.
[[nodiscard]] std::pair<std::string, PlacedOption> read_option(const scenario::TableReader& table,
                                                               std::string_view key);

}  // namespace lockstep::model
