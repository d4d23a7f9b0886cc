// The name of a lock for people: without the way to its folder.
#pragma once

#include <string>

namespace lockstep::scenario {

/// "plain" for itself; of a folder the part behind `.` and `..`, of an absolute one its last name:
/// "../locks/mine/fast" is locks/mine/fast, "/srv/mine" is mine.
[[nodiscard]] std::string lock_in_words(const std::string& lock);

}  // namespace lockstep::scenario
