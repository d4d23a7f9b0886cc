// Reading `generate = { … }`: a client's steps that are drawn instead of written.
#pragma once

#include <string_view>

#include "model/scenario/toml_reader.h"
#include "model/scenario/workload_spec.h"

namespace lockstep::model {

/// Throws InputError.
[[nodiscard]] GenerateSpec read_generate(const TableReader& table,
                                         std::string_view default_lock_name);

}  // namespace lockstep::model
