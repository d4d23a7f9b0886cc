// SIGTERM and SIGINT as a readable file, so that they arrive between two rounds of the event loop.
#pragma once

#include <csignal>

#include "serve/event_loop.h"
#include "sim/file_descriptor.h"

namespace lockstep::serve {

/// While it exists, both signals are blocked for the process and counted here.
class TerminationSignals final : public Watcher {
 public:
  explicit TerminationSignals(EventLoop& loop);
  TerminationSignals(const TerminationSignals&) = delete;
  TerminationSignals& operator=(const TerminationSignals&) = delete;
  ~TerminationSignals();

  [[nodiscard]] bool came() const { return came_; }
  /// Looks whether one came, without the event loop.
  void poll() { on_ready({}); }

 private:
  void on_ready(Readiness readiness) override;

  sigset_t mask_before_{};
  sim::FileDescriptor queue_;
  bool came_ = false;
};

}  // namespace lockstep::serve
