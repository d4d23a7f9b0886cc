#include "search/shrink/passing_scenario.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "scenario/edits.h"
#include "scenario/revalidation.h"
#include "scenario/text/durations.h"
#include "search/runs/rerun.h"
#include "search/runs/run_record.h"
#include "search/runs/streamwise_choices.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {
namespace {

using scenario::Edited;
using scenario::Scenario;

bool holds_in(const RunRecord& example, checker::Property property) {
  return std::any_of(example.verdicts.begin(), example.verdicts.end(),
                     [property](const checker::Verdict& verdict) {
                       return verdict.property == property &&
                              verdict.kind == checker::VerdictKind::holds;
                     });
}

/// A trace's hashes roll, so that two are equal as long as all before was.
std::size_t events_alike(const RunRecord& one, const RunRecord& other) {
  const auto& events = one.trace.events;
  const auto [end, other_end] = std::mismatch(
      events.begin(), events.end(), other.trace.events.begin(), other.trace.events.end(),
      [](const auto& left, const auto& right) { return left.hash == right.hash; });
  return static_cast<std::size_t>(end - events.begin());
}

/// The largest power of ten that a number is not below.
sim::DurationNs digit_of(sim::DurationNs size_ns) {
  sim::DurationNs digit_ns = 1;
  while (size_ns / digit_ns >= 10) digit_ns *= 10;
  return digit_ns;
}

class PassingScenarioSearch {
 public:
  PassingScenarioSearch(const PassingScenarioRequest& request, model::Engine& engine)
      : request_(request),
        engine_(engine),
        as_found_(engine, request.failing->seed, request.failing->trace.choices) {}

  PassingScenarioResult search() {
    const std::size_t faults = request_.scenario.faults.size();
    for (std::size_t i = 0; i < faults && may_go_on(); ++i) {
      try_numbers_of(i);
      try_without(i);
    }
    if (faults == 0) try_work();
    if (!result_.passing_scenario) try_other_delays();
    if (!result_.passing_scenario) try_fewer_clients();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool may_go_on() const { return !request_.interrupted || !request_.interrupted(); }

  /// In the run with the choices of the failing one.
  [[nodiscard]] bool passes_once(const Scenario& scenario) {
    ++result_.runs;
    return !as_found_.breaks(scenario, request_.property);
  }

  [[nodiscard]] bool passes_with_seeds(const Scenario& scenario) {
    for (std::uint64_t seed = 1; seed <= seeds_of_shrinking; ++seed) {
      ++result_.runs;
      if (Rerun(engine_, seed).breaks(scenario, request_.property)) return false;
    }
    return true;
  }

  void try_without(std::size_t fault) {
    if (request_.needs[fault] != Need::always) return;
    const std::string change = "without " + request_.scenario.faults[fault].describe();
    consider(scenario::without_fault(request_.scenario, fault), change);
  }

  void try_numbers_of(std::size_t fault) {
    const scenario::FaultSpec& spec = request_.scenario.faults[fault];
    const auto change = [fault](const Scenario& changed) {
      return "with " + changed.faults[fault].describe();
    };
    if (spec.for_ns) {
      try_last_passing(
          *spec.for_ns, [fault](Scenario& scenario) { return &*scenario.faults[fault].for_ns; },
          change);
    }
    if (spec.by_ns != 0) {
      try_last_passing(
          spec.by_ns, [fault](Scenario& scenario) { return &scenario.faults[fault].by_ns; },
          change);
    }
  }

  /// The largest of the round numbers below this one with which it passes, found by halving.
  template <typename Place, typename Words>
  void try_last_passing(sim::DurationNs failing_ns, Place place, Words words) {
    const bool is_negative = failing_ns < 0;
    const sim::DurationNs size_ns = is_negative ? -failing_ns : failing_ns;
    // Steps of a tenth to a hundredth of it: fine enough to be near, few enough to be tried.
    const sim::DurationNs digit_ns = digit_of(size_ns);
    const sim::DurationNs step_ns =
        size_ns / digit_ns < 4 ? std::max<sim::DurationNs>(digit_ns / 10, 1) : digit_ns;
    const auto with = [&](sim::DurationNs steps) {
      Scenario changed = request_.scenario;
      *place(changed) = (is_negative ? -steps : steps) * step_ns;
      return scenario::revalidated(changed);
    };
    sim::DurationNs passing = 0;
    for (sim::DurationNs failing = (size_ns + step_ns - 1) / step_ns; failing - passing > 1;) {
      if (!may_go_on()) return;
      const sim::DurationNs middle = passing + (failing - passing) / 2;
      const Edited candidate = with(middle);
      (candidate && passes_once(*candidate) ? passing : failing) = middle;
    }
    // Just below the border it may depend on messages' delays.
    constexpr int steps_back_max = 3;
    for (int back = 0; back < steps_back_max && passing > 0 && may_go_on(); ++back, --passing) {
      const Edited candidate = with(passing);
      if (!candidate || !passes_with_seeds(*candidate)) continue;
      return consider(candidate, words(*candidate));
    }
  }

  /// Sleeps that could be shorter.
  void try_work() {
    for (std::size_t client = 0; client < request_.scenario.clients.size(); ++client) {
      const auto& threads = request_.scenario.clients[client].threads;
      for (std::size_t thread = 0; thread < threads.size(); ++thread) {
        for (std::size_t step = 0; step < threads[thread].steps.size(); ++step) {
          try_sleep(client, thread, step);
        }
      }
    }
  }

  void try_sleep(std::size_t client, std::size_t thread, std::size_t step) {
    const auto place = [=](Scenario& scenario) {
      return &scenario.clients[client].threads[thread].steps[step].duration_ns;
    };
    Scenario scenario = request_.scenario;
    const sim::DurationNs duration_ns = *place(scenario);
    if (duration_ns == 0 || !may_go_on()) return;
    const std::string who = scenario.clients[client].name;
    try_last_passing(duration_ns, place, [&](Scenario changed) {
      return "with a sleep of " + scenario::format_duration(*place(changed)) + " instead of " +
             scenario::format_duration(duration_ns) + " by " + who;
    });
  }

  void try_other_delays() {
    if (request_.breaks_always || !may_go_on()) return;
    const std::string change = "with other delays";
    for (std::uint64_t seed = 1; seed <= seeds_of_shrinking; ++seed) {
      ++result_.runs;
      RunRecord example = record_seed(*engine_.prepare(request_.scenario), seed);
      if (holds_in(example, request_.property)) {
        keep_if_nearer(request_.scenario, change, std::move(example));
      }
    }
  }

  void try_fewer_clients() {
    if (request_.scenario.clients.size() == 1) return;
    for (std::size_t i = request_.scenario.clients.size(); i-- > 0 && may_go_on();) {
      const Edited without = scenario::without_client(request_.scenario, i);
      if (!without || !passes_with_seeds(*without)) continue;
      consider(without, "without " + request_.scenario.clients[i].name);
    }
  }

  /// REQUIRES: it passes with all seeds.
  void consider(const Edited& candidate, const std::string& change) {
    if (!candidate) return;
    ++result_.runs;
    StreamwiseChoices choices;
    choices.reset(request_.failing->trace.choices, request_.failing->seed);
    sim::RecordingChoices recording(choices);
    RunRecord example = record_run(*engine_.prepare(*candidate), recording);
    example.trace.choices = recording.record();
    example.seed = request_.failing->seed;
    if (holds_in(example, request_.property)) {
      keep_if_nearer(*candidate, change, std::move(example));
    }
  }

  /// Of those that are equally near, the first.
  void keep_if_nearer(const Scenario& scenario, const std::string& change, RunRecord example) {
    const std::size_t alike = events_alike(*request_.failing, example);
    if (result_.passing_scenario && alike <= result_.passing_scenario->events_alike) return;
    result_.passing_scenario = {scenario, change, std::move(example), alike};
    scenario::Expectation& expect = result_.passing_scenario->scenario.expect;
    expect.violates.clear();
    expect.holds = {request_.property};
  }

  const PassingScenarioRequest& request_;
  model::Engine& engine_;
  Rerun as_found_;
  PassingScenarioResult result_;
};

}  // namespace

PassingScenarioResult nearest_passing_scenario(const PassingScenarioRequest& request,
                                               model::Engine& engine) {
  return PassingScenarioSearch(request, engine).search();
}

}  // namespace lockstep::search
