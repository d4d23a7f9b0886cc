#include "app/interruption.h"

#include <csignal>

namespace lockstep::app {
namespace {

// A signal handler can reach nothing else.
volatile std::sig_atomic_t interrupted =
    0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

extern "C" void note_interruption(int /*signal*/) { interrupted = 1; }

}  // namespace

void catch_interruption() {
  struct sigaction action {};
  action.sa_handler = note_interruption;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

bool is_interrupted() { return interrupted != 0; }

}  // namespace lockstep::app
