#include "live/launcher.h"

#include <sys/personality.h>

#include "live/executable.h"
#include "live/fork_server.h"
#include "live/live_program.h"
#include "live/machine.h"
#include "live/process.h"

namespace lockstep::live {

Launcher::Launcher() : fork_servers_(std::make_unique<ForkServers>()) {}

Launcher::~Launcher() = default;

std::unique_ptr<model::Program> Launcher::prepare(const scenario::ProgramSpec& program,
                                                  std::string_view name,
                                                  std::span<const model::ProgramHost> hosts,
                                                  std::int64_t wall_ns) {
  require_dynamic(program);
  return std::make_unique<LiveProgram>(
      ClientProgram{
          program, std::string(name), {hosts.begin(), hosts.end()}, wall_ns, preload_library()},
      *fork_servers_);
}

std::string Launcher::likely_sources_of_differences() const {
  constexpr unsigned long ask = 0xffffffff;
  const int persona = personality(ask);
  const bool may_fix_addresses =
      persona >= 0 && personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE) >= 0;
  if (persona >= 0) personality(static_cast<unsigned long>(persona));
  std::string sources;
  if (!may_fix_addresses) {
    sources =
        "addresses, which this container does not let Lockstep fix (allow personality(2) in its "
        "seccomp profile), ";
  }
  if (!can_forbid_time_stamps()) {
    sources +=
        "the time stamp counter (RDTSC), which this machine does not let Lockstep forbid "
        "(PR_SET_TSC has no effect), ";
  }
  return sources +
         "a time, a temporary name or another process's state read from a file (take it from the "
         "clock, or from a generator), the MAC address, as in a UUID of version 1 (take a random "
         "one), threads that spin until another one has done something (let them wait for it), and "
         "what a fork shares with the runs before it (reuse = \"process\"); see "
         "docs/real-clients.md";
}

}  // namespace lockstep::live
