// The JSON Schema of scenario files, for editors: made from the tables by which they are parsed.
//
// It says which keys there are, of what type, and how values are written; what only the whole file
// can tell (a client of that name, a moment that comes) is the parser's matter.
#pragma once

#include <string>

namespace lockstep::reports {

/// JSON, several lines, draft-07.
[[nodiscard]] std::string scenario_schema();

}  // namespace lockstep::reports
