#include "search/runs/needed_faults.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "scenario/scenario.h"
#include "search/runs/moved_faults.h"
#include "search/runs/outline.h"
#include "search/runs/rerun.h"
#include "search/runs/run_record.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/seed_runs.h"
#include "search/runs/streamwise_choices.h"
#include "sim/time.h"

namespace lockstep::search {
namespace {

/// Of an example with many faults: each is left out once for all properties, and then again.
constexpr std::uint64_t runs_max = 100;
/// Of one example, and beyond those: fewer of a long run, and none of a very long one, or of real
/// clients, whose runs take a hundred times as long.
constexpr std::uint64_t moves_max = 60;
constexpr std::uint64_t moved_events_max = 200'000;
/// A fault that strikes the next message comes later by more than a way through the network takes.
constexpr sim::DurationNs another_message_ns = sim::millisecond_ns;

std::uint64_t moves_of(const ScenarioOutcome& outcome) {
  if (scenario::has_program(*outcome.scenario)) return 0;
  const std::size_t events = outcome.example.trace.events.size();
  return std::min<std::uint64_t>(moves_max, moved_events_max / std::max<std::size_t>(events, 1));
}

/// With the clocks of all but these hosts right.
scenario::Scenario with_wrong_clocks(scenario::Scenario scenario,
                                     const std::vector<std::string>& hosts) {
  const auto set_right = [&](const std::string& host, auto& spec) {
    if (std::find(hosts.begin(), hosts.end(), host) != hosts.end()) return;
    spec.wall_offset_ns = 0;
    spec.drift_ppm = 0;
  };
  for (scenario::ClientSpec& client : scenario.clients) set_right(client.name, client);
  for (scenario::NodeSpec& node : scenario.redis.nodes) set_right(node.name, node);
  return scenario;
}

/// The example's run with fewer faults and wrong clocks, made once for all properties. Their
/// numbers are those of the faults, and behind them the clocks.
class Trials {
 public:
  Trials(const ScenarioOutcome& outcome, model::Engine& engine)
      : engine_(engine),
        closed_(close_faults(*outcome.scenario, outcome.example.faults)),
        clocks_(outcome.example.wrong_clocks),
        strikes_(strikes_of(outcome.example)),
        moves_max_(moves_of(outcome)),
        seed_(outcome.example.seed),
        rerun_(engine, seed_) {}

  /// The run with these alone beside them, null where they are all.
  std::pair<NeededFaults, RunWithFewerFaults> needed_by(checker::Property property) {
    const auto breaks_with = [&](const std::vector<std::size_t>& faults) {
      return tried_with(faults).breaks(property);
    };
    const auto is_enough = [&] { return rerun_.runs() >= runs_max; };
    const std::size_t count = closed_.faults.size() + clocks_.size();
    const std::vector<std::size_t> left = fewest_faults(count, breaks_with, is_enough);
    NeededFaults needed{property, {}, {}, {}};
    for (const std::size_t each : left) {
      const bool is_fault = each < closed_.faults.size();
      (is_fault ? needed.faults : needed.clocks)
          .push_back(is_fault ? each : each - closed_.faults.size());
    }
    // In the file as it is: what it does not need may break it where another fault comes elsewhere.
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const std::size_t fault : needed.faults) {
      const std::vector<MovedFault> moves =
          try_moves(closed_.faults[fault], fault,
                    [&](std::int64_t by) { return breaks_moved(all, fault, by, property); });
      needed.moved.insert(needed.moved.end(), moves.begin(), moves.end());
    }
    RunWithFewerFaults alone{property, left.size() == count ? nullptr : recorded_with(left), {}};
    return {std::move(needed), std::move(alone)};
  }

  /// Of all that were tried by now, whichever property for.
  [[nodiscard]] std::vector<ChangedRun> without(checker::Property property) const {
    std::vector<ChangedRun> unbroken;
    const auto add = [&](const Trial& trial, std::optional<sim::DurationNs> moved_by_ns) {
      if (!trial.breaks(property)) unbroken.push_back({trial.outline, moved_by_ns});
    };
    for (const auto& [faults, trial] : trials_) add(trial, std::nullopt);
    for (const auto& [move, trial] : moved_trials_) {
      const auto& [faults, fault, by] = move;
      const bool counts_messages = strikes_single_messages(closed_.faults[fault]);
      add(trial, counts_messages ? another_message_ns : by);
    }
    return unbroken;
  }

 private:
  [[nodiscard]] scenario::Scenario with_only(const std::vector<std::size_t>& numbers) const {
    std::vector<std::string> hosts;
    for (const std::size_t each : numbers) {
      if (each >= closed_.faults.size())
        hosts.push_back(clocks_[each - closed_.faults.size()].host);
    }
    return with_wrong_clocks(with_faults(closed_, numbers), hosts);
  }

  struct Trial {
    std::vector<checker::Property> broken;
    std::shared_ptr<const Outline> outline;

    [[nodiscard]] bool breaks(checker::Property property) const {
      return std::find(broken.begin(), broken.end(), property) != broken.end();
    }
  };

  Trial try_out(const scenario::Scenario& scenario) {
    const auto outline = std::make_shared<Outline>();
    OutlineSink sink(*outline);
    return {rerun_.broken(scenario, sink), outline};
  }

  const Trial& tried_with(const std::vector<std::size_t>& faults) {
    const auto known = trials_.find(faults);
    if (known != trials_.end()) return known->second;
    return trials_.emplace(faults, try_out(with_only(faults))).first->second;
  }

  /// With these alone, of which one is moved; none: it can't be, or enough was tried.
  std::optional<bool> breaks_moved(const std::vector<std::size_t>& faults, std::size_t fault,
                                   std::int64_t by, checker::Property property) {
    const auto key = std::tuple(faults, fault, by);
    auto known = moved_trials_.find(key);
    if (known == moved_trials_.end()) {
      if (moved_trials_.size() >= moves_max_) return std::nullopt;
      std::optional<scenario::FaultSpec> elsewhere =
          moved(closed_.faults[fault], by, strikes_[fault]);
      if (!elsewhere) return std::nullopt;
      scenario::Scenario changed = with_only(faults);
      changed.faults[fault] = *std::move(elsewhere);
      known = moved_trials_.emplace(key, try_out(changed)).first;
    }
    return known->second.breaks(property);
  }

  std::shared_ptr<const RunRecord> recorded_with(const std::vector<std::size_t>& faults) {
    std::shared_ptr<const RunRecord>& record = records_[faults];
    if (record != nullptr) return record;
    StreamwiseChoices choices;
    choices.reset({}, seed_);
    const std::unique_ptr<model::Simulation> simulation = engine_.prepare(with_only(faults));
    return record = std::make_shared<const RunRecord>(record_run(*simulation, choices));
  }

  model::Engine& engine_;
  scenario::Scenario closed_;
  std::vector<WrongClock> clocks_;
  std::vector<std::vector<sim::TimeNs>> strikes_;
  std::uint64_t moves_max_;
  std::uint64_t seed_;
  Rerun rerun_;
  std::map<std::vector<std::size_t>, Trial> trials_;
  std::map<std::tuple<std::vector<std::size_t>, std::size_t, std::int64_t>, Trial> moved_trials_;
  std::map<std::vector<std::size_t>, std::shared_ptr<const RunRecord>> records_;
};

}  // namespace

void find_needed_faults(ScenarioOutcome& outcome, model::Engine& engine) {
  if (outcome.example.faults.empty() && outcome.example.wrong_clocks.empty()) return;
  Trials trials(outcome, engine);
  std::vector<RunWithFewerFaults> runs;
  for (const checker::Verdict& verdict : outcome.example.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    auto [needed, alone] = trials.needed_by(verdict.property);
    outcome.needed.push_back(std::move(needed));
    runs.push_back(std::move(alone));
  }
  for (RunWithFewerFaults& each : runs) each.unbroken = trials.without(each.property);
  outcome.example.with_fewer_faults = std::move(runs);
}

std::vector<FaultName> fault_names(const RunRecord& example) {
  std::vector<FaultName> names;
  for (const scenario::FaultSpec& fault : example.faults) {
    names.push_back({fault.describe(), strikes_single_messages(fault)});
  }
  return names;
}

// Invariant: with the faults that are kept, the property breaks. Leaving one out may make another
// needless (a restart without its crash), so the faults are gone through until a whole round leaves
// all of them in.

scenario::Scenario with_faults(const scenario::Scenario& scenario,
                               const std::vector<std::size_t>& faults) {
  scenario::Scenario result = scenario;
  for (std::size_t i = 0; i < result.faults.size(); ++i) {
    if (std::find(faults.begin(), faults.end(), i) != faults.end()) continue;
    result.faults[i].trigger = {.when = std::nullopt, .after_ns = scenario.horizon_ns + 1};
    result.faults[i].open.clear();
  }
  return result;
}

std::vector<std::size_t> minimal_faults(const scenario::Scenario& scenario,
                                        checker::Property property, Rerun& rerun,
                                        const std::function<bool()>& interrupted) {
  return fewest_faults(
      scenario.faults.size(),
      [&](const std::vector<std::size_t>& faults) {
        return rerun.breaks(with_faults(scenario, faults), property);
      },
      interrupted);
}

std::vector<std::size_t> fewest_faults(std::size_t count, const BreaksWith& breaks_with,
                                       const std::function<bool()>& interrupted) {
  std::vector<std::size_t> kept(count);
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = i;
  for (std::size_t tried = 0; tried < kept.size();) {
    if (interrupted && interrupted()) break;
    std::vector<std::size_t> fewer = kept;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(tried));
    if (breaks_with(fewer)) {
      kept = std::move(fewer);
      tried = 0;
    } else {
      ++tried;
    }
  }
  return kept;
}

}  // namespace lockstep::search
