#include "search/explore/bounded_choices.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace lockstep::search {

void BoundedChoices::reset(std::span<const Deviation> path) {
  path_ = path;
  next_ = 0;
  has_begun_ = false;
  decisions_.clear();
  record_.clear();
  has_usual_tokens_ = true;
  fixed_.reset(1);
}

void BoundedChoices::reset_with_tokens(std::span<const Deviation> path, std::uint64_t seed) {
  reset(path);
  has_usual_tokens_ = false;
  fixed_.reset(seed);
}

std::uint32_t BoundedChoices::decide(DecisionKind kind, std::uint32_t alternatives,
                                     std::uint32_t owner) {
  const auto number = static_cast<std::uint32_t>(decisions_.size());
  decisions_.push_back({kind, alternatives, 0, owner});
  if (next_ == path_.size() || path_[next_].decision != number) return 0;
  const std::uint32_t answer = path_[next_++].answer;
  if (answer >= alternatives) {
    if (!has_usual_tokens_) return 0;
    throw std::logic_error("decision " + std::to_string(number) + " has " +
                           std::to_string(alternatives) + " alternatives and not " +
                           std::to_string(answer + 1) + ": Lockstep itself is not deterministic");
  }
  decisions_.back().answer = answer;
  return answer;
}

std::uint64_t BoundedChoices::value_of(std::uint32_t answer, std::uint32_t alternatives,
                                       std::uint64_t count) {
  if (alternatives == count) return answer;
  // No product: a count may have all 64 bits.
  const std::uint64_t parts = alternatives - 1;
  return answer == parts ? count - 1 : (count - 1) / parts * answer;
}

std::uint64_t BoundedChoices::draw(sim::Stream stream, std::uint64_t count) {
  const std::uint64_t value = answer(stream, count);
  record_.push_back({stream, count, value});
  return value;
}

std::uint64_t BoundedChoices::answer(sim::Stream stream, std::uint64_t count) {
  const bool is_of_setup = stream.purpose == sim::Purpose::server_random && !has_begun_;
  if (stream.purpose == sim::Purpose::token || is_of_setup) return fixed_.choose(stream, count);
  const bool is_delay = stream.purpose == sim::Purpose::network_delay;
  const std::uint64_t steps = is_delay                    ? bounds_.delay_steps
                              : count <= alternatives_max ? count
                                                          : bounds_.range_steps;
  const auto alternatives = static_cast<std::uint32_t>(std::min(count, steps));
  if (alternatives < 2) return 0;
  const DecisionKind kind = is_delay ? DecisionKind::delay : DecisionKind::choice;
  return value_of(decide(kind, alternatives, stream.owner), alternatives, count);
}

}  // namespace lockstep::search
