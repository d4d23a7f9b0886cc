// The form that a stored value takes when it is read back: Redis loads a snapshot into the smallest
// form that suits each value, whichever it had when it was saved (OBJECT ENCODING shows it).
//
// Not covered: other limits than Redis's defaults.
#pragma once

#include "model/redis/keyspace.h"

namespace lockstep::redis {

void take_natural_form(Entry& entry);

}  // namespace lockstep::redis
