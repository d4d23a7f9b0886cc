// What single nodes and links have otherwise than the others: [redis.nodes.n1] and [[link]].
#pragma once

#include <vector>

#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

/// Reads [redis.nodes.…] into a scenario whose [redis] is read but for it. Throws InputError.
void read_nodes(const TableReader& redis_table, Scenario& scenario);

/// Reads the [[link]] tables. Throws InputError.
void read_links(const std::vector<TableReader>& tables, const Participants& participants,
                Scenario& scenario);

/// Throws InputError where the version is none that the fake Redis is like.
void require_version(const TableReader& table);

}  // namespace lockstep::scenario
