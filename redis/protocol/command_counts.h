// How often each command was called, refused and failed: INFO commandstats. No times: on the
// server's own clock a command takes none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
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
  /// Valid until the next call. Whoever is asked for often is found at once.
  CommandCount& of(const CommandSpec& spec) {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i].spec != &spec) continue;
      if (i == 0) return counts_[0];
      std::swap(counts_[i], counts_[i - 1]);
      return counts_[i - 1];
    }
    return counts_.emplace_back(CommandCount{&spec});
  }
  /// Keeps memory.
  void clear() { counts_.clear(); }
  /// In no order.
  [[nodiscard]] const std::vector<CommandCount>& all() const { return counts_; }

 private:
  std::vector<CommandCount> counts_;
};

}  // namespace lockstep::redis
