// How often each command was called, refused and failed: INFO commandstats. No times: on the
// server's own clock a command takes none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::redis {

struct CommandSpec;

struct CommandCount {
  const CommandSpec* spec;
  std::int64_t calls = 0;
  std::int64_t rejected = 0;  ///< refused before it ran
  std::int64_t failed = 0;    ///< ran, and replied with an error
};

class CommandCounts {
 public:
  /// Valid until the next call.
  CommandCount& of(const CommandSpec& spec) {
    Place& place = places_[place_of(spec)];
    if (place.spec != &spec) [[unlikely]]
      place = {&spec, find_or_add(spec)};
    return counts_[place.index];
  }
  /// Keeps memory.
  void clear() {
    counts_.clear();
    places_.fill({});
  }
  /// In the order of their first calls.
  [[nodiscard]] const std::vector<CommandCount>& all() const { return counts_; }

 private:
  /// Where in counts_ a command was found last.
  struct Place {
    const CommandSpec* spec = nullptr;
    std::size_t index = 0;
  };
  /// Several times as many as a run has commands, so that two of these seldom share one.
  static constexpr unsigned place_bits = 7;

  /// Where a command stands in memory chooses a place alone: which command is there is looked at.
  static std::size_t place_of(const CommandSpec& spec) {
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&spec));
    return address * 0x9E3779B97F4A7C15U >> (64U - place_bits);
  }

  std::size_t find_or_add(const CommandSpec& spec);

  std::vector<CommandCount> counts_;
  std::array<Place, std::size_t{1} << place_bits> places_{};
};

}  // namespace lockstep::redis
