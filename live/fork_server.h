// A program that has started and not yet connected. Each run is a fork of it.
//
// What it did until then depends on no run: its clocks, random numbers and process id are the same
// ones each time. So whoever runs the same program for the same client may take it over.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "live/output_tail.h"
#include "live/page_memory.h"
#include "live/process.h"
#include "model/program/program.h"
#include "sim/file_descriptor.h"

namespace lockstep::scenario {
struct ProgramSpec;
}  // namespace lockstep::scenario

namespace lockstep::live {

/// What a fork is given.
struct ForkStart {
  int control;
  int page;
  int report;
  int output;
};

class ForkServer {
 public:
  /// Starts the program and waits, in real time, until it comes to its first connection or report.
  /// One that never does is found out by the first run. Throws std::system_error.
  ForkServer(const scenario::ProgramSpec& program, std::string_view client_name,
             std::span<const model::ProgramHost> hosts, std::string_view preload_library);

  /// Where the server is no longer there, the end of the control socket says so to the run.
  void fork(const ForkStart& start);
  /// What the server has written itself. Whoever waits for one of its forks reads it meanwhile.
  [[nodiscard]] OutputTail& output() { return output_; }
  /// False too where it is about to end.
  [[nodiscard]] bool is_running() const;
  /// Ends a server that does not end by itself. Returns the exit status, or minus the signal; of
  /// one that was ended before, -SIGKILL.
  int end();
  /// Ends it at once, and its forks with it.
  void kill();

 private:
  void wait_until_ready();

  PageMemory page_;
  Process process_;
  sim::FileDescriptor control_;
  OutputTail output_;
};

/// The fork servers that were used last, so that one scenario after the other finds them running.
/// Used by several threads; a server is given only to the thread that started it, with which it
/// ends. Those who run forks of it share it: it may be forgotten here and still be in use.
class ForkServers {
 public:
  [[nodiscard]] std::shared_ptr<ForkServer> find_or_start(const scenario::ProgramSpec& program,
                                                          std::string_view client_name,
                                                          std::span<const model::ProgramHost> hosts,
                                                          std::string_view preload_library);
  /// Nobody is given it again.
  void forget(const ForkServer& server);

 private:
  struct Known {
    std::string key;
    int thread;
    std::shared_ptr<ForkServer> server;
  };
  [[nodiscard]] std::shared_ptr<ForkServer> find(const std::string& key);
  void remember(Known known);

  std::mutex mutex_;
  std::vector<Known> known_;  // the one that was used last comes last
};

}  // namespace lockstep::live
