#include "search/path_runner.h"

#include <algorithm>
#include <utility>

#include "sim/mixing.h"

namespace lockstep::search {
namespace {

std::vector<checker::Property> violated_in(const model::RunResult& result) {
  std::vector<checker::Property> violated;
  for (const checker::Verdict& verdict : *result.verdicts) {
    if (verdict.kind == checker::VerdictKind::violated) violated.push_back(verdict.property);
  }
  return violated;
}

/// The state after so many faults.
model::StateDigest key_of(const PathState& state, std::uint32_t faults) {
  return {sim::mixed(state.digest.high, faults), sim::mixed(state.digest.low, faults)};
}

/// A moment that no file asks for would make the same situation another state each time.
model::Scenario without_usual_heal(const model::Scenario& scenario) {
  model::Scenario changed = scenario;
  if (changed.open_faults && changed.heal_at_ns == model::open_faults_heal_ns) {
    changed.heal_at_ns.reset();
  }
  return changed;
}

}  // namespace

model::Scenario without_open_faults(const model::Scenario& scenario) {
  model::Scenario closed = without_usual_heal(scenario);
  closed.open_faults.reset();
  return closed;
}

bool is_reached(const DigestSet& visited, const PathState& state, const ExploreBounds& bounds) {
  // Of the same cost in all, fewer faults are more of other deviations: where these are bounded,
  // fewer of them may be left.
  const std::uint32_t least = bounds.deviations_max ? state.faults : 0;
  for (std::uint32_t faults = state.faults + 1; faults > least; --faults) {
    if (visited.contains(key_of(state, faults - 1))) return true;
  }
  return false;
}

void reach(DigestSet& visited, const PathState& state) {
  visited.insert(key_of(state, state.faults));
}

PathRunner::PathRunner(const model::Scenario& scenario, const ExploreBounds& bounds,
                       model::Engine& engine)
    : scenario_(scenario),
      bounds_(bounds),
      simulation_(engine.prepare(without_usual_heal(scenario), model::OpenFaultsBy::listener)),
      choices_(bounds) {
  choices_.reset({});
  menu_.emplace(scenario, simulation_->run(choices_).longest_lease_ns);
  if (!menu_->entries().empty()) {
    const model::OpenFaults& open = *scenario.open_faults;
    faults_max_ = std::min(bounds.faults_max.value_or(open.at_most), open.at_most);
    limits_kinds_ = open.at_most_of != model::OpenFaults::unlimited();
  }
}

PathRecord PathRunner::run(const Path& path, const DigestSet& visited) {
  visited_ = bounds_.merging == Merging::states ? &visited : nullptr;
  record_ = {};
  faults_struck_ = 0;
  struck_of_.fill(0);
  decisions_looked_at_ = SIZE_MAX;
  choices_.reset(path);
  simulation_->set_step_listener(this);
  const model::RunResult& result = simulation_->run(choices_);
  simulation_->set_step_listener(nullptr);
  record_.decisions.assign(choices_.decisions().begin(), choices_.decisions().end());
  record_.end = result.end;
  record_.violated = violated_in(result);
  if (!result.client_failures.empty()) {
    record_.client_failure =
        *std::min_element(result.client_failures.begin(), result.client_failures.end());
  }
  return std::move(record_);
}

PathRunner::Finding PathRunner::run_to_end(const Path& path) {
  visited_ = nullptr;
  faults_struck_ = 0;
  struck_of_.fill(0);
  choices_.reset(path);
  simulation_->set_step_listener(this);
  const model::RunResult& result = simulation_->run(choices_);
  simulation_->set_step_listener(nullptr);
  return {*result.faults, choices_.record(), violated_in(result)};
}

model::StepListener::Next PathRunner::before_step() {
  if (record_.steps++ == 0) choices_.begin_steps();
  const bool may_strike = faults_struck_ < faults_max_;
  if (may_strike) find_offered(simulation_->next_step());
  if (visited_ != nullptr && choices_.is_past_path() && is_known_state()) return Next::end_run;
  if (may_strike) strike_faults(simulation_->next_step());
  return Next::go_on;
}

/// Notes the state, where there is a reason to look at it.
bool PathRunner::is_known_state() {
  const std::size_t decisions = choices_.decisions().size();
  if (decisions == decisions_looked_at_ && (faults_struck_ >= faults_max_ || offered_.empty())) {
    return false;
  }
  decisions_looked_at_ = decisions;
  record_.states.push_back(
      {key_of_state(), faults_struck_, static_cast<std::uint32_t>(decisions), record_.steps - 1});
  return is_reached(*visited_, record_.states.back(), bounds_);
}

/// The state, with what is left of the budgets of single kinds.
model::StateDigest PathRunner::key_of_state() {
  model::StateDigest key = simulation_->digest();
  const auto add = [&key](std::uint64_t number) {
    key = {sim::mixed(key.high, number), sim::mixed(key.low, ~number)};
  };
  if (limits_kinds_) {
    const auto& most = scenario_.open_faults->at_most_of;
    for (std::size_t i = 0; i < most.size(); ++i) {
      if (most[i] != UINT32_MAX) add(struck_of_[i]);
    }
  }
  return key;
}

void PathRunner::strike_faults(const model::NextStep& first) {
  model::NextStep step = first;
  while (faults_struck_ < faults_max_ && !offered_.empty()) {
    const auto alternatives = static_cast<std::uint32_t>(1 + offered_.size());
    const std::uint32_t answer = choices_.decide(DecisionKind::fault, alternatives);
    if (answer == 0) return;
    const FaultMenu::Entry& entry = menu_->entries()[offered_[answer - 1]];
    simulation_->strike(entry.fault);
    ++faults_struck_;
    ++struck_of_[static_cast<std::size_t>(entry.fault.kind)];
    if (faults_struck_ == faults_max_) return;
    // What struck may have planned something for this very instant, which comes after the step.
    step = simulation_->next_step();
    find_offered(step);
  }
}

void PathRunner::find_offered(const model::NextStep& step) {
  offered_.clear();
  if (!step.is_first_of_instant) return;
  // A file's fault of this instant would strike after such a start.
  for (const model::ClientSpec& client : scenario_.clients) {
    if (step.at > 0 && step.at == client.start_ns) return;
  }
  for (std::size_t i = 0; i < menu_->entries().size(); ++i) {
    if (may_strike(menu_->entries()[i], step.host)) offered_.push_back(i);
  }
}

bool PathRunner::may_strike(const FaultMenu::Entry& entry, std::string_view host) const {
  const auto kind = static_cast<std::size_t>(entry.fault.kind);
  if (struck_of_[kind] >= scenario_.open_faults->at_most_of[kind]) return false;
  const bool is_about =
      bounds_.places == FaultPlaces::every || entry.hosts.empty() ||
      std::find(entry.hosts.begin(), entry.hosts.end(), host) != entry.hosts.end();
  if (!is_about) return false;
  if (!entry.running.empty() && simulation_->is_down(entry.running)) return false;
  return entry.down.empty() || simulation_->is_down(entry.down);
}

}  // namespace lockstep::search
