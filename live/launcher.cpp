#include "live/launcher.h"

#include "live/live_program.h"
#include "live/process.h"

namespace lockstep::live {

std::unique_ptr<model::Program> Launcher::prepare(const scenario::ProgramSpec& program,
                                                  std::string_view name,
                                                  std::span<const model::ProgramHost> hosts) {
  return std::make_unique<LiveProgram>(program, name, hosts, preload_library());
}

}  // namespace lockstep::live
