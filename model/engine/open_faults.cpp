#include "model/engine/open_faults.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/lock/lock_package.h"
#include "scenario/options.h"
#include "scenario/scenario.h"
#include "sim/seeded_choices.h"

namespace lockstep::model {
namespace {

/// The keys of a lock, by their patterns, that may be deleted beside its state.
std::vector<std::string> deletable_keys(const LockPackage& package) {
  std::vector<std::string> patterns;
  for (const auto* const keys : {&package.lease_keys, &package.persistent_keys}) {
    for (const std::string& pattern : *keys) {
      const bool is_one_key = pattern.find('*') == std::string::npos;
      if (is_one_key && pattern != package.state_key) patterns.push_back(pattern);
    }
  }
  return patterns;
}

/// How long it waits, remembers, leases: whatever its options say in time, in order.
std::vector<sim::DurationNs> own_times(const LockPackage& package) {
  std::set<sim::DurationNs> times;
  for (const auto& [name, value] : *package.options) {
    const auto* const number = std::get_if<std::int64_t>(&value);
    if (number != nullptr && name.ends_with("_ms")) times.insert(*number * sim::millisecond_ns);
  }
  return {times.begin(), times.end()};
}

}  // namespace

void OpenFaults::learn(const LockPackage& package, const sim::Trace& trace, SimulatedHosts& hosts,
                       const Run& run) {
  constexpr std::uint64_t runs = 4;
  RunProfile& profile = profile_.emplace(trace);
  injector_.set_faults({});
  injector_.set_run_profile(&profile);
  hosts.set_callback_listener(&profile);
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    sim::SeededChoices choices(seed);
    profile.start_run();
    const LearntRun learnt = run(choices);
    profile.end_run(learnt.ended_ns, learnt.longest_lease_ns);
  }
  injector_.set_run_profile(nullptr);
  hosts.set_callback_listener(nullptr);
  injector_.set_faults(scenario_.faults);
  generator_.emplace(scenario_, profile, deletable_keys(package), own_times(package));
}

void OpenFaults::draw(sim::ChoiceSource& choices) {
  if (!generator_) return;
  std::vector<scenario::FaultSpec> faults = scenario_.faults;
  generator_->draw(choices, faults);
  injector_.set_faults(std::move(faults));
}

}  // namespace lockstep::model
