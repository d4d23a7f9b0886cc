#include "redis/protocol/command_counts.h"

namespace lockstep::redis {

std::size_t CommandCounts::find_or_add(const CommandSpec& spec) {
  std::size_t index = 0;
  while (index < counts_.size() && counts_[index].spec != &spec) ++index;
  if (index == counts_.size()) counts_.emplace_back(CommandCount{&spec});
  return index;
}

}  // namespace lockstep::redis
