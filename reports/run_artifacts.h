// Where the files of a run were written, and the commands that show it again. Reports leave out
// what is empty.
#pragma once

#include <cstddef>
#include <string>

namespace lockstep::reports {

struct RunArtifacts {
  std::string timeline;         ///< path of the picture
  std::string trace;            ///< path of the trace file
  std::string confirm_command;  ///< the same run on real servers: "lockstep confirm out/…"
  std::string replay_command;   ///< one line for the shell: "lockstep replay out/gc-pause.trace"
  std::string no_trace = {};    ///< why there is no trace, where one would be expected
  std::size_t rows = 0;         ///< of the timeline, as it is drawn
};

}  // namespace lockstep::reports
