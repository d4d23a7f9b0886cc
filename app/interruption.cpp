#include "app/interruption.h"

#include <atomic>
#include <csignal>

namespace lockstep::app {
namespace {

// A signal handler can reach only a global. It may run in any thread, and all workers read it.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> was_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_interruption(int /*signal*/) { was_interrupted = true; }

}  // namespace

void catch_interruption() {
  struct sigaction action {};
  action.sa_handler = note_interruption;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

bool is_interrupted() { return was_interrupted; }

}  // namespace lockstep::app
