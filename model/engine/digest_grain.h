// Which properties of clocks and servers anybody looks at in a scenario: those are state.
//
// The clocks are the hard case. A client model that asks for the time may do anything with the
// answer: where one does so at all, the same situation at another time is another state. The names
// in the code that the scenario's steps can reach say whether one might (a client model can use
// `client` in no other way than by its functions' names); of commands, their names in the sources
// do (source_commands.h).
#pragma once

#include "model/client/client.h"
#include "sim/digest.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {

struct LockPackage;

/// `client`: any that has loaded the lock's client model.
[[nodiscard]] sim::DigestGrain digest_grain(const scenario::Scenario& scenario,
                                            const LockPackage& package, const Client& client);

}  // namespace lockstep::model
