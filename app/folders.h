// Where the files lie that come with the program: locks, scenarios, templates.
#pragma once

#include <filesystem>

namespace lockstep::app {

[[nodiscard]] std::filesystem::path shipped_locks();
[[nodiscard]] std::filesystem::path shipped_scenarios();
[[nodiscard]] std::filesystem::path templates();

}  // namespace lockstep::app
