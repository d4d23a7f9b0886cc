#include "app/folders.h"

namespace lockstep::app {

std::filesystem::path shipped_locks() { return LOCKSTEP_SCRIPTS_FOLDER; }

std::filesystem::path shipped_scenarios() { return LOCKSTEP_SCENARIOS_FOLDER; }

std::filesystem::path templates() { return LOCKSTEP_TEMPLATES_FOLDER; }

}  // namespace lockstep::app
