// Part of linearizability.h: lays out the stages and gives every operation its bit.
#pragma once

#include "checker/linearizability/linearizability.h"

namespace lockstep::checker {

/// One stage for each return, in order. O(n log n), plus the operations under way at each return.
/// False where that would take more memory than allowed.
template <Specification Spec>
bool LinearizabilitySearch<Spec>::prepare(std::span<const Operation> operations,
                                          const Limits& limits) {
  assert(
      std::is_sorted(operations.begin(), operations.end(),
                     [](const Operation& a, const Operation& b) { return a.invoked < b.invoked; }));
  operations_ = operations;
  rank_returns();
  stages_.clear();
  twins_.clear();
  candidates_.clear();
  const std::uint64_t candidate_count = count_candidates();
  const std::uint64_t bytes =
      candidate_count * sizeof(candidates_[0]) + returns_.size() * sizeof(Stage);
  // Stages count candidates by 32 bits.
  if (candidate_count > UINT32_MAX || bytes_laid_out() + bytes > limits.memory_bytes_max) {
    if (!returns_.empty()) stages_.push_back({returns_.front().second});
    return false;
  }
  candidates_.reserve(candidate_count);
  stages_.reserve(returns_.size());
  expired_.clear();
  under_way_.clear();
  passing_.clear();
  free_slots_.clear();
  free_optional_slots_.clear();
  slot_count_ = 0;
  optional_slot_count_ = 0;
  invoked_count_ = 0;
  for (const auto& [position, operation] : returns_) {
    expire_until(position);
    invoke_until(position);
    expire_until(position);
    add_stage(operation);
    if (bytes_laid_out() > limits.memory_bytes_max) return false;
  }
  slot_word_count_ = (std::size_t{slot_count_} + 63) / 64;
  for (Place& place : places_) {
    if (place.optional) place.bit += static_cast<std::uint32_t>(slot_word_count_ * 64);
  }
  word_count_ = slot_word_count_ + (std::size_t{optional_slot_count_} + 63) / 64;
  if constexpr (InterchangeableByInput<Spec>) find_twins();
  return true;
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
    }
  }
  std::sort(returns_.begin(), returns_.end());
  for (std::uint32_t rank = 0; rank < returns_.size(); ++rank) {
    places_[returns_[rank].second].rank = rank;
  }
}

/// The definite operations under way at each return, all returns together.
template <Specification Spec>
std::uint64_t LinearizabilitySearch<Spec>::count_candidates() const {
  std::uint64_t count = 0;
  std::uint64_t under_way = 0;
  std::size_t invoked = 0;
  for (const auto& [position, operation] : returns_) {
    for (; invoked < operations_.size() && operations_[invoked].invoked <= position; ++invoked) {
      if (!places_[invoked].optional) ++under_way;
    }
    count += under_way--;
  }
  return count;
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
      invoke_optional(operation);
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

/// The passing ones stay in order of their end.
template <Specification Spec>
void LinearizabilitySearch<Spec>::invoke_optional(std::uint32_t operation) {
  if (free_optional_slots_.empty()) free_optional_slots_.push_back(optional_slot_count_++);
  places_[operation].bit = free_optional_slots_.back();
  free_optional_slots_.pop_back();
  if (operations_[operation].useful_until == never_returns) {
    optional_.push_back(operation);
    return;
  }
  const auto ends_sooner = [this](std::uint32_t one, std::uint32_t other) {
    return operations_[one].useful_until < operations_[other].useful_until;
  };
  passing_.insert(std::upper_bound(passing_.begin(), passing_.end(), operation, ends_sooner),
                  operation);
}

/// What is of no use from the return at `position` on gives its bit back.
template <Specification Spec>
void LinearizabilitySearch<Spec>::expire_until(std::uint64_t position) {
  std::size_t count = 0;
  while (count < passing_.size() && operations_[passing_[count]].useful_until < position) {
    free_optional_slots_.push_back(places_[passing_[count]].bit);
    expired_.push_back(passing_[count++]);
  }
  passing_.erase(passing_.begin(), passing_.begin() + static_cast<std::ptrdiff_t>(count));
}

/// Optional ones with equal inputs, and so the same end, are chained in order of invocation.
template <Specification Spec>
void LinearizabilitySearch<Spec>::find_twins() {
  if constexpr (InterchangeableByInput<Spec>) {
    struct Class {
      std::uint32_t number = none;
      std::uint32_t last_optional = none;
    };
    std::map<Input, Class> classes;
    for (std::uint32_t index = 0; index < operations_.size(); ++index) {
      Class& same = classes[operations_[index].input];
      if (same.number == none) same.number = static_cast<std::uint32_t>(classes.size());
      places_[index].input_class = same.number;
      if (!places_[index].optional) continue;
      places_[index].twin = same.last_optional;
      same.last_optional = index;
    }
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
  candidates_.insert(candidates_.end(), passing_.begin(), passing_.end());
  stage.passing_end = static_cast<std::uint32_t>(candidates_.size());
  stage.optional_end = static_cast<std::uint32_t>(optional_.size());
  stage.expired_end = static_cast<std::uint32_t>(expired_.size());
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
  trail_ = nullptr;
  proposals_ = 0;
  looks_ = 0;
}

}  // namespace lockstep::checker
