// The kinds of callbacks of a client that a fault may hold back.
#pragma once

#include <cstdint>

namespace lockstep::scenario {

/// What a client runs when something has come (model/client/postponements.h).
enum class CallbackKind : std::uint8_t {
  task,   ///< the start of a spawned task, by its name
  reply,  ///< the resumption of a call, by its label
};

}  // namespace lockstep::scenario
