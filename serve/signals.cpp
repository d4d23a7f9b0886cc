#include "serve/signals.h"

#include <sys/signalfd.h>

#include <cerrno>
#include <system_error>

namespace lockstep::serve {

TerminationSignals::TerminationSignals(EventLoop& loop) {
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGTERM);
  sigaddset(&awaited, SIGINT);
  sigprocmask(SIG_BLOCK, &awaited, &mask_before_);
  queue_ = sim::FileDescriptor(signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!queue_.is_open()) throw std::system_error(errno, std::generic_category(), "signalfd");
  loop.watch(queue_, Interest::reading, *this);
}

TerminationSignals::~TerminationSignals() {
  on_ready({});  // what is still queued would strike when the mask goes
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

void TerminationSignals::on_ready(Readiness /*readiness*/) {
  signalfd_siginfo signal{};
  while (read(queue_.number(), &signal, sizeof(signal)) == sizeof(signal)) came_ = true;
}

}  // namespace lockstep::serve
