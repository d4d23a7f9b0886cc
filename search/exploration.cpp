#include "search/exploration.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace lockstep::search {
namespace {

bool is_one_of_these(const std::vector<checker::Property>& properties, checker::Property property) {
  return std::find(properties.begin(), properties.end(), property) != properties.end();
}

}  // namespace

bool is_decided_by_states(checker::Property property) {
  switch (property) {
    case checker::Property::mutual_exclusion:
    case checker::Property::valid_grant:
    case checker::Property::harm:
      return true;
    default:
      return false;
  }
}

Exploration::Exploration(const model::Scenario& scenario, Plan plan,
                         std::span<const checker::Property> judged)
    : plan_(plan) {
  for (const checker::Property property : judged) {
    const bool is_decided = plan.bounds.merging == Merging::none || is_decided_by_states(property);
    if (!is_decided) continue;
    if (is_one_of_these(scenario.expect.holds, property)) to_hold_.push_back(property);
    if (is_one_of_these(scenario.expect.violates, property)) to_break_.push_back(property);
  }
  nodes_.push_back({});
  frontier_[{}].nodes.push_back(0);
}

Path Exploration::path_of(std::uint32_t node) const {
  Path path;
  for (; nodes_[node].answer > 0; node = nodes_[node].parent) {
    path.push_back({nodes_[node].decision, nodes_[node].answer});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<Path> Exploration::next_paths(std::size_t most) {
  assert(given_.empty());
  std::vector<Path> paths;
  if (is_over()) return paths;
  auto& [cost, layer] = *frontier_.begin();
  cost_ = cost;
  for (; paths.size() < most && layer.next < layer.nodes.size(); ++layer.next) {
    given_.push_back(layer.nodes[layer.next]);
    paths.push_back(path_of(given_.back()));
  }
  return paths;
}

void Exploration::add(std::span<const PathRecord> records) {
  assert(records.size() == given_.size());
  for (std::size_t i = 0; i < records.size() && !is_enough_; ++i) add_run(given_[i], records[i]);
  given_.clear();
  const auto layer = frontier_.find(cost_);
  if (layer->second.next == layer->second.nodes.size()) frontier_.erase(layer);
}

void Exploration::add_run(std::uint32_t node, const PathRecord& record) {
  ++counts_.runs;
  const auto [decisions, steps] = cut(record);
  counts_.steps_max = std::max(counts_.steps_max, steps);
  counts_.decisions_max = std::max(counts_.decisions_max, decisions);
  if (first_failure_.empty()) first_failure_ = record.client_failure;
  branch(node, record, decisions);
  note_violations(node, record);
}

/// Takes in the states that are new, and says how much of the run is its own: what comes before the
/// first state that was reached before.
Exploration::Extent Exploration::cut(const PathRecord& record) {
  for (const PathState& state : record.states) {
    ++counts_.transitions;
    if (!is_reached(visited_, state, plan_.bounds)) {
      reach(visited_, state);
      continue;
    }
    ++counts_.merged;
    return {state.decisions, state.steps};
  }
  switch (record.end) {
    case model::RunEnd::at_rest:
      ++counts_.at_rest;
      break;
    case model::RunEnd::horizon:
      ++counts_.out_of_time;
      break;
    case model::RunEnd::event_limit:
      ++counts_.out_of_events;
      break;
    case model::RunEnd::stopped:
      throw std::logic_error("a run was stopped at a state that nobody had reached");
  }
  return {static_cast<std::uint32_t>(record.decisions.size()), record.steps};
}

void Exploration::branch(std::uint32_t node, const PathRecord& record, std::uint32_t decisions) {
  const Node from = nodes_[node];
  const std::uint32_t first = from.answer > 0 ? from.decision + 1 : 0;
  for (std::uint32_t i = first; i < decisions; ++i) {
    Cost cost = cost_;
    ++cost.interventions;
    if (record.decisions[i].kind == DecisionKind::fault) ++cost.faults;
    const std::uint32_t deviations = cost.interventions - cost.faults;
    if (deviations > plan_.bounds.deviations_max.value_or(UINT32_MAX)) continue;
    Layer& layer = frontier_[cost];
    for (std::uint32_t answer = 1; answer < record.decisions[i].alternatives; ++answer) {
      if (nodes_.size() == UINT32_MAX) throw std::length_error("too many paths to number");
      layer.nodes.push_back(static_cast<std::uint32_t>(nodes_.size()));
      nodes_.push_back({node, i, answer});
    }
  }
}

void Exploration::note_violations(std::uint32_t node, const PathRecord& record) {
  for (const checker::Property property : record.violated) {
    const bool is_decided = plan_.bounds.merging == Merging::none || is_decided_by_states(property);
    const bool is_known =
        std::any_of(found_.begin(), found_.end(),
                    [property](const Counterexample& each) { return each.property == property; });
    if (!is_decided || is_known) continue;
    found_.push_back(
        {property, path_of(node), cost_.faults, cost_.interventions - cost_.faults, counts_.runs});
  }
  if (plan_.after_finding == Plan::AfterFinding::stop) is_enough_ = is_enough();
}

bool Exploration::is_enough() const {
  const auto is_found = [this](checker::Property property) {
    return std::any_of(found_.begin(), found_.end(), [property](const Counterexample& each) {
      return each.property == property;
    });
  };
  if (std::any_of(to_hold_.begin(), to_hold_.end(), is_found)) return true;
  // What is to hold is to hold everywhere: that takes the whole search.
  return to_hold_.empty() && !to_break_.empty() &&
         std::all_of(to_break_.begin(), to_break_.end(), is_found);
}

std::size_t Exploration::paths_left() const {
  std::size_t left = given_.size();
  for (const auto& [cost, layer] : frontier_) left += layer.nodes.size() - layer.next;
  return left;
}

std::size_t Exploration::bytes() const {
  std::size_t bytes = visited_.bytes() + nodes_.capacity() * sizeof(Node);
  for (const auto& [cost, layer] : frontier_) {
    bytes += layer.nodes.capacity() * sizeof(std::uint32_t);
  }
  return bytes;
}

}  // namespace lockstep::search
