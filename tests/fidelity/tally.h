// What was compared, in numbers that add up.
#pragma once

#include <cstddef>

#include "tests/redis/comparison/server_pair.h"

namespace lockstep::fidelity {

struct Tally {
  std::size_t sequences = 0;
  std::size_t commands = 0;
  std::size_t scripts = 0;
  std::size_t messages = 0;
  std::size_t stream_bytes = 0;
  std::size_t differences = 0;

  void add(const redis::test::ComparedCounts& counts) {
    ++sequences;
    commands += counts.commands;
    scripts += counts.scripts;
    messages += counts.messages;
    stream_bytes += counts.stream_bytes;
  }
  void add(const Tally& other) {
    sequences += other.sequences;
    commands += other.commands;
    scripts += other.scripts;
    messages += other.messages;
    stream_bytes += other.stream_bytes;
    differences += other.differences;
  }
};

}  // namespace lockstep::fidelity
