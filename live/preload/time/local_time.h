// The program's time: the two clocks of its host, as the simulator last wrote them to the page.
//
// Time stands still while the program runs. The exception is a program that spins, waiting for the
// clock alone: its time runs ahead of the simulator's, which hears of it at the next `idle`.
#pragma once

#include <sys/time.h>

#include <cstdint>
#include <ctime>

#include "live/protocol.h"

namespace lockstep::live::preload {

inline constexpr std::int64_t ns_per_ms = 1'000'000;
inline constexpr std::int64_t ns_per_s = 1'000'000'000;

/// Maps the page behind this descriptor. False if it can't.
bool map_page(int descriptor);
/// Maps another one in place of it. The wall clock is the new page's; the monotonic one goes on
/// from where it is, so that what was to happen after a while still does.
bool change_page(int descriptor);
const Page& page();

std::int64_t monotonic_now();
/// What the page's monotonic clock will read then.
std::int64_t on_page(std::int64_t deadline);
std::int64_t wall_now();
/// Since the program began, for the clocks of processor time: as if it was always busy.
std::int64_t processor_now();
/// When the program began, on the page's monotonic clock.
std::int64_t began_on_page();
/// The program, or a fork of it, begins now.
void begin_processor_time();

/// Lets the program's time run ahead.
void run_ahead(std::int64_t ns);
std::int64_t ahead_ns();
/// The simulator has let that time pass and written the page.
void catch_up();

/// A moment on one of the clocks. If the wall clock is set, moments on it move.
struct Deadline {
  enum class Clock : std::uint8_t { monotonic, wall };
  std::int64_t at = never;
  Clock clock = Clock::monotonic;

  bool passed() const;
  /// When it will have passed by the monotonic clock, as the clocks are now.
  std::int64_t on_monotonic_clock() const;
};

/// From now; a negative duration is none, and an immense one never ends.
Deadline after(std::int64_t ns);

constexpr timespec to_timespec(std::int64_t ns) { return {ns / ns_per_s, ns % ns_per_s}; }
constexpr timeval to_timeval(std::int64_t ns) { return {ns / ns_per_s, ns % ns_per_s / 1000}; }
/// Saturates at `never`; a negative time is 0.
std::int64_t to_ns(const timespec& time);
std::int64_t to_ns(const timeval& time);

}  // namespace lockstep::live::preload
