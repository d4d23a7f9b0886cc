// A client's program, and what it finds where it is started.
#pragma once

#include <sched.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/program/program.h"

namespace lockstep::scenario {
struct ProgramSpec;
}  // namespace lockstep::scenario

namespace lockstep::live {

struct ClientProgram {
  const scenario::ProgramSpec& spec;
  std::string client_name;
  std::vector<model::ProgramHost> hosts;  ///< that it can name
  std::int64_t wall_ns;                   ///< its host's wall clock as a run begins
  std::string preload_library;
  cpu_set_t processors;  ///< that it may use
};

}  // namespace lockstep::live
