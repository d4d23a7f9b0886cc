// Merges a scenario's TOML tables over its base's.
//
// Tables are merged key by key, except `expect`, which is replaced as a whole. A client replaces
// the base's client of the same name. Faults and links are appended to the base's. Everything else,
// also lists and [[case]]s, is replaced. Every node keeps its place in its own file.
#pragma once

#include <toml++/toml.h>

namespace lockstep::scenario {

/// Merges `own` into `base` and leaves `own` unspecified.
void merge_over(toml::table& base, toml::table&& own);

}  // namespace lockstep::scenario
