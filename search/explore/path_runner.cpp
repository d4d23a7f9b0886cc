#include "search/explore/path_runner.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "checker/history.h"
#include "checker/observations.h"
#include "checker/verdict.h"
#include "checker/verdict_kind.h"
#include "sim/mixing.h"

namespace lockstep::search {
namespace {

constexpr std::uint64_t one_checked_of = 16;  // states that were foreseen, and runs for tokens
constexpr std::uint64_t other_tokens = 8;     // that are tried

/// What a run did, but for the names in it.
struct Deeds {
  explicit Deeds(const model::RunResult& result) {
    for (const checker::Operation& each : result.history->operations) {
      const checker::TimeNs ended = each.completed ? each.completed->at_ns : -1;
      operations.emplace_back(each.owner, each.kind, each.outcome, each.invoked.at_ns, ended);
    }
    for (const checker::HoldChange& each : result.observations->hold_changes) {
      holds.emplace_back(each.owner, each.at.at_ns, each.count_after);
    }
  }
  friend bool operator==(const Deeds&, const Deeds&) = default;

  std::vector<std::tuple<checker::NameId, checker::OperationKind, checker::Outcome, checker::TimeNs,
                         checker::TimeNs>>
      operations;
  std::vector<std::tuple<checker::NameId, checker::TimeNs, std::int64_t>> holds;
};

std::uint64_t hash_of(const Path& path) {
  std::uint64_t hash = 1;
  for (const Deviation& each : path) {
    hash = sim::mixed(hash, (std::uint64_t{each.decision} << 32U) | each.answer);
  }
  return hash;
}

std::vector<checker::Property> violated_in(const model::RunResult& result) {
  std::vector<checker::Property> violated;
  for (const checker::Verdict& verdict : *result.verdicts) {
    if (verdict.kind == checker::VerdictKind::violated) violated.push_back(verdict.property);
  }
  return violated;
}

/// In the order of the alphabet; empty: there is none.
std::string first_of(const std::vector<std::string>& failures) {
  return failures.empty() ? std::string() : *std::min_element(failures.begin(), failures.end());
}

std::uint64_t put_to_the_test_in(const model::RunResult& result) {
  std::uint64_t bits = 0;
  for (const checker::Verdict& verdict : *result.verdicts) {
    if (verdict.put_to_the_test) bits |= bit_of(verdict.property);
  }
  return bits;
}

/// The state after so many faults.
model::StateDigest key_of(const PathState& state, std::uint32_t faults) {
  return {sim::mixed(state.digest.high, faults), sim::mixed(state.digest.low, faults)};
}

/// A moment that no file asks for would make the same situation another state each time.
scenario::Scenario without_usual_heal(const scenario::Scenario& scenario) {
  scenario::Scenario changed = scenario;
  if (changed.open_faults && changed.heal_at_ns == scenario::open_faults_heal_ns) {
    changed.heal_at_ns.reset();
  }
  return changed;
}

}  // namespace

scenario::Scenario without_open_faults(const scenario::Scenario& scenario) {
  scenario::Scenario closed = without_usual_heal(scenario);
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

PathRunner::PathRunner(const scenario::Scenario& scenario, const ExploreBounds& bounds,
                       model::Engine& engine)
    : scenario_(scenario),
      bounds_(bounds),
      simulation_(engine.prepare(without_usual_heal(scenario), model::OpenFaultsBy::listener)),
      symmetric_pairs_(search::symmetric_pairs(scenario)),
      choices_(bounds),
      symmetry_(symmetric_pairs_) {
  choices_.reset({});
  menu_.emplace(scenario, simulation_->run(choices_).longest_lease_ns);
  if (!menu_->entries().empty()) {
    const scenario::OpenFaults& open = *scenario.open_faults;
    faults_max_ = std::min(bounds.faults_max.value_or(open.at_most), open.at_most);
    limits_kinds_ = open.at_most_of != scenario::OpenFaults::unlimited();
  }
}

void PathRunner::start(const Path& path, const DigestSet* visited) {
  visited_ = visited;
  record_ = {};
  faults_struck_ = 0;
  struck_of_.fill(0);
  decisions_looked_at_ = SIZE_MAX;
  first_own_ = path.empty() ? 0 : path.back().decision + 1;
  instant_begin_ = 0;
  may_switch_to_sibling_ = false;
  foreseen_.reset();
  steps_max_ = UINT32_MAX;
  was_stopped_ = false;
  symmetry_.close();
  answers_.clear();
  choices_.reset(path);
}

const model::RunResult& PathRunner::make_run() {
  simulation_->set_step_listener(this);
  const model::RunResult& result = simulation_->run(choices_);
  simulation_->set_step_listener(nullptr);
  return result;
}

PathRecord PathRunner::run(const PathJob& path_job, const DigestSet& visited) {
  start(path_job.path, bounds_.merging == Merging::states ? &visited : nullptr);
  foreseen_ = path_job.foreseen;
  if (path_job.reduces_symmetry) symmetry_.begin_run();
  may_switch_to_sibling_ = path_job.may_switch_to_sibling;
  const model::RunResult& result = make_run();
  record_.decisions.assign(choices_.decisions().begin(), choices_.decisions().end());
  record_.end = result.end;
  record_.violated = violated_in(result);
  record_.put_to_the_test = put_to_the_test_in(result);
  record_.breaks_symmetry = result.are_clients_distinguishable;
  record_.client_failure = first_of(result.client_failures);
  record_.script_failure = first_of(result.script_failures);
  PathRecord made = std::move(record_);
  const bool is_in_doubt = path_job.reduces_symmetry && !made.breaks_symmetry;
  if (is_in_doubt) made.breaks_symmetry = depends_on_tokens(made, result, path_job.path);
  return made;
}

/// Exchanging the names of two clients exchanges their tokens, too, and no run has them exchanged:
/// so nothing may depend on which is the less, or where a table has them. One run of some is made
/// again with other tokens, and the first with several.
bool PathRunner::depends_on_tokens(const PathRecord& made, const model::RunResult& result,
                                   const Path& path) {
  const std::uint64_t hash = hash_of(path);
  if (symmetric_pairs_.empty() || (!path.empty() && hash % one_checked_of != 0)) return false;
  const Deeds deeds(result);
  const bool was_stopped = was_stopped_;
  Path whole;
  for (std::uint32_t i = 0; i < made.decisions.size(); ++i) {
    if (made.decisions[i].answer > 0) whole.push_back({i, made.decisions[i].answer});
  }
  const std::uint64_t first = path.empty() ? 0 : hash / one_checked_of % other_tokens;
  const std::uint64_t count = path.empty() ? other_tokens : 1;
  for (std::uint64_t i = first; i < first + count; ++i) {
    start(whole, nullptr);
    steps_max_ = was_stopped ? made.steps : UINT32_MAX;
    choices_.reset_with_tokens(whole, i + 2);
    const model::RunResult& other = make_run();
    const bool is_the_same = record_.steps == made.steps && Deeds(other) == deeds &&
                             std::equal(made.decisions.begin(), made.decisions.end(),
                                        choices_.decisions().begin(), choices_.decisions().end());
    if (!is_the_same) return true;
  }
  return false;
}

PathRunner::Finding PathRunner::run_to_end(const Path& path) {
  start(path, nullptr);
  const model::RunResult& result = make_run();
  return {*result.faults, choices_.record(), violated_in(result)};
}

model::StepListener::Next PathRunner::before_step() {
  if (record_.steps++ == 0) choices_.begin_steps();
  if (record_.steps == steps_max_) return Next::end_run;
  const model::NextStep step = simulation_->next_step();
  if (faults_struck_ < faults_max_) find_offered(step);
  const bool is_place = !bounds_.looks_ahead() || step.is_first_of_instant;
  if (step.is_first_of_instant) observe_symmetry();
  if (is_place && visited_ != nullptr && choices_.is_past_path() && look() == Next::end_run) {
    was_stopped_ = true;
    return Next::end_run;
  }
  if (step.is_first_of_instant) advance_symmetry();
  if (step.is_first_of_instant) instant_begin_ = choices_.decisions().size();
  if (faults_struck_ < faults_max_) strike_faults(simulation_->next_step());
  return Next::go_on;
}

/// An instant is over: what was decided in it tells the alike apart, or does not.
void PathRunner::observe_symmetry() {
  if (!symmetry_.is_open()) return;
  const auto instant = choices_.decisions().subspan(instant_begin_);
  symmetry_.look_at(instant);
  answers_.clear();
  for (const Decision& each : instant) answers_.push_back(each.answer);
}

void PathRunner::advance_symmetry() {
  if (symmetry_.is_open()) symmetry_.pass(answers_);
}

bool PathRunner::needs_inspection() const {
  return choices_.decisions().size() != decisions_looked_at_ ||
         (faults_struck_ < faults_max_ && !offered_.empty());
}

/// Notes the state, where there is a reason to look at it, and what the instant could have led to
/// instead.
model::StepListener::Next PathRunner::look() {
  if (!needs_inspection()) return Next::go_on;
  decisions_looked_at_ = choices_.decisions().size();
  PathState state;
  state.digest = foreseen_ ? *foreseen_ : key_of_state();
  state.faults = faults_struck_;
  state.decisions = static_cast<std::uint32_t>(decisions_looked_at_);
  state.steps = record_.steps - 1;
  record_.states.push_back(state);
  const bool is_known = is_reached(*visited_, state, bounds_);
  const bool is_ahead = look_ahead();
  if (!is_known) return Next::go_on;
  return is_ahead && may_switch_to_sibling_ && switch_to_sibling() ? Next::go_on : Next::end_run;
}

/// False where there is nothing to look at, or it takes a run to know it.
bool PathRunner::look_ahead() {
  if (!bounds_.looks_ahead()) return false;
  PathState& state = record_.states.back();
  state.first_own = static_cast<std::uint32_t>(std::max(instant_begin_, first_own_));
  if (foreseen_) {
    if (state.digest.low % one_checked_of == 0 && key_of_state() != state.digest) {
      throw std::logic_error("a run came to another state than was foreseen");
    }
    foreseen_.reset();
    return false;
  }
  const DelayAnswers answers(choices_.decisions(), state.first_own, state.decisions);
  if (!can_look_ahead(answers)) return false;
  const std::uint32_t combinations = answers.combinations();
  const std::uint32_t spare =
      bounds_.deviations_max ? *bounds_.deviations_max - deviations_of_path() : UINT32_MAX;
  for (std::uint32_t combination = 1; combination < combinations; ++combination) {
    if (answers.deviations_of(combination) > spare) continue;
    if (symmetry_.is_open()) {
      answer_here(answers, combination);
      if (!symmetry_.is_canonical(answers_)) continue;
    }
    answer(answers, combination);
    record_.siblings.push_back({combination, key_of_state()});
    ++state.siblings;
  }
  state.was_looked_ahead = combinations > 1;
  if (combinations > 1) answer_here(answers, 0);
  if (state.siblings > 0) answer(answers, 0);
  return state.siblings > 0;
}

/// Whether all that was decided in this instant is delays that can be answered again.
bool PathRunner::can_look_ahead(const DelayAnswers& answers) {
  if (simulation_->is_unmergeable() || !answers.are_few_delays()) return false;
  std::optional<std::vector<sim::Latency>> ranges = simulation_->delays_of_instant();
  if (!ranges) return false;
  const auto decisions = choices_.decisions().subspan(instant_begin_);
  const auto delays = std::count_if(decisions.begin(), decisions.end(), [](const Decision& each) {
    return each.kind == DecisionKind::delay;
  });
  if (static_cast<std::size_t>(delays) != ranges->size()) return false;
  ranges_ = std::move(*ranges);
  return true;
}

/// What this combination answers to the instant's decisions.
void PathRunner::answer_here(const DelayAnswers& answers, std::uint32_t combination) {
  answers_.clear();
  for (const Decision& each : choices_.decisions().subspan(instant_begin_)) {
    answers_.push_back(each.answer);
  }
  answers.visit(combination, [&](std::uint32_t decision, std::uint32_t answer) {
    answers_[decision - instant_begin_] = answer;
  });
}

/// Makes the state the one that this combination leads to.
void PathRunner::answer(const DelayAnswers& answers, std::uint32_t combination) {
  answer_here(answers, combination);
  const std::span<const Decision> decisions = choices_.decisions();
  delays_.clear();
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    const Decision& decision = decisions[instant_begin_ + i];
    if (decision.kind != DecisionKind::delay) continue;
    const sim::Latency range = ranges_[delays_.size()];
    const auto count = static_cast<std::uint64_t>(range.delay_ns_max - range.delay_ns_min) + 1;
    delays_.push_back(range.delay_ns_min + static_cast<sim::DurationNs>(BoundedChoices::value_of(
                                               answers_[i], decision.alternatives, count)));
  }
  simulation_->replace_drawn_delays(delays_);
}

/// As the first of them that was not reached; false where there is none.
bool PathRunner::switch_to_sibling() {
  PathState& state = record_.states.back();
  const std::size_t first = record_.siblings.size() - state.siblings;
  for (std::size_t i = first; i < record_.siblings.size(); ++i) {
    PathState sibling = state;
    sibling.digest = record_.siblings[i].digest;
    if (is_reached(*visited_, sibling, bounds_)) continue;
    const std::uint32_t combination = record_.siblings[i].combination;
    const DelayAnswers answers(choices_.decisions(), state.first_own, state.decisions);
    answer(answers, combination);
    answers.visit(combination, [this](std::uint32_t decision, std::uint32_t answer) {
      choices_.override_answer(decision, answer);
    });
    state.continued_as = combination;
    if (faults_struck_ < faults_max_) find_offered(simulation_->next_step());
    return true;
  }
  return false;
}

std::uint32_t PathRunner::deviations_of_path() const {
  std::uint32_t deviations = 0;
  for (const Decision& each : choices_.decisions()) {
    if (each.kind != DecisionKind::fault && each.answer > 0) ++deviations;
  }
  return deviations;
}

/// The state, with what is left of the budgets of single kinds, and which clients are alike still.
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
  if (symmetry_.is_open()) {
    if (const ClientSymmetry::Pairs open = symmetry_.open_after(answers_); open != 0) add(open);
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
  for (const scenario::ClientSpec& client : scenario_.clients) {
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
