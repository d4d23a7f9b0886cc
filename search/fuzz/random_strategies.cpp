#include "search/fuzz/random_strategies.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep::search {
namespace {

/// The numbers below which most runs' messages are: drawn over orders of magnitude, so that early
/// ones, of which every run has some, come often.
constexpr std::uint64_t message_doublings = 10;

}  // namespace

sim::ChoiceSource& UniformStrategy::begin_run(std::uint64_t run_seed) {
  choices_.reset(run_seed);
  return choices_;
}

// -- swarm --

sim::ChoiceSource& SwarmStrategy::begin_run(std::uint64_t run_seed) {
  reseed(run_seed);
  kept_.clear();
  delays_ = static_cast<Delays>(own(4));
  return *this;
}

const SwarmStrategy::Kept& SwarmStrategy::kept(std::uint64_t count) {
  for (const Kept& each : kept_) {
    if (each.count == count) return each;
  }
  constexpr std::uint64_t values_max = 4;
  Kept& added = kept_.emplace_back(Kept{count, {}});
  for (std::uint64_t left = 1 + own(values_max); left > 0; --left) {
    added.values.push_back(own(count));
  }
  return added;
}

std::uint64_t SwarmStrategy::draw(sim::Stream stream, std::uint64_t count) {
  constexpr std::uint64_t few = 4;  // how many faults, and whether there is a sequel, stay open
  if (stream.purpose == sim::Purpose::fault_kind && count > few) {
    const Kept& values = kept(count);
    return values.values[seeded(stream, values.values.size())];
  }
  if (stream.purpose != sim::Purpose::network_delay) return seeded(stream, count);
  switch (delays_) {
    case Delays::least:
      return 0;
    case Delays::most:
      return count - 1;
    case Delays::extreme:
      return seeded(stream, 2) == 0 ? 0 : count - 1;
    case Delays::as_chance_says:
      break;
  }
  return seeded(stream, count);
}

// -- priorities --

sim::ChoiceSource& PriorityStrategy::begin_run(std::uint64_t run_seed) {
  reseed(run_seed);
  messages_ = 0;
  std::iota(ranks_.begin(), ranks_.end(), 0U);
  for (std::size_t i = ranks_.size(); i > 1; --i) std::swap(ranks_[i - 1], ranks_[own(i)]);
  constexpr std::uint64_t depth_max = 5;
  changes_.clear();
  for (std::uint64_t left = own(depth_max); left > 0; --left) {
    changes_.push_back(own(std::uint64_t{1} << own(message_doublings)));
  }
  return *this;
}

std::uint64_t PriorityStrategy::draw(sim::Stream stream, std::uint64_t count) {
  if (stream.purpose != sim::Purpose::network_delay) return seeded(stream, count);
  // The link is named by its two ends, see Network::draw_delay.
  const std::uint32_t from = stream.owner >> 16;
  const std::uint32_t to = stream.owner & 0xffffU;
  const std::uint32_t client = std::min(from, to);
  if (client >= ranks_.size()) return seeded(stream, count);
  const std::uint64_t number = messages_++;
  if (std::find(changes_.begin(), changes_.end(), number) != changes_.end()) {
    for (std::uint32_t& rank : ranks_) {
      if (rank > ranks_[client]) --rank;
    }
    ranks_[client] = static_cast<std::uint32_t>(ranks_.size() - 1);
  }
  const std::uint64_t others = std::max<std::uint64_t>(ranks_.size() - 1, 1);
  // Multiplied last: count may be large.
  return (count - 1) / others * ranks_[client] + (count - 1) % others * ranks_[client] / others;
}

// -- partial order --

sim::ChoiceSource& PartialOrderStrategy::begin_run(std::uint64_t run_seed) {
  reseed(run_seed);
  return *this;
}

std::uint64_t PartialOrderStrategy::draw(sim::Stream stream, std::uint64_t count) {
  if (stream.purpose != sim::Purpose::network_delay) return seeded(stream, count);
  return seeded(stream, 2) == 0 ? 0 : count - 1;
}

// -- bounded delays --

sim::ChoiceSource& DelayBoundedStrategy::begin_run(std::uint64_t run_seed) {
  reseed(run_seed);
  messages_ = 0;
  constexpr std::uint64_t bound_max = 3;
  slow_.clear();
  for (std::uint64_t left = 1 + own(bound_max); left > 0; --left) {
    slow_.push_back(own(std::uint64_t{1} << own(message_doublings)));
  }
  return *this;
}

std::uint64_t DelayBoundedStrategy::draw(sim::Stream stream, std::uint64_t count) {
  if (stream.purpose != sim::Purpose::network_delay) return seeded(stream, count);
  const bool is_slow = std::find(slow_.begin(), slow_.end(), messages_++) != slow_.end();
  return is_slow ? count - 1 : 0;
}

}  // namespace lockstep::search
