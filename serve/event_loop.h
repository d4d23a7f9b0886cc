// Waits for sockets with one epoll and notifies their watchers.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/file_descriptor.h"

namespace lockstep::serve {

enum class Interest : std::uint8_t { nothing, reading, writing, reading_and_writing };

/// What happened to a socket.
struct Readiness {
  bool can_read = false;  ///< bytes, the end of the stream, or an error are to be had
  bool can_write = false;
};

/// Notified of a socket's events. To be given to EventLoop::forget before it goes.
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

  /// Its file is closed: it gets no event more, not even one that a wait has under way.
  void forget(const Watcher& watcher);

  /// Waits until a socket is ready or the timeout passes, and notifies the watchers. A watcher may
  /// call it again: what the inner call finds is not told by the outer one.
  void wait(int timeout_ms);

 private:
  using Events = std::array<epoll_event, 512>;

  sim::FileDescriptor epoll_;
  std::vector<std::unique_ptr<Events>> ready_;  // by how deep its wait is within others
  std::size_t depth_ = 0;
};

}  // namespace lockstep::serve
