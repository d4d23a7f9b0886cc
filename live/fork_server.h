// A program that has started and not yet connected. Each run is a fork of it.
//
// Until then it has met nothing of any run: its clocks, random numbers and process id are the same
// each time. So all runs of the same program for the same client can share one server, as long as
// the files that it has read are as they were. Two clients never share one: a token that they drew
// before the fork would be the same, and each could release the other's lock.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "live/client_program.h"
#include "live/loaded_files.h"
#include "live/output_tail.h"
#include "live/page_memory.h"
#include "live/process.h"
#include "sim/file_descriptor.h"

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
  /// Starts the program and waits until it is about to connect or to report. If it never is, the
  /// first run finds that out. One that sleeps before that is started once more, by so much
  /// earlier. Throws std::system_error.
  explicit ForkServer(const ClientProgram& program);

  /// If the server has ended, the run sees its control socket end.
  void fork(const ForkStart& start);
  /// What the server itself has written. Whoever waits for a fork must read it meanwhile.
  [[nodiscard]] OutputTail& output() { return output_; }
  /// Also false if it is about to end.
  [[nodiscard]] bool is_running() const;
  /// Whether one that was started now would read the same files. False while it is not known which
  /// it reads.
  [[nodiscard]] bool is_up_to_date() const {
    return state_ == State::ready && files_.are_on_disk();
  }
  /// Why it never comes to connect or to report; empty: it has, or it has ended.
  [[nodiscard]] const std::string& why_stuck() const { return why_stuck_; }
  /// Whether the library has been loaded into it.
  [[nodiscard]] bool has_spoken() const { return has_spoken_; }
  /// REQUIRES: is_running().
  [[nodiscard]] pid_t process() const { return process_.id(); }
  /// Waits for its end, and kills it if that does not come. Returns the exit status, or minus the
  /// signal; -SIGKILL if it had ended before.
  int end();
  /// Ends it at once, and its forks with it.
  void kill();

 private:
  enum class State : std::uint8_t { starting, ready, ended };

  void start(const ClientProgram& program, std::int64_t start_ns);
  void wait_until_ready();
  void take_packet();

  PageMemory page_;
  Process process_;
  sim::FileDescriptor control_;
  OutputTail output_;
  LoadedFiles files_;
  State state_ = State::starting;
  bool has_spoken_ = false;
  std::string why_stuck_;
  std::int64_t slept_ns_ = 0;  // before it was ready
};

/// The fork servers that were used last, kept running from one scenario to the next. Several
/// threads may use it. A server ends with the thread that started it, so no other thread is given
/// it. Its users share it: one that is forgotten here may still be in use.
class ForkServers {
 public:
  [[nodiscard]] std::shared_ptr<ForkServer> find_or_start(const ClientProgram& program);
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
