// Checks that a suspended client model can be identified by its line.
//
// `explore` compares suspended client models by (function, line, variables). That is sound only if
// a line has at most one call that can suspend the coroutine: of an interacting function of
// `client`, or of a function in the same source that makes such a call. So `client` may only be
// used as in `client.sleep(…)`: it can't be passed on, stored or indexed.
//
// The check is lexical: it knows functions by the last part of their name. It may report an
// interaction that is none, but misses none.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::model {

/// Throws InputError at the first place that breaks the rule; also where `_ENV` or a `<close>`
/// variable is used. REQUIRES: the source compiles.
void check_interactions(const std::string& path, std::string_view source);

}  // namespace lockstep::model
