// What a client model's source must keep to, so that a suspended one can be told apart by its
// lines.
//
// A later search compares suspended client models by (function, line, variables). That is sound
// only if a line holds at most one place at which a coroutine can be suspended: a direct call of a
// function of `client` that interacts, or a call of a function of the same source that does so in
// turn. So `client` may only be used as in `client.sleep(…)`: not passed on, not stored, not looked
// up in.
//
// The check reads words, not meanings: functions are known by the last part of their name, so it
// may see an interaction where there is none, never the other way round.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::model {

/// Throws InputError at the first place that breaks the rule; also where `_ENV` or a `<close>`
/// variable is used. REQUIRES: the source compiles.
void check_interactions(const std::string& path, std::string_view source);

}  // namespace lockstep::model
