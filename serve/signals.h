// SIGTERM and SIGINT as something to read, so that they come between two rounds of the event loop.
#pragma once

#include <csignal>

#include "serve/event_loop.h"
#include "serve/file_descriptor.h"

namespace lockstep::serve {

/// While it lives, both signals are held back from the process and counted here.
class EndSignals final : public Watcher {
 public:
  explicit EndSignals(EventLoop& loop);
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  ~EndSignals();

  [[nodiscard]] bool came() const { return came_; }

 private:
  void on_ready(Readiness readiness) override;

  sigset_t mask_before_{};
  FileDescriptor queue_;
  bool came_ = false;
};

}  // namespace lockstep::serve
