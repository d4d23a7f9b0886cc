// Which keys of a lock are leases by themselves.
//
// Expanding and matching patterns is in lock_package.h, as everybody does that.
#pragma once

#include <string>
#include <vector>

namespace lockstep::model {

struct LockPackage;

/// The patterns of the state's keys where these end with a lease: those of a mutex that are not
/// among the persistent keys.
[[nodiscard]] std::vector<std::string> leases_of_state(const LockPackage& package);

}  // namespace lockstep::model
