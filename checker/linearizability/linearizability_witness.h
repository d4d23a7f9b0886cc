// Part of linearizability.h: the order that a search found, or how far it came.
//
// A configuration knows which try of which other one led to it, so the order is told by trying the
// same once more, from the first. What observers do is found anew on the way.
#pragma once

#include "checker/linearizability/linearizability.h"

namespace lockstep::checker {

template <Specification Spec>
void LinearizabilitySearch<Spec>::append_witness(const Spec& specification,
                                                 std::vector<std::uint32_t>& order) {
  if (operations_.empty() || stages_.empty()) return;
  trail_ = &order;
  if (stack_.empty()) {
    replay(specification, none, 0);
  } else {
    replay(specification, stack_.back().configuration, stack_.back().tries - 1);
  }
  trail_ = nullptr;
}

template <Specification Spec>
void LinearizabilitySearch<Spec>::append_order(const Spec& specification, std::size_t visited,
                                               std::vector<std::uint32_t>& order) {
  trail_ = &order;
  replay(specification, configurations_[visited].parent, configurations_[visited].tried);
  trail_ = nullptr;
}

/// Leaves the proposal at what the parent's try led to; no parent: at the first configuration.
template <Specification Spec>
void LinearizabilitySearch<Spec>::replay(const Spec& specification, std::uint32_t parent,
                                         std::uint32_t tried) {
  std::vector<Frame> path;  // last first
  while (parent != none) {
    path.push_back({parent, tried});
    tried = configurations_[parent].tried;
    parent = configurations_[parent].parent;
  }
  proposal_stage_ = 0;
  proposal_state_ = specification.initial();
  std::fill(proposal_words_.begin(), proposal_words_.end(), 0);
  static_cast<void>(settle(specification));
  Successors successors;
  for (auto frame = path.rbegin(); frame != path.rend(); ++frame) {
    constexpr std::uint32_t tries_each = Spec::successors_max;
    const Stage& stage = stages_[configurations_[frame->configuration].stage];
    const std::uint32_t operation = operation_at(stage, frame->tries / tries_each);
    const State state = configurations_[frame->configuration].state;
    static_cast<void>(
        specification.successors(state, input(operation), input(stage.returning), successors));
    propose(*frame, operation, successors[frame->tries % tries_each]);
    trail_->push_back(operation);
    static_cast<void>(settle(specification));
  }
}

template <Specification Spec>
template <typename Visit>
void LinearizabilitySearch<Spec>::visit_missing(std::size_t visited, Visit visit) const {
  const auto configuration = static_cast<std::uint32_t>(visited);
  const Stage& stage = stages_[configurations_[configuration].stage];
  for (std::uint32_t index = stage.candidates_begin; index < stage.candidates_end; ++index) {
    if (!is_placed(words_of(configuration), candidates_[index])) visit(candidates_[index]);
  }
}

template <Specification Spec>
std::uint64_t LinearizabilitySearch<Spec>::memory_bytes() const {
  return bytes_laid_out() + configurations_.capacity() * sizeof(Configuration) +
         words_.capacity() * sizeof(words_[0]) + buckets_.capacity() * sizeof(buckets_[0]) +
         stack_.capacity() * sizeof(Frame);
}

}  // namespace lockstep::checker
