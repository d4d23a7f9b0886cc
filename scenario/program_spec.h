// A client that is a real program: [[client]] command = […].
//
// The program runs on virtual time and talks to the simulated nodes (live/). What it does, nobody
// here knows: it has one thread, without steps.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/text/source_location.h"

namespace lockstep::scenario {

struct ProgramSpec {
  enum class Reuse : std::uint8_t {
    process,  ///< each run starts a process
    fork,     ///< one process is started, and each run is a fork of it
  };
  std::vector<std::string> command;  ///< the program and its arguments; never empty
  std::string folder;                ///< where it runs, as seen from the working directory
  Reuse reuse = Reuse::process;
  std::map<std::string, std::string> connect;  ///< "host:port" → the host of the scenario
  std::map<std::string, std::string> env;      ///< over what every program is given
  Origin place;                                ///< of the command

  friend bool operator==(const ProgramSpec&, const ProgramSpec&) = default;
};

[[nodiscard]] constexpr std::string_view to_string(ProgramSpec::Reuse reuse) {
  return reuse == ProgramSpec::Reuse::fork ? "fork" : "process";
}

}  // namespace lockstep::scenario
