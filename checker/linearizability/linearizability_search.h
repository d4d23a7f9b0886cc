// Part of linearizability.h: the depth-first walk.
#pragma once

#include "checker/linearizability/linearizability.h"

namespace lockstep::checker {

template <Specification Spec>
SearchResult LinearizabilitySearch<Spec>::run(const Spec& specification,
                                              std::span<const Operation> operations,
                                              const Limits& limits) {
  const bool fits = prepare(operations, limits);
  clear_search();
  if (stages_.empty()) return {};
  if (!fits) return {SearchEnd::out_of_memory, 0, stages_.front().returning};
  stages_end_ = static_cast<std::uint32_t>(stages_.size());
  look_until_ = never_returns;
  return walk(specification, limits);
}

template <Specification Spec>
SearchResult LinearizabilitySearch<Spec>::run_prefix(const Spec& specification,
                                                     const Limits& limits, std::size_t returns,
                                                     std::uint64_t look_until) {
  clear_search();
  stages_end_ = static_cast<std::uint32_t>(returns);
  look_until_ = look_until;
  return walk(specification, limits);
}

template <Specification Spec>
SearchResult LinearizabilitySearch<Spec>::walk(const Spec& specification, const Limits& limits) {
  const auto stuck = [this](SearchEnd end) {
    return SearchResult{end, steps(), stages_[furthest_].returning};
  };
  constexpr std::uint64_t steps_each = 1024;
  std::uint64_t next_question = steps_each;
  proposal_state_ = specification.initial();
  for (bool proposed = true;;) {
    if (proposed) {
      if (settle(specification)) return {SearchEnd::linearizable, steps(), 0};
      const bool leads_on = has_future(specification);
      const std::uint64_t hash = hash_of_proposal(specification);
      if (leads_on && !is_covered(specification, hash)) {
        if (!remember(hash, bytes_allowed(specification, limits)))
          return stuck(SearchEnd::out_of_memory);
        const auto newest = static_cast<std::uint32_t>(configurations_.size() - 1);
        stack_.push_back({newest});
      }
    }
    if (stack_.empty()) return stuck(SearchEnd::not_linearizable);
    if (steps() >= limits.steps_max) return stuck(SearchEnd::out_of_steps);
    if (steps() >= next_question && limits.is_over) {
      if (limits.is_over()) return stuck(SearchEnd::out_of_time);
      next_question = steps() + steps_each;
    }
    ++proposals_;
    proposed = propose_next(specification, stack_.back());
    if (!proposed) stack_.pop_back();
  }
}

/// Lets the specification look ahead.
template <Specification Spec>
bool LinearizabilitySearch<Spec>::has_future(const Spec& specification) {
  if constexpr (LooksAhead<Spec>) {
    const std::uint32_t next = stages_[proposal_stage_].returning;
    return specification.has_future(proposal_state_, operations_[next].returned, look_until_,
                                    [this](std::uint32_t operation) { return is_open(operation); });
  }
  return true;
}

/// Whether the proposal may still place the operation.
template <Specification Spec>
bool LinearizabilitySearch<Spec>::is_open(std::uint32_t operation) const {
  const std::uint64_t position = operations_[stages_[proposal_stage_].returning].returned;
  if (operations_[operation].invoked > position) return true;
  const Place& place = places_[operation];
  if (!place.optional && place.rank < proposal_stage_) return false;
  if (place.optional && operations_[operation].useful_until < position) return false;
  return !is_placed(proposal_words_.data(), operation);
}

/// Without what the specification itself keeps, if it says how much that is.
template <Specification Spec>
std::uint64_t LinearizabilitySearch<Spec>::bytes_allowed(const Spec& specification,
                                                         const Limits& limits) {
  if constexpr (requires { specification.memory_bytes(); }) {
    return limits.memory_bytes_max -
           std::min(limits.memory_bytes_max, specification.memory_bytes());
  }
  return limits.memory_bytes_max;
}

/// Proposes the frame's next child worth trying; false: there is none left.
template <Specification Spec>
bool LinearizabilitySearch<Spec>::propose_next(const Spec& specification, Frame& frame) {
  constexpr std::uint32_t tries_each = Spec::successors_max;
  const Configuration& parent = configurations_[frame.configuration];
  const std::uint64_t* words = words_of(frame.configuration);
  Stage& stage = stages_[parent.stage];
  const std::uint32_t definite_count = stage.candidates_end - stage.candidates_begin;
  const std::uint32_t listed_count = stage.passing_end - stage.candidates_begin;
  const std::uint32_t tries_end = (listed_count + stage.optional_end) * tries_each;
  Successors successors;
  while (frame.tries < tries_end) {
    const std::uint32_t index = frame.tries / tries_each;
    const std::uint32_t successor = frame.tries++ % tries_each;
    const bool optional = index >= definite_count;
    const std::uint32_t operation = operation_at(stage, index);
    ++looks_;
    const bool may_have_twin = optional || InterchangeableByInput<Spec>;
    const bool skip =
        is_placed(words, operation) || is_elsewhere(specification, stage, operation) ||
        (may_have_twin && another_stands_for(specification, stage, words, operation, index)) ||
        successor >= specification.successors(parent.state, input(operation),
                                              input(stage.returning), successors);
    if (skip) {
      frame.tries = (index + 1) * tries_each;
      continue;
    }
    propose(frame, operation, successors[successor]);
    return true;
  }
  return false;
}

/// Whether the operation is on another object than the one that returns here.
template <Specification Spec>
bool LinearizabilitySearch<Spec>::is_elsewhere(const Spec& specification, const Stage& stage,
                                               std::uint32_t operation) const {
  if constexpr (KnowsObjects<Spec>) {
    return !specification.same_object(input(operation), input(stage.returning));
  }
  return false;
}

/// What a frame's tries try: the definite operations under way, the passing ones, the others.
template <Specification Spec>
std::uint32_t LinearizabilitySearch<Spec>::operation_at(const Stage& stage,
                                                        std::uint32_t index) const {
  const std::uint32_t listed_count = stage.passing_end - stage.candidates_begin;
  return index < listed_count ? candidates_[stage.candidates_begin + index]
                              : optional_[index - listed_count];
}

template <Specification Spec>
void LinearizabilitySearch<Spec>::propose(const Frame& frame, std::uint32_t operation,
                                          const State& successor) {
  const std::uint64_t* words = words_of(frame.configuration);
  std::copy(words, words + word_count_, proposal_words_.begin());
  looks_ += word_count_;
  proposal_state_ = successor;
  proposal_stage_ = configurations_[frame.configuration].stage;
  proposal_just_arrived_ = false;
  place(operation);
}

template <Specification Spec>
void LinearizabilitySearch<Spec>::place(std::uint32_t operation) {
  const std::uint32_t bit = places_[operation].bit;
  proposal_words_[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

/// Passes every return whose operation is placed; true: that was the last one.
template <Specification Spec>
bool LinearizabilitySearch<Spec>::settle(const Spec& specification) {
  while (true) {
    place_observers(specification);
    const std::uint32_t returning = stages_[proposal_stage_].returning;
    if (!is_placed(proposal_words_.data(), returning)) return false;
    pass_return(returning);
    if (proposal_stage_ == stages_end_) return true;
  }
}

/// The bits of what has returned, and of what has lost its use, are given to others.
template <Specification Spec>
void LinearizabilitySearch<Spec>::pass_return(std::uint32_t returning) {
  const auto clear = [this](std::uint32_t operation) {
    const std::uint32_t bit = places_[operation].bit;
    proposal_words_[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
  };
  clear(returning);
  std::uint32_t expired = stages_[proposal_stage_].expired_end;
  proposal_just_arrived_ = true;
  if (++proposal_stage_ == stages_end_) return;
  while (expired < stages_[proposal_stage_].expired_end) clear(expired_[expired++]);
}

template <Specification Spec>
void LinearizabilitySearch<Spec>::place_observers(const Spec& specification) {
  const Stage& stage = stages_[proposal_stage_];
  looks_ += stage.candidates_end - stage.candidates_begin;
  for (std::uint32_t index = stage.candidates_begin; index < stage.candidates_end; ++index) {
    const std::uint32_t operation = candidates_[index];
    if (!specification.observes(proposal_state_, input(operation))) continue;
    if (trail_ != nullptr && !is_placed(proposal_words_.data(), operation)) {
      trail_->push_back(operation);
    }
    place(operation);
  }
}

/// Whether another operation is still there to be tried in this one's stead. `index`: as in
/// operation_at.
template <Specification Spec>
bool LinearizabilitySearch<Spec>::another_stands_for(const Spec& specification, Stage& stage,
                                                     const std::uint64_t* words,
                                                     std::uint32_t operation, std::uint32_t index) {
  if constexpr (InterchangeableByInput<Spec>) {
    return twin_stands_for(stage, words, operation);
  } else {
    const std::uint32_t listed_count = stage.passing_end - stage.candidates_begin;
    if (index < listed_count) return false;
    if (stage.twins_begin == none) lay_out_twins(specification, stage);
    const std::uint32_t* const twins = twins_.data() + stage.twins_begin;
    for (std::uint32_t at = twins[index - listed_count]; at != none; at = twins[at]) {
      ++looks_;
      if (!is_placed(words, optional_[at])) return true;
    }
    return false;
  }
}

/// O(n log n) for each stage that is looked at: of a thousand calls without an answer each is asked
/// about in each configuration. (Where two hashes are equal by chance a reduction is missed.)
template <Specification Spec>
void LinearizabilitySearch<Spec>::lay_out_twins(const Spec& specification, Stage& stage) {
  constexpr std::size_t twins_max = std::size_t{1} << 22U;
  if (twins_.size() + stage.optional_end > twins_max) {
    for (Stage& each : stages_) each.twins_begin = none;
    twins_.clear();
  }
  stage.twins_begin = static_cast<std::uint32_t>(twins_.size());
  looks_ += stage.optional_end;
  twins_.resize(twins_.size() + stage.optional_end, none);
  const Input& next = input(stage.returning);
  by_effect_.clear();
  for (std::uint32_t at = 0; at < stage.optional_end; ++at) {
    by_effect_.emplace_back(specification.hash_of_effect(input(optional_[at]), next), at);
  }
  std::sort(by_effect_.begin(), by_effect_.end());
  for (std::size_t i = 1; i < by_effect_.size(); ++i) {
    const auto& [before_hash, before] = by_effect_[i - 1];
    const auto& [hash, at] = by_effect_[i];
    const bool is_twin =
        hash == before_hash &&
        specification.interchangeable(input(optional_[before]), input(optional_[at]), next);
    if (is_twin) twins_[stage.twins_begin + at] = before;
  }
}

/// Of interchangeable ones the definite come first, and of these the one that returns soonest.
template <Specification Spec>
bool LinearizabilitySearch<Spec>::twin_stands_for(const Stage& stage, const std::uint64_t* words,
                                                  std::uint32_t operation) {
  const Place& place = places_[operation];
  for (std::uint32_t index = stage.candidates_begin; index < stage.candidates_end; ++index) {
    const std::uint32_t sooner = candidates_[index];
    ++looks_;
    if (sooner == operation) return false;
    if (places_[sooner].input_class == place.input_class && !is_placed(words, sooner)) return true;
  }
  return place.twin != none && !is_placed(words, place.twin);
}

}  // namespace lockstep::checker
