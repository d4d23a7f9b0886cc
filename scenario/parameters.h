// A table of parameters over which a scenario file is run.
//
//   [parameters]
//   lease = ["5s", "20s"]          each value, or each combination of several, is a row
//
//   [[case]]                       rows of its own: other values, and what is expected of them
//   lease  = "60s"
//   expect = { holds = "mutual-exclusion" }
//
// "$lease" or "${lease}" in any string is replaced by the value; a string that is nothing else
// takes its type too. "$$" is a dollar sign. If there are [[case]]s, they are the only rows; they
// inherit from [parameters] and from the rest of the file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenario/options.h"
#include "scenario/parameter_setting.h"

namespace lockstep::scenario {

class TableReader;
class TomlDocument;

inline constexpr std::size_t rows_max = 1'000;

/// One combination of values.
struct ParameterRow {
  struct Binding {
    std::string name;
    OptionValue value;
    bool is_shown = false;  ///< it differs from row to row, or was set by the user
  };
  std::vector<Binding> bindings;  ///< of all parameters, in the order of the file
  std::optional<std::size_t> case_index;

  /// "[lease=5s]": the shown bindings; empty if there are none.
  [[nodiscard]] std::string name() const;
};

/// All rows of a file, at least one. `set` selects the rows with its values; if there are none, it
/// makes one. Throws InputError.
[[nodiscard]] std::vector<ParameterRow> read_rows(const TableReader& file,
                                                  const std::vector<ParameterSetting>& set);

/// Substitutes a row's values and removes [parameters], [[case]] and `base`. Throws InputError for
/// an unknown or unused parameter.
void apply_row(TomlDocument& document, const ParameterRow& row);

/// As it would be written in a string.
[[nodiscard]] std::string write_value(const OptionValue& value);

}  // namespace lockstep::scenario
