// Part of linearizability.h: lays out the stages and gives every operation its bit.
#pragma once

#include "checker/linearizability.h"

namespace lockstep::checker {

/// One stage for each return, in order. O(n log n), plus the operations under way at each return.
template <Specification Spec>
void LinearizabilitySearch<Spec>::prepare(std::span<const Operation> operations) {
  assert(
      std::is_sorted(operations.begin(), operations.end(),
                     [](const Operation& a, const Operation& b) { return a.invoked < b.invoked; }));
  operations_ = operations;
  rank_returns(operations);
  stages_.clear();
  candidates_.clear();
  under_way_.clear();
  free_slots_.clear();
  slot_count_ = 0;
  invoked_count_ = 0;
  invoked_optional_count_ = 0;
  for (const auto& [position, operation] : returns_) {
    invoke_until(position, operations);
    add_stage(operation);
  }

  slot_word_count_ = (std::size_t{slot_count_} + 63) / 64;
  for (const std::uint32_t operation : optional_) {
    places_[operation].bit += static_cast<std::uint32_t>(slot_word_count_ * 64);
  }
  word_count_ = slot_word_count_ + (optional_.size() + 63) / 64;
  proposal_words_.assign(word_count_, 0);
  configurations_.clear();
  words_.clear();
  stack_.clear();
  buckets_.assign(256, none);
  furthest_ = 0;
  steps_ = 0;
}

template <Specification Spec>
void LinearizabilitySearch<Spec>::rank_returns(std::span<const Operation> operations) {
  returns_.clear();
  optional_.clear();
  places_.assign(operations.size(), Place{});
  for (std::uint32_t index = 0; index < operations.size(); ++index) {
    assert(operations[index].returned >= operations[index].invoked);
    if (operations[index].returned != never_returns) {
      returns_.emplace_back(operations[index].returned, index);
    } else {
      places_[index].optional = true;
      places_[index].bit = static_cast<std::uint32_t>(optional_.size());
      optional_.push_back(index);
    }
  }
  std::sort(returns_.begin(), returns_.end());
  for (std::uint32_t rank = 0; rank < returns_.size(); ++rank) {
    places_[returns_[rank].second].rank = rank;
  }
}

/// Definite operations invoked up to `position` get a slot, and join under_way_ by rank.
template <Specification Spec>
void LinearizabilitySearch<Spec>::invoke_until(std::uint64_t position,
                                               std::span<const Operation> operations) {
  while (invoked_count_ < operations.size() && operations[invoked_count_].invoked <= position) {
    const auto operation = static_cast<std::uint32_t>(invoked_count_++);
    Place& place = places_[operation];
    if (place.optional) {
      ++invoked_optional_count_;
      continue;
    }
    if (free_slots_.empty()) free_slots_.push_back(slot_count_++);
    place.bit = free_slots_.back();
    free_slots_.pop_back();
    const auto returns_later = [this](std::uint32_t rank, std::uint32_t other) {
      return rank < places_[other].rank;
    };
    under_way_.insert(
        std::upper_bound(under_way_.begin(), under_way_.end(), place.rank, returns_later),
        operation);
  }
}

template <Specification Spec>
void LinearizabilitySearch<Spec>::add_stage(std::uint32_t returning) {
  assert(under_way_.front() == returning);
  Stage stage{};
  stage.returning = returning;
  stage.candidates_begin = static_cast<std::uint32_t>(candidates_.size());
  candidates_.insert(candidates_.end(), under_way_.begin(), under_way_.end());
  stage.candidates_end = static_cast<std::uint32_t>(candidates_.size());
  stage.optional_end = invoked_optional_count_;
  stages_.push_back(stage);
  free_slots_.push_back(places_[returning].bit);
  under_way_.erase(under_way_.begin());
}

}  // namespace lockstep::checker
