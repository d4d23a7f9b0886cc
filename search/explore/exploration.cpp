#include "search/explore/exploration.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "checker/property.h"

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
    case checker::Property::lease_linearizability:
    case checker::Property::hold_count:
    case checker::Property::no_leak:
    case checker::Property::fencing:
    case checker::Property::fifo:
    case checker::Property::permits:
    case checker::Property::latch:
    case checker::Property::no_deadlock:
    case checker::Property::no_lost_wakeup:
    case checker::Property::no_starvation:
    case checker::Property::truthful_answers:
      return false;
  }
  return false;
}

Exploration::Exploration(const scenario::Scenario& scenario, Plan plan,
                         std::span<const checker::Property> judged)
    : plan_(plan) {
  for (const checker::Property property : judged) {
    const bool is_decided = plan.bounds.merging == Merging::none || is_decided_by_states(property);
    if (!is_decided) continue;
    if (is_one_of_these(scenario.expect.holds, property)) to_hold_.push_back(property);
    if (is_one_of_these(scenario.expect.violates, property)) to_break_.push_back(property);
  }
  // Who expects something to break wants the least that does it, and a bound on deviations is kept
  // by counting them.
  const bool goes_far = plan.bounds.looks_ahead() && !plan.bounds.deviations_max &&
                        to_break_.empty() && plan.after_finding == Plan::AfterFinding::stop;
  reduces_symmetry_ = plan.bounds.looks_ahead();
  begin(goes_far ? Order::depth_first : Order::cheapest_first);
}

void Exploration::begin(Order order) {
  order_ = order;
  ++restarts_;
  cost_ = {};
  nodes_.assign(1, {});
  frontier_.clear();
  frontier_[{}].paths.push_back({});
  visited_ = {};
  counts_ = {};
  found_.clear();
  put_to_the_test_ = 0;
  first_failure_.clear();
  first_script_failure_.clear();
  is_enough_ = false;
}

Path Exploration::path_of(std::uint32_t node) const {
  Path path;
  for (; nodes_[node].answer > 0; node = nodes_[node].parent) {
    path.push_back({nodes_[node].decision, nodes_[node].answer});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<PathJob> Exploration::next_path_jobs(std::size_t most) {
  assert(in_progress_.empty());
  std::vector<PathJob> path_jobs;
  while (path_jobs.empty() && !is_over()) {
    auto& [cost, layer] = *frontier_.begin();
    cost_ = cost;
    while (path_jobs.size() < most && layer.next < layer.paths.size()) {
      const QueuedPath path = layer.paths[layer.next++];
      if (was_superseded(path, cost.faults)) {
        ++counts_.foreseen;
        continue;
      }
      in_progress_.push_back(path);
      PathJob& path_job = path_jobs.emplace_back();
      path_job.path = path_of(path.node);
      if (path.is_foreseen) path_job.foreseen = path.state;
      path_job.may_switch_to_sibling = order_ == Order::depth_first;
      path_job.reduces_symmetry = reduces_symmetry_;
    }
    if (path_jobs.empty()) frontier_.erase(frontier_.begin());
  }
  return path_jobs;
}

/// Whether the state at the path's end is known and was reached.
bool Exploration::was_superseded(const QueuedPath& path, std::uint32_t faults) const {
  PathState state;
  state.digest = path.state;
  state.faults = faults;
  return path.is_foreseen && is_reached(visited_, state, plan_.bounds);
}

void Exploration::add(std::span<const PathRecord> records) {
  assert(records.size() == in_progress_.size());
  if (records.empty()) return;
  const std::uint32_t beginnings = restarts_;
  for (std::size_t i = 0; i < records.size() && !is_enough_; ++i) {
    add_run(in_progress_[i], records[i]);
    if (restarts_ != beginnings) break;
  }
  in_progress_.clear();
  if (restarts_ != beginnings) return;
  const auto layer = frontier_.find(cost_);
  if (layer->second.next == layer->second.paths.size()) frontier_.erase(layer);
}

void Exploration::add_run(const QueuedPath& path, const PathRecord& record) {
  if (was_superseded(path, cost_.faults)) {
    ++counts_.foreseen;  // an earlier one of its wave has
    return;
  }
  if (record.breaks_symmetry && reduces_symmetry_) {
    reduces_symmetry_ = false;
    return begin(order_);
  }
  ++counts_.runs;
  if (first_failure_.empty()) first_failure_ = record.client_failure;
  if (first_script_failure_.empty()) first_script_failure_ = record.script_failure;
  put_to_the_test_ |= record.put_to_the_test;
  const Node& node = nodes_[path.node];
  Extent extent{path.node, node.answer > 0 ? node.decision + 1 : 0, cost_.faults,
                cost_.interventions - cost_.faults};
  std::size_t siblings = 0;
  bool is_its_own = true;
  for (std::size_t i = 0; i < record.states.size(); ++i) {
    const PathState& state = record.states[i];
    if (i == 0 && path.is_foreseen) {
      extent.first = state.decisions;
    } else if (is_its_own) {
      ++counts_.transitions;
    }
    is_its_own = take_state(record, state, siblings, is_its_own, extent);
    siblings += state.siblings;
    if (!is_its_own) continue;
    counts_.steps_max = std::max(counts_.steps_max, state.steps);
    counts_.decisions_max = std::max(counts_.decisions_max, state.decisions);
  }
  if (is_its_own) {
    note_end(record);
    branch(record, static_cast<std::uint32_t>(record.decisions.size()), extent);
    counts_.steps_max = std::max(counts_.steps_max, record.steps);
    counts_.decisions_max =
        std::max(counts_.decisions_max, static_cast<std::uint32_t>(record.decisions.size()));
  } else {
    ++counts_.merged;
  }
  note_violations(path.node, record);
}

/// Takes in a state of a run and, where the way to it is the run's own, everything that could have
/// come of the instant before it. Whether what comes next is the run's own; otherwise somebody else
/// has gone on from there.
bool Exploration::take_state(const PathRecord& record, const PathState& state,
                             std::size_t first_sibling, bool is_its_own, Extent& extent) {
  const bool is_new = !is_reached(visited_, state, plan_.bounds);
  if (is_new) reach(visited_, state);
  if (is_its_own && state.was_looked_ahead) {
    branch_ahead(record, state, first_sibling, extent);
  } else if (is_its_own) {
    branch(record, state.decisions, extent);
  }
  extent.first = state.decisions;
  if (state.continued_as == 0) return is_new;
  extent.node = add_nodes(record, state, state.continued_as, extent.node);
  PathState other = state;
  const auto sibling = std::find_if(
      record.siblings.begin() + static_cast<std::ptrdiff_t>(first_sibling), record.siblings.end(),
      [&](const Sibling& each) { return each.combination == state.continued_as; });
  assert(sibling != record.siblings.end());
  other.digest = sibling->digest;
  if (is_reached(visited_, other, plan_.bounds)) return false;
  reach(visited_, other);
  return true;
}

void Exploration::note_end(const PathRecord& record) {
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
}

/// Every other answer to the decisions until then is a path of its own.
void Exploration::branch(const PathRecord& record, std::uint32_t end, Extent& extent) {
  for (; extent.first < end; ++extent.first) {
    const Decision& decision = record.decisions[extent.first];
    const bool is_fault = decision.kind == DecisionKind::fault;
    for (std::uint32_t answer = 1; answer < decision.alternatives; ++answer) {
      enqueue({add_node(extent.node, extent.first, answer), false, {}},
              extent.faults + (is_fault ? 1 : 0), extent.deviations + (is_fault ? 0 : 1));
    }
  }
}

/// The same for an instant whose other outcomes are known: the faults before it, and each
/// combination of delays.
void Exploration::branch_ahead(const PathRecord& record, const PathState& state,
                               std::size_t first_sibling, const Extent& extent) {
  for (std::uint32_t i = state.first_own; i < state.decisions; ++i) {
    if (record.decisions[i].kind != DecisionKind::fault) continue;
    Extent only = extent;
    only.first = i;
    branch(record, i + 1, only);
  }
  const DelayAnswers answers(record.decisions, state.first_own, state.decisions);
  for (std::uint32_t i = 0; i < state.siblings; ++i) {
    const auto& [combination, digest] = record.siblings[first_sibling + i];
    const std::uint32_t deviations = extent.deviations + answers.deviations_of(combination);
    assert(deviations <= plan_.bounds.deviations_max.value_or(UINT32_MAX));
    ++counts_.transitions;
    if (combination == state.continued_as) continue;
    PathState sibling = state;
    sibling.digest = digest;
    if (is_reached(visited_, sibling, plan_.bounds)) {
      ++counts_.foreseen;
      continue;
    }
    enqueue({add_nodes(record, state, combination, extent.node), true, sibling.digest},
            extent.faults, deviations);
  }
}

void Exploration::enqueue(QueuedPath path, std::uint32_t faults, std::uint32_t deviations) {
  if (deviations > plan_.bounds.deviations_max.value_or(UINT32_MAX)) return;
  const std::uint32_t others = order_ == Order::depth_first ? 0 : deviations;
  frontier_[{faults + others, faults}].paths.push_back(path);
}

std::uint32_t Exploration::add_node(std::uint32_t parent, std::uint32_t decision,
                                    std::uint32_t answer) {
  if (nodes_.size() == UINT32_MAX) throw std::length_error("too many paths to number");
  nodes_.push_back({parent, decision, answer});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

/// One for each deviation; the last.
std::uint32_t Exploration::add_nodes(const PathRecord& record, const PathState& state,
                                     std::uint32_t combination, std::uint32_t parent) {
  const DelayAnswers answers(record.decisions, state.first_own, state.decisions);
  answers.visit(combination, [&](std::uint32_t decision, std::uint32_t answer) {
    parent = add_node(parent, decision, answer);
  });
  return parent;
}

void Exploration::note_violations(std::uint32_t node, const PathRecord& record) {
  for (const checker::Property property : record.violated) {
    const bool is_decided = plan_.bounds.merging == Merging::none || is_decided_by_states(property);
    const bool is_known =
        std::any_of(found_.begin(), found_.end(),
                    [property](const Counterexample& each) { return each.property == property; });
    if (!is_decided || is_known) continue;
    if (order_ == Order::depth_first) return begin(Order::cheapest_first);
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
  std::size_t left = in_progress_.size();
  for (const auto& [cost, layer] : frontier_) left += layer.paths.size() - layer.next;
  return left;
}

std::size_t Exploration::bytes() const {
  std::size_t bytes = visited_.bytes() + nodes_.capacity() * sizeof(Node);
  for (const auto& [cost, layer] : frontier_) {
    bytes += layer.paths.capacity() * sizeof(QueuedPath);
  }
  return bytes;
}

}  // namespace lockstep::search
