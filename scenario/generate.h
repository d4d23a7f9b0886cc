// Reading `generate = { … }`: a client's steps that are drawn instead of written.
#pragma once

#include <string_view>

#include "scenario/text/toml_reader.h"
#include "scenario/workload_spec.h"

namespace lockstep::scenario {

/// Throws InputError.
[[nodiscard]] GenerateSpec read_generate(const TableReader& table,
                                         std::string_view default_lock_name);

}  // namespace lockstep::scenario
