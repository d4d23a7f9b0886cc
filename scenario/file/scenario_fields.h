// A whole scenario file by its rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

struct FaultSpec;
struct Scenario;

/// Throws InputError.
void allow_only_scenario_keys(const TableReader& file);

/// Throws InputError: all mistakes that do not follow from each other.
void read_scenario(const TableReader& file, Scenario& scenario);

/// The keys in which the two say different things: "redis.sentinel.quorum", "client[0].rounds". The
/// path, the text, places and what a row of parameters is called are no part of what they say.
[[nodiscard]] std::vector<std::string> differences(const Scenario& one, const Scenario& other);

/// The table [key] in words: "limits: horizon 10m, 1000000 events".
[[nodiscard]] std::string explain_table(std::string_view key, const Scenario& scenario);

/// One [[fault]] table.
[[nodiscard]] std::string write_fault(const FaultSpec& fault);

}  // namespace lockstep::scenario
