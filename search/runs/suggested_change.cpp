#include "search/runs/suggested_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "checker/property.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/faults/strike_effects.h"
#include "model/lock/lock_package.h"
#include "scenario/options.h"
#include "scenario/revalidation.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "search/runs/likely_changes.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/tally.h"
#include "search/runs/untested.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {
namespace {

using scenario::ClientSpec;
using scenario::FaultKind;
using scenario::FaultSpec;
using scenario::Scenario;
using Clients = std::vector<ClientSpec>;

bool are_of_one_table(const ClientSpec& one, const ClientSpec& other) {
  return one.place.line != 0 && one.place.line == other.place.line &&
         one.place.file == other.place.file;
}

/// One behind the last that is of the same table.
std::size_t end_of_table(const Clients& clients, std::size_t from) {
  std::size_t end = from + 1;
  while (end < clients.size() && are_of_one_table(clients[from], clients[end])) ++end;
  return end;
}

/// "w", of w1. REQUIRES: it is the first of several.
std::string name_of_table(const ClientSpec& first) {
  return first.name.substr(0, first.name.size() - 1);
}

/// [[client]] with `count` stands for several clients: who changes the steps of one in the file
/// changes those of all, and the words say so: "# of w: …" where it was of w1.
void change_whole_table(const scenario::Scenario& scenario, LikelyChange& change) {
  const Clients& clients = scenario.clients;
  bool has_tables = false;
  for (std::size_t from = 0; from < clients.size(); from = end_of_table(clients, from)) {
    const std::size_t end = end_of_table(clients, from);
    if (end == from + 1) continue;
    has_tables = true;
    for (std::size_t i = from; i < end; ++i) {
      const std::string of_one = "# of " + clients[i].name + ": ";
      const std::size_t at = change.lines.find(of_one);
      if (at == std::string::npos) continue;
      change.lines.replace(at, of_one.size(), "# of " + name_of_table(clients[from]) + ": ");
    }
  }
  if (!has_tables) return;
  change.apply = [alone = std::move(change.apply)](scenario::Scenario& changed) {
    const Clients before = changed.clients;
    alone(changed);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (changed.clients[i].threads == before[i].threads) continue;
      const std::vector<scenario::ThreadSpec> threads = changed.clients[i].threads;
      for (std::size_t other = 0; other < before.size(); ++other) {
        if (are_of_one_table(before[i], before[other])) changed.clients[other].threads = threads;
      }
    }
  };
}

/// Which changes are made together.
using Chosen = std::uint32_t;
constexpr std::size_t changes_max = 26;
constexpr int together_max = 4;
using Properties = std::vector<checker::Property>;

/// Makes the runs, and remembers what they came to.
class ChangeTrials {
 public:
  ChangeTrials(const ScenarioOutcome& outcome, std::uint64_t first_seed, model::Engine& engine)
      : outcome_(outcome),
        engine_(engine),
        first_seed_(first_seed),
        asks_of_failover_(has_failover(outcome)) {
    changes_ = likely_changes(outcome, habits());
    for (LikelyChange& each : changes_) change_whole_table(*outcome.scenario, each);
    if (changes_.size() > changes_max) changes_.resize(changes_max);
    for (const PropertySummary& each : outcome.properties) {
      const bool is_answered = each.put_to_the_test + each.violated > 0;
      if (each.expected == Expected::holds && is_answered) kept_.push_back(each.property);
    }
  }

  [[nodiscard]] std::size_t count() const { return changes_.size(); }

  /// The lines that put all of these to the test, and all else that was; empty: none were found.
  std::string lines_for(const Properties& wanted) {
    return lines_for([&](Chosen chosen) { return tests(chosen, wanted) && keeps_others(chosen); });
  }

  /// With how many seeds the file as it is puts all of these to the test; none: not with so few.
  std::optional<std::uint64_t> seeds_for(const Properties& wanted) {
    constexpr std::uint64_t draws_max = 10;
    if (outcome_.runs >= draws_max || outcome_.scenario->open_faults) return std::nullopt;
    const Result tried = try_out(*outcome_.scenario, draws_max);
    return are_all_in(wanted, tried.tested) ? std::optional(draws_max) : std::nullopt;
  }

  /// Whatever becomes of the others.
  std::string lines_for(checker::Property property) {
    return lines_for([&](Chosen chosen) { return tests(chosen, {property}); });
  }

 private:
  struct Result {
    Properties tested;
    Properties answered;     ///< tested, or broken, by whatever
    bool is_broken = false;  ///< something that was to hold
  };
  static constexpr std::uint64_t seeds_max = 2;
  /// Bounds what a question costs: some tenths of a second of an ordinary scenario, some seconds of
  /// one whose sentinels talk for minutes.
  static constexpr std::uint64_t runs_max = 600;
  static constexpr std::uint64_t events_max = 8'000'000;

  /// Whether the file has a failover: who asks what one does is not answered by anything else.
  static bool has_failover(const ScenarioOutcome& outcome) {
    const Scenario& scenario = *outcome.scenario;
    return scenario.redis.replicas > 0 &&
           std::any_of(scenario.faults.begin(), scenario.faults.end(), [](const FaultSpec& each) {
             return each.kind == FaultKind::promote || ends_master(each);
           });
  }

  /// Waiting is put to the test by a master that took over with somebody's lock, too; all else only
  /// where it lacked that.
  [[nodiscard]] bool is_about_failover(const ScenarioOutcome& tried,
                                       checker::Property property) const {
    return !asks_of_failover_ ||
           std::any_of(tried.takeovers.begin(), tried.takeovers.end(),
                       [&](const TakeoverSummary& each) {
                         return (matters_to(property) == model::Mattered::to_waiters
                                     ? each.runs_held
                                     : each.runs_lacked) > 0;
                       });
  }

  LockHabits habits() {
    const std::unique_ptr<model::Simulation> simulation = engine_.prepare(*outcome_.scenario);
    const model::LockPackage& lock = simulation->lock();
    const auto option_ns = [&lock](const std::string& name) -> sim::DurationNs {
      const auto found = lock.options->find(name + "_ms");
      if (found == lock.options->end()) return 0;
      const auto* const milliseconds = std::get_if<std::int64_t>(&found->second);
      return milliseconds == nullptr ? 0 : *milliseconds * sim::millisecond_ns;
    };
    return {option_ns("timeout"), lock.contract.renews ? option_ns(lock.contract.own_lease) : 0};
  }

  /// How many faults of the file, and of those that it had, struck in no run.
  [[nodiscard]] std::int64_t idle_faults(const ScenarioOutcome& tried) const {
    const auto& probes = tried.probes;
    const auto end = probes.begin() + static_cast<std::ptrdiff_t>(outcome_.probes.size());
    return std::count_if(probes.begin(), end,
                         [](const ProbeSummary& each) { return each.runs_struck == 0; });
  }

  /// The fewest changes that will do, or one more where something breaks with that.
  template <typename WillDo>
  std::string lines_for(WillDo will_do) {
    std::optional<Chosen> found;
    for (int size = 1; size <= together_max && !found; ++size) found = first_of(size, will_do);
    if (!found) return {};
    if (!result_of(*found).is_broken && !corrects(*found)) {
      const auto breaks = [&](Chosen chosen) {
        return result_of(chosen).is_broken && will_do(chosen);
      };
      const int size = count(*found);
      std::optional<Chosen> breaking = first_of(size, breaks);
      if (!breaking) {
        breaking = first_of(
            size + 1, [&](Chosen chosen) { return (chosen & *found) == *found && breaks(chosen); });
      }
      if (breaking) found = breaking;
    }
    return lines_of(*found);
  }

  [[nodiscard]] bool corrects(Chosen chosen) const {
    bool corrects = false;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      corrects |= (chosen >> i & 1U) != 0 && changes_[i].is_correction;
    }
    return corrects;
  }

  static int count(Chosen chosen) { return static_cast<int>(std::bitset<32>(chosen).count()); }

  /// In the order of their changes: {0, 1}, {0, 2}, {1, 2}.
  template <typename Condition>
  std::optional<Chosen> first_of(int size, Condition condition) {
    std::vector<std::size_t> places;
    return first_of(size, 0, 0, condition);
  }

  template <typename Condition>
  std::optional<Chosen> first_of(int size, std::size_t from, Chosen chosen, Condition condition) {
    if (size == 0) return condition(chosen) ? std::optional(chosen) : std::nullopt;
    for (std::size_t i = from; i < changes_.size(); ++i) {
      if (excludes(chosen, i)) continue;
      const auto found = first_of(size - 1, i + 1, chosen | (Chosen{1} << i), condition);
      if (found) return found;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool excludes(Chosen chosen, std::size_t added) const {
    for (std::size_t i = 0; i < added; ++i) {
      if ((chosen >> i & 1U) != 0 && changes_[i].excludes(changes_[added])) return true;
    }
    return false;
  }

  bool tests(Chosen chosen, const Properties& wanted) {
    return are_all_in(wanted, result_of(chosen).tested);
  }

  /// Whether what the file puts to the test as it is still is.
  bool keeps_others(Chosen chosen) { return are_all_in(kept_, result_of(chosen).answered); }

  static bool are_all_in(const Properties& these, const Properties& those) {
    return std::all_of(these.begin(), these.end(), [&](checker::Property each) {
      return std::find(those.begin(), those.end(), each) != those.end();
    });
  }

  const Result& result_of(Chosen chosen) {
    const auto known = results_.find(chosen);
    if (known != results_.end()) return known->second;
    return results_.emplace(chosen, try_out(chosen)).first->second;
  }

  Result try_out(Chosen chosen) {
    if (runs_ >= runs_max || events_ >= events_max) return {};
    Scenario changed = *outcome_.scenario;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      if ((chosen >> i & 1U) != 0) changes_[i].apply(changed);
    }
    const std::optional<Scenario> valid = scenario::revalidated(changed);
    Result result = valid ? try_out(*valid, std::min(outcome_.runs, seeds_max)) : Result{};
    if (const Chosen during = without_what_comes_after(chosen); during != chosen) {
      keep_what_faults_test(result, during);
    }
    return result;
  }

  [[nodiscard]] Chosen without_what_comes_after(Chosen chosen) const {
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      if (changes_[i].is_after_faults) chosen &= ~(Chosen{1} << i);
    }
    return chosen;
  }

  /// Two who meet when all is over say nothing of whether the faults let two in: only of whether
  /// somebody who waits is served.
  void keep_what_faults_test(Result& result, Chosen during) {
    const Properties tested = during == 0 ? kept_ : result_of(during).tested;
    std::erase_if(result.tested, [&tested](checker::Property each) {
      return matters_to(each) != model::Mattered::to_waiters && !are_all_in({each}, tested);
    });
  }

  Result try_out(const Scenario& changed, std::uint64_t seeds) {
    Result result;
    const std::unique_ptr<model::Simulation> simulation = prepared(changed);
    if (simulation == nullptr) return result;
    ScenarioOutcome tried = empty_outcome(changed, simulation->judged());
    for (std::uint64_t i = 0; i < seeds; ++i) {
      sim::SeededChoices choices(first_seed_ + i);
      const model::RunResult& run = simulation->run(choices);
      ++runs_;
      events_ += run.event_count;
      add_run(tried, first_seed_ + i, run);
    }
    // Which breaks something without a fault that is to strike says nothing of the fault.
    const std::int64_t idle = idle_faults(tried);
    const bool none_struck =
        !outcome_.probes.empty() && idle == static_cast<std::int64_t>(outcome_.probes.size());
    if (none_struck || idle > idle_faults(outcome_)) return result;
    for (const PropertySummary& each : tried.properties) {
      const bool is_tested = each.put_to_the_test > 0 && tried.client_failures.runs == 0;
      if (is_tested && (is_about_failover(tried, each.property) || each.violated > 0)) {
        result.tested.push_back(each.property);
      }
      if (each.put_to_the_test + each.violated > 0) result.answered.push_back(each.property);
      result.is_broken |= each.expected == Expected::holds && each.violated > 0;
    }
    return result;
  }

  /// None: the lock does not offer what the change has it do.
  std::unique_ptr<model::Simulation> prepared(const Scenario& changed) {
    try {
      return engine_.prepare(changed);
    } catch (const scenario::InputError&) {
      return nullptr;
    }
  }

  /// What belongs into a table that is there comes first: below a new table it would be that one's.
  [[nodiscard]] std::string lines_of(Chosen chosen) const {
    std::string lines = count(chosen) > 1 ? "# together:" : "";
    for (const bool tables : {false, true}) {
      for (std::size_t i = 0; i < changes_.size(); ++i) {
        if ((chosen >> i & 1U) == 0 || changes_[i].is_table() != tables) continue;
        if (!lines.empty()) lines += tables ? "\n\n" : "\n";
        lines += changes_[i].lines;
      }
    }
    return lines;
  }

  const ScenarioOutcome& outcome_;
  model::Engine& engine_;
  std::uint64_t first_seed_;
  bool asks_of_failover_;
  std::vector<LikelyChange> changes_;
  Properties kept_;  ///< of what was to hold: what is answered
  std::map<Chosen, Result> results_;
  std::uint64_t runs_ = 0;
  std::uint64_t events_ = 0;
};

/// Where no lines do for all: pasted together they might do for none.
void name_what_they_are_for(std::vector<Untested>& untested) {
  std::map<std::string, std::string> names;  // by the lines
  for (const Untested& each : untested) {
    std::string& words = names[each.change];
    words += fmt::format("{}{}", words.empty() ? "" : ", ", checker::to_string(each.property));
  }
  for (Untested& each : untested) {
    if (each.change.empty()) continue;
    each.change = fmt::format("# for {} alone, in a copy of the file:\n{}", names.at(each.change),
                              each.change);
  }
}

// -- a longer horizon --

constexpr std::uint64_t seeds_tried_max = 2;
constexpr sim::DurationNs longest_horizon_ns = sim::DurationNs{24} * 3'600 * sim::second_ns;
/// Bounds what the question costs.
constexpr std::uint64_t events_tried_max = 4'000'000;

class HorizonTrials {
 public:
  explicit HorizonTrials(model::Engine& engine) : engine_(engine) {}

  /// How the run of that seed ends with this horizon; none: the file may not say so, or enough has
  /// been tried.
  std::optional<model::RunEnd> end_of(const Scenario& scenario, sim::DurationNs horizon_ns,
                                      std::uint64_t seed) {
    Scenario changed = scenario;
    changed.horizon_ns = horizon_ns;
    const std::optional<Scenario> valid = scenario::revalidated(changed);
    if (!valid || events_ >= events_tried_max) return std::nullopt;
    sim::SeededChoices choices(seed);
    const std::unique_ptr<model::Simulation> simulation = engine_.prepare(*valid);
    const model::RunResult& run = simulation->run(choices);
    events_ += run.event_count;
    return run.end;
  }

 private:
  model::Engine& engine_;
  std::uint64_t events_ = 0;
};

std::optional<std::uint64_t> a_seed_cut_off(const ScenarioOutcome& outcome,
                                            std::uint64_t first_seed, HorizonTrials& trials) {
  if (outcome.example.end == model::RunEnd::horizon) return outcome.example.seed;
  const Scenario& scenario = *outcome.scenario;
  for (std::uint64_t i = 0; i < std::min(outcome.runs, seeds_tried_max); ++i) {
    const auto end = trials.end_of(scenario, scenario.horizon_ns, first_seed + i);
    if (end == model::RunEnd::horizon) return first_seed + i;
  }
  return std::nullopt;
}

/// Fills in `later_horizon_ns` where the horizon ended runs that come to rest by then.
void suggest_later_end(ScenarioOutcome& outcome, std::uint64_t first_seed, model::Engine& engine) {
  const Scenario& scenario = *outcome.scenario;
  const bool is_asked = outcome.kind == OutcomeKind::unknown && outcome.runs_out_of_time > 0;
  if (!is_asked || has_program(scenario)) return;
  HorizonTrials trials(engine);
  const std::optional<std::uint64_t> seed = a_seed_cut_off(outcome, first_seed, trials);
  if (!seed) return;
  for (sim::DurationNs later_ns = 2 * scenario.horizon_ns; later_ns <= longest_horizon_ns;
       later_ns *= 2) {
    const std::optional<model::RunEnd> end = trials.end_of(scenario, later_ns, *seed);
    if (end == model::RunEnd::at_rest) outcome.later_horizon_ns = later_ns;
    if (end != model::RunEnd::horizon) return;
  }
}

}  // namespace

void suggest_changes(ScenarioOutcome& outcome, std::uint64_t first_seed, model::Engine& engine) {
  suggest_later_end(outcome, first_seed, engine);
  if (outcome.untested.empty() || has_program(*outcome.scenario)) return;
  ChangeTrials trials(outcome, first_seed, engine);
  Properties wanted;
  for (const Untested& each : outcome.untested) wanted.push_back(each.property);
  const std::string of_all = trials.lines_for(wanted);
  const std::optional<std::uint64_t> seeds =
      of_all.empty() ? trials.seeds_for(wanted) : std::nullopt;
  if (seeds) {
    for (Untested& each : outcome.untested) {
      each.why += fmt::format("; other draws put it to the test: --seeds {}", *seeds);
    }
    return;
  }
  for (Untested& each : outcome.untested) {
    each.change = of_all.empty() ? trials.lines_for(each.property) : of_all;
    if (!each.change.empty()) continue;
    each.why +=
        fmt::format("; none of the changes of the file that were tried ({}) puts it to the test",
                    trials.count());
  }
  if (of_all.empty()) name_what_they_are_for(outcome.untested);
}

}  // namespace lockstep::search
