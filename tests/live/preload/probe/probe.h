// A program for the tests of live/preload: each probe makes some calls and prints what they gave.
//
// `probe NAME` runs one. Times are printed in ms since the program began.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace probe {

struct Probe {
  const char* name;
  void (*run)();
};

std::span<const Probe> clock_probes();
std::span<const Probe> futex_probes();
std::span<const Probe> identity_probes();
std::span<const Probe> process_probes();
std::span<const Probe> rare_call_probes();
std::span<const Probe> signal_probes();
std::span<const Probe> socket_probes();
std::span<const Probe> thread_probes();
std::span<const Probe> wait_probes();

/// Of the monotonic clock.
std::int64_t now_ns();

/// Prints `name result took ms`: what the call returned (or its errno's name) and how long it took.
void report(const char* name, const std::function<long()>& call);

/// A connection to redis-1, blocking or not; its connect's result is printed.
int connect_to(const char* host, int port, int type = 0);

/// Ends the program with a message if the condition does not hold.
void require(bool condition, const char* what);

}  // namespace probe
