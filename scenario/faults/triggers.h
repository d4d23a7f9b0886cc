// When a fault strikes, in words: "a acquired", "n1 executed acquire for the 2nd time".
//
//   phrase := actor milestone [detail] ["of" client] ["for the" ordinal "time"]
//           | "the lease of" actor ["on" lock] "ends" ["for the" ordinal "time"]
//           | ordinal ("message" | label) "from" actor ["to" actor]
//           | "any"
//
// The end of a lease is that of the actor's hold in the servers' keys; it moves with renewals.
// "any" is some milestone of the run, drawn. The actor is a client (any of its threads), a thread,
// a node or the resource; the detail is the lock (acquired, refused, releasing, released) or what
// the script or message is called (executed, sent); "of" says who asked a node to execute it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenario/faults/fault_spec.h"
#include "scenario/participants.h"
#include "scenario/text/located_text.h"

namespace lockstep::scenario {

/// Throws InputError at the word that is wrong: nobody of that name, no milestone, one that is
/// never that actor's.
[[nodiscard]] Trigger::When read_when(const LocatedText& phrase, const Participants& participants);

/// The phrase that read_when reads back as the same.
[[nodiscard]] std::string write_when(const Trigger::When& when);

/// Takes "for the 2nd time" off the end of a phrase; 1 where it is not there. Throws InputError.
[[nodiscard]] std::uint32_t take_ordinal(std::vector<LocatedText>& words);

}  // namespace lockstep::scenario
