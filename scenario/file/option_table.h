// A lock's options as a table of a scenario file: [options], or those of one client.
#pragma once

#include <string_view>

#include "scenario/file/table_text.h"
#include "scenario/text/toml_reader.h"
#include "scenario/workload_spec.h"

namespace lockstep::scenario {

/// Reads the table under the key, where there is one: `timeout = "30s"` is 30000 under
/// `timeout_ms`, and its place is noted under both names. Whether the lock has such options is
/// asked in model/lock/lock_package.h. Throws InputError.
void read_option_table(const TableReader& above, std::string_view key, Options& options,
                       OptionPlaces& places);
/// As they are read.
void add_options(const Options& options, TomlTable& table);
void write_option_table(std::string_view key, const Options& options, TableText& text);
/// "connection = one, timeout_ms = 50", for people.
[[nodiscard]] std::string options_in_words(const Options& options);

}  // namespace lockstep::scenario
