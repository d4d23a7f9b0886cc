// What the requests of a lock are called: a script's name, or a command in small letters.
//
// Read from the client model's source, not from runs: a name that stands nowhere in it is a
// slip of whoever wrote a fault or a contract.
#pragma once

#include <string_view>

namespace lockstep::model {

struct LockPackage;

/// Whether a request of that name may be sent: a script of the lock, or a string in small letters
/// that the client model has, or that is the value of an option.
[[nodiscard]] bool sends_requests_called(const LockPackage& package, std::string_view label);

}  // namespace lockstep::model
