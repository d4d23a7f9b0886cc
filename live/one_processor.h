// A program and the thread that simulates its world take turns. On one processor neither has to
// wait until another one wakes up: that makes a fifth more runs.
//
// What a program sees of processors is the library's matter (live/preload/process/identity.cpp).
#pragma once

#include <sched.h>
#include <sys/types.h>

namespace lockstep::live {

/// Those that this thread may use.
[[nodiscard]] cpu_set_t allowed_processors();

class OneProcessor {
 public:
  explicit OneProcessor(const cpu_set_t& allowed) : allowed_(allowed) {}

  /// This thread stays on the processor on which it is, and the process's first thread goes there.
  void share_with(pid_t process);
  /// This thread may go anywhere again, if it was bound by this object. REQUIRES: it is the same.
  void leave();

 private:
  cpu_set_t allowed_;
  bool has_bound_ = false;
};

}  // namespace lockstep::live
