// Checks the names of new locks and scenarios.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep::app {

/// Throws scenario::InputError unless the name has only small letters, digits and hyphens. `what`
/// and `example` are for the message: "a lock", "my-lock".
void require_new_name(const std::string& name, std::string_view what, std::string_view example);

/// Throws scenario::InputError if something is there, even a dangling link.
void require_nothing_at(const std::filesystem::path& path);

}  // namespace lockstep::app
