// What `lockstep new` asks of the name of what it makes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep::app {

/// Throws model::InputError where the name is not of small letters, digits and hyphens. `what` and
/// `example` are for the complaint: "a lock", "my-lock".
void require_new_name(const std::string& name, std::string_view what, std::string_view example);

/// Throws model::InputError where something is there, be it a link that leads nowhere.
void require_nothing_at(const std::filesystem::path& path);

}  // namespace lockstep::app
