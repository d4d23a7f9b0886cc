// How long, in real time, one waits for a program.
#pragma once

namespace lockstep::live {

/// A program that makes no call for so long makes none.
inline constexpr int stuck_ms = 20'000;

}  // namespace lockstep::live
