// The form that a stored value takes when it is read back: Redis loads a snapshot into the smallest
// form that suits each value, whichever it had when it was saved (OBJECT ENCODING shows it).
//
// Not covered: other limits than Redis's defaults.
#pragma once

#include "redis/values/keyspace.h"

namespace lockstep::redis {

void apply_rdb_load_encoding(Entry& entry);

}  // namespace lockstep::redis
