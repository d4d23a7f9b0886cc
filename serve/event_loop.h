// Waits for sockets with one epoll and notifies their watchers.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>

#include "sim/file_descriptor.h"

namespace lockstep::serve {

enum class Interest : std::uint8_t { nothing, reading, reading_and_writing };

/// What happened to a socket.
struct Readiness {
  bool can_read = false;  ///< bytes, the end of the stream, or an error are to be had
  bool can_write = false;
};

/// Notified of a socket's events. Must outlive the round of EventLoop::wait in which its socket is
/// closed.
class Watcher {
 public:
  virtual void on_ready(Readiness readiness) = 0;

 protected:
  ~Watcher() = default;
};

class EventLoop {
 public:
  EventLoop();

  /// Until the file is closed.
  void watch(const sim::FileDescriptor& file, Interest interest, Watcher& watcher);
  void change(const sim::FileDescriptor& file, Interest interest, Watcher& watcher);

  /// Waits until a socket is ready or the timeout passes, and notifies the watchers.
  void wait(int timeout_ms);

 private:
  sim::FileDescriptor epoll_;
  std::array<epoll_event, 512> ready_{};
};

}  // namespace lockstep::serve
