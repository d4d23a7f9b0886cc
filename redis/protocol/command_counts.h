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
    std::uint16_t& hint = hints_[place_of(spec)];
    if (hint >= counts_.size() || counts_[hint].spec != &spec) hint = find_or_add(spec);
    return counts_[hint];
  }
  /// Keeps memory.
  void clear() { counts_.clear(); }
  /// In the order of their first calls.
  [[nodiscard]] const std::vector<CommandCount>& all() const { return counts_; }

 private:
  static constexpr unsigned hint_bits = 6;

  /// Where a command stands in memory chooses a hint alone: whatever is there is looked at.
  static std::size_t place_of(const CommandSpec& spec) {
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&spec));
    return address * 0x9E3779B97F4A7C15U >> (64U - hint_bits);
  }

  std::uint16_t find_or_add(const CommandSpec& spec) {
    std::size_t index = 0;
    while (index < counts_.size() && counts_[index].spec != &spec) ++index;
    if (index == counts_.size()) counts_.emplace_back(CommandCount{&spec});
    return static_cast<std::uint16_t>(index);
  }

  std::vector<CommandCount> counts_;
  std::array<std::uint16_t, std::size_t{1} << hint_bits> hints_{};  ///< where it may be in counts_
};

}  // namespace lockstep::redis
