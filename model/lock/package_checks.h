// What a lock's package, and a scenario of it, must satisfy as a whole; each complaint is at the
// word that is wrong.
//
// A single value is checked where it is read (lock_manifest.cpp).
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/lock/placed_option.h"
#include "scenario/text/source_location.h"

namespace lockstep::model {

struct ContractDeclaration;
struct LockPackage;

/// Where the values of [state] are, by key; the table itself as "[state]".
using StatePlaces = std::map<std::string, scenario::SourceLocation, std::less<>>;

/// Throws InputError where a value of [state] can't be of a state of that shape, or lacks another.
/// REQUIRES: there is a key of the state.
void require_state_that_fits(const LockPackage& package, const StatePlaces& places);

/// Throws InputError where the lock promises a property that does not apply to its shape.
/// REQUIRES: a place for each promise.
void require_judgeable_promises(const LockPackage& package,
                                std::span<const scenario::SourceLocation> places);

/// Throws InputError where an option is a plain number, and the client model reads it as a
/// duration: `wait = 5` and options.wait_ms.
void require_options_as_read(const LockPackage& package,
                             const std::map<std::string, PlacedOption>& options);

/// Throws InputError where the declaration names an option that the lock has not, or a request with
/// nearly the name of a script.
void require_known_words(const ContractDeclaration& declared, const LockPackage& package);

}  // namespace lockstep::model
