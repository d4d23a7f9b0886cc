// Two TOML tables made one: what a scenario says over what its base says.
//
// Tables are merged key by key, except `expect`, which is taken whole: half of one expectation and
// half of another would be neither. Clients are told apart by their names: one of a base's name
// stands in its place. Faults and links are added behind the base's. Everything else, also lists
// and [[case]]s, is replaced. Every node keeps the place where it really stands.
#pragma once

#include <toml++/toml.h>

namespace lockstep::scenario {

/// Lays `own` over `base`; what is left of `own` means nothing.
void merge_over(toml::table& base, toml::table&& own);

}  // namespace lockstep::scenario
