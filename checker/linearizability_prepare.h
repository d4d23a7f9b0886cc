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
  rank_returns();
  stages_.clear();
  candidates_.clear();
  under_way_.clear();
  free_slots_.clear();
  slot_count_ = 0;
  invoked_count_ = 0;
  invoked_optional_count_ = 0;
  for (const auto& [position, operation] : returns_) {
    invoke_until(position);
    add_stage(operation);
  }
  slot_word_count_ = (std::size_t{slot_count_} + 63) / 64;
  for (const std::uint32_t operation : optional_) {
    places_[operation].bit += static_cast<std::uint32_t>(slot_word_count_ * 64);
  }
  word_count_ = slot_word_count_ + (optional_.size() + 63) / 64;
}

template <Specification Spec>
void LinearizabilitySearch<Spec>::rank_returns() {
  returns_.clear();
  optional_.clear();
  places_.assign(operations_.size(), Place{});
  for (std::uint32_t index = 0; index < operations_.size(); ++index) {
    assert(operations_[index].returned >= operations_[index].invoked);
    if (operations_[index].returned != never_returns) {
      returns_.emplace_back(operations_[index].returned, index);
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
void LinearizabilitySearch<Spec>::invoke_until(std::uint64_t position) {
  const auto returns_sooner = [this](std::uint32_t rank, std::uint32_t other) {
    return rank < places_[other].rank;
  };
  while (invoked_count_ < operations_.size() && operations_[invoked_count_].invoked <= position) {
    const std::uint32_t operation = invoked_count_++;
    Place& place = places_[operation];
    if (place.optional) {
      ++invoked_optional_count_;
      continue;
    }
    if (free_slots_.empty()) free_slots_.push_back(slot_count_++);
    place.bit = free_slots_.back();
    free_slots_.pop_back();
    under_way_.insert(
        std::upper_bound(under_way_.begin(), under_way_.end(), place.rank, returns_sooner),
        operation);
  }
}

template <Specification Spec>
void LinearizabilitySearch<Spec>::add_stage(std::uint32_t returning) {
  assert(under_way_.front() == returning);
  Stage stage;
  stage.returning = returning;
  stage.candidates_begin = static_cast<std::uint32_t>(candidates_.size());
  candidates_.insert(candidates_.end(), under_way_.begin(), under_way_.end());
  stage.candidates_end = static_cast<std::uint32_t>(candidates_.size());
  stage.optional_end = invoked_optional_count_;
  stages_.push_back(stage);
  free_slots_.push_back(places_[returning].bit);
  under_way_.erase(under_way_.begin());
}

/// Nothing visited; the proposal is the initial configuration but for its state.
template <Specification Spec>
void LinearizabilitySearch<Spec>::clear_search() {
  proposal_stage_ = 0;
  proposal_just_arrived_ = true;
  proposal_words_.assign(word_count_, 0);
  configurations_.clear();
  words_.clear();
  buckets_.assign(256, none);
  stack_.clear();
  furthest_ = 0;
  proposals_ = 0;
  comparisons_ = 0;
}

}  // namespace lockstep::checker
