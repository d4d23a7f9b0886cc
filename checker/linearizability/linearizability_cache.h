// Part of linearizability.h: the configurations visited, and whether one of them covers a new one.
#pragma once

#include "checker/linearizability/linearizability.h"

namespace lockstep::checker {

/// Over all that must be equal where one covers the other: not the optional operations placed.
template <Specification Spec>
std::uint64_t LinearizabilitySearch<Spec>::hash_of_proposal(const Spec& specification) const {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
  std::uint64_t hash = (specification.hash(proposal_state_) * odd ^ proposal_stage_) * odd;
  for (std::size_t word = 0; word < slot_word_count_; ++word) {
    hash = (hash ^ hash >> 29U ^ proposal_words_[word]) * odd;
  }
  return hash ^ hash >> 32U;
}

template <Specification Spec>
bool LinearizabilitySearch<Spec>::is_covered(const Spec& specification, std::uint64_t hash) {
  const Input& next = input(stages_[proposal_stage_].returning);
  for (std::uint32_t index = buckets_[hash & (buckets_.size() - 1)]; index != none;) {
    const Configuration& visited = configurations_[index];
    ++looks_;
    if (visited.hash == hash && visited.stage == proposal_stage_ && covers_words(index) &&
        specification.covers(visited.state, proposal_state_, next)) {
      return true;
    }
    index = visited.next_in_bucket;
  }
  return false;
}

/// The same operations under way are placed, and no optional one that the proposal didn't use.
template <Specification Spec>
bool LinearizabilitySearch<Spec>::covers_words(std::uint32_t configuration) {
  looks_ += word_count_;
  const std::uint64_t* words = words_of(configuration);
  for (std::size_t word = 0; word < slot_word_count_; ++word) {
    if (words[word] != proposal_words_[word]) return false;
  }
  for (std::size_t word = slot_word_count_; word < word_count_; ++word) {
    if ((words[word] & ~proposal_words_[word]) != 0) return false;
  }
  return true;
}

/// Adds the proposal; false where that would reserve more memory than allowed.
template <Specification Spec>
bool LinearizabilitySearch<Spec>::remember(std::uint64_t hash, std::uint64_t memory_bytes_max) {
  const std::size_t count = configurations_.size();
  if (count >= 1024 && (count & (count - 1)) == 0) {
    // Vectors double: this is what the next doubling will take at the most.
    const std::uint64_t bytes_each = sizeof(Configuration) + word_count_ * sizeof(std::uint64_t) +
                                     sizeof(std::uint32_t) + sizeof(Frame);
    if (bytes_laid_out() + 2 * count * bytes_each > memory_bytes_max) return false;
  }
  Configuration& added = configurations_.emplace_back();
  added.state = proposal_state_;
  added.stage = proposal_stage_;
  added.hash = hash;
  added.just_arrived = proposal_just_arrived_ ? 1 : 0;
  if (!stack_.empty()) {
    added.parent = stack_.back().configuration;
    added.tried = (stack_.back().tries - 1) & 0x7FFFFFFFU;
  }
  words_.insert(words_.end(), proposal_words_.begin(), proposal_words_.end());
  if (configurations_.size() > buckets_.size()) {
    rebuild_buckets(buckets_.size() * 2);
  } else {
    put_into_bucket(static_cast<std::uint32_t>(count));
  }
  furthest_ = std::max(furthest_, proposal_stage_);
  return true;
}

template <Specification Spec>
void LinearizabilitySearch<Spec>::put_into_bucket(std::uint32_t configuration) {
  Configuration& visited = configurations_[configuration];
  std::uint32_t& head = buckets_[visited.hash & (buckets_.size() - 1)];
  visited.next_in_bucket = head;
  head = configuration;
}

template <Specification Spec>
void LinearizabilitySearch<Spec>::rebuild_buckets(std::size_t count) {
  buckets_.assign(count, none);
  for (std::uint32_t index = 0; index < configurations_.size(); ++index) put_into_bucket(index);
}

}  // namespace lockstep::checker
