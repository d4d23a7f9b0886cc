// A program's process: started with the library and the descriptors of live/protocol.h, and ended.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <string>
#include <string_view>

namespace lockstep::scenario {
struct ProgramSpec;
}  // namespace lockstep::scenario

namespace lockstep::live {

/// What a process is given besides its program.
struct ProcessStart {
  const scenario::ProgramSpec& program;
  std::string_view client_name;
  std::string_view preload_library;
  const cpu_set_t& processors;
  int control;
  int page;
  int report;
  int output;
};

class Process {
 public:
  Process() = default;
  /// Starts it. Throws std::system_error where no process can be made; that the program does not
  /// exist, its output says.
  explicit Process(const ProcessStart& start);
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  /// Kills it.
  ~Process();

  [[nodiscard]] bool is_running() const { return pid_ > 0; }
  /// REQUIRES: is_running().
  [[nodiscard]] pid_t id() const { return pid_; }
  /// Waits for its end, which must be near. Returns the exit status, or minus the signal.
  int wait();
  /// Kills it and waits. Returns the exit status of a process that was already ending, otherwise
  /// minus the signal; -SIGKILL where there is none.
  int kill();

 private:
  pid_t pid_ = -1;
};

/// The client's name, the command, its folder and the scenario's variables.
[[nodiscard]] std::string what_starts(const scenario::ProgramSpec& program,
                                      std::string_view client_name);

/// The library that is loaded into programs. Throws InputError where this build has none.
[[nodiscard]] std::string preload_library();

}  // namespace lockstep::live
