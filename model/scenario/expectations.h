// What a scenario expects: properties that hold or are violated, what happens sometimes, bounds.
#pragma once

#include "model/scenario/cast.h"
#include "model/scenario/scenario.h"
#include "model/scenario/toml_reader.h"

namespace lockstep::model {

/// Reads `expect`, but for `sometimes`. Throws InputError.
[[nodiscard]] Expectation read_expectation(const TableReader& file);

/// Reads expect's `sometimes`, once it is known who takes part.
///
///   sometimes := moment ["while" client "believes" [lock]]       moment: see triggers.h
void read_sometimes(const TableReader& file, const Cast& cast, Expectation& expectation);

}  // namespace lockstep::model
