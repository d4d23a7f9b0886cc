#include "search/conform/conformance.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/observations.h"
#include "model/engine/engine.h"
#include "model/lock/lock_package.h"
#include "scenario/file/scenario_file.h"
#include "scenario/text/input_error.h"
#include "search/runs/run_record.h"
#include "search/runs/with_programs.h"

namespace lockstep::search {
namespace {

constexpr std::uint32_t quorum_masters = 3;

/// Draws the stories of one lock.
class Stories {
 public:
  Stories(const std::string& lock, StoryLimits limits, model::Engine& engine)
      : lock_(lock), limits_(std::move(limits)) {
    const auto simulation = engine.prepare(draw_story(lock, {}, {}, 1, 1).scenario);
    const model::LockPackage& package = simulation->lock();
    offered_ = engine.offered(package);
    masters_ = package.state_nodes == model::StateNodes::quorum ? quorum_masters : 1;
  }

  [[nodiscard]] DrawnStory draw(std::uint64_t seed) const {
    return draw_story(lock_, limits_, offered_, masters_, seed);
  }

 private:
  const std::string lock_;
  const StoryLimits limits_;
  std::vector<scenario::StepKind> offered_;
  std::uint32_t masters_ = 1;
};

void compare_grants(const std::string& client, const RunRecord& modelled, const RunRecord& real,
                    Conformance& result) {
  const auto expected = grants_of(modelled.trace, client);
  const auto found = grants_of(real.trace, client);
  for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i) {
    const sim::DurationNs by_ns =
        expected[i] > found[i] ? expected[i] - found[i] : found[i] - expected[i];
    result.grant_differs_ns_max = std::max(result.grant_differs_ns_max, by_ns);
  }
}

void compare(const DrawnStory& story, std::uint64_t seed, const RunRecord& modelled,
             const RunRecord& real, Conformance& result) {
  const std::string& lock_name = story.scenario.lock_name;
  ++result.runs;
  result.operations += story.operations;
  if (!story.fault.empty()) result.faults.insert(story.fault);
  for (const scenario::ClientSpec& client : story.scenario.clients) {
    auto difference =
        first_difference(fold(executed_in(modelled.trace, client.name), lock_name),
                         fold(executed_in(real.trace, client.name), lock_name), result.requests);
    if (difference) {
      result.differences.push_back(
          {seed, story.scenario, story.fault, client.name, std::move(*difference)});
      return;
    }
    if (story.fault.empty()) compare_grants(client.name, modelled, real, result);
  }
}

scenario::Scenario story_of(const Recording& recording, const std::string& lock) {
  if (recording.story.empty()) {
    throw scenario::InputError::about(
        recording.path,
        "it does not say what its clients did; record it with --story, a scenario file whose "
        "steps they do");
  }
  scenario::Scenario story =
      scenario::parse_scenario(recording.story_path, std::string(recording.story));
  story.lock = lock;
  for (const scenario::ClientSpec& client : story.clients) {
    const bool was_recorded = std::any_of(
        recording.requests.begin(), recording.requests.end(),
        [&client](const RecordedRequest& request) { return request.client == client.name; });
    if (was_recorded) continue;
    throw scenario::InputError::about(
        recording.path, fmt::format("the client '{}' of its story has sent nothing", client.name));
  }
  return story;
}

}  // namespace

Conformance conform(const ConformPlan& plan, model::Engine& engine) {
  const Stories stories(plan.lock, plan.limits, engine);
  Conformance result;
  for (std::uint64_t i = 0; i < plan.runs; ++i) {
    if (plan.interrupted != nullptr && plan.interrupted()) break;
    const std::uint64_t seed = plan.first_seed + i;
    const DrawnStory story = stories.draw(seed);
    const RunRecord modelled = record_seed(*engine.prepare(story.scenario), seed);
    const RunRecord real =
        record_seed(*engine.prepare(with_programs(story.scenario, plan.program)), seed);
    compare(story, seed, modelled, real, result);
  }
  return result;
}

Conformance conform_recordings(const std::string& lock, std::span<const Recording> recordings,
                               model::Engine& engine) {
  constexpr std::uint64_t seed = 1;
  Conformance result;
  for (const Recording& recording : recordings) {
    const scenario::Scenario story = story_of(recording, lock);
    const auto simulation = engine.prepare(story);
    model::ScriptLabels labels(simulation->lock());
    const RunRecord modelled = record_seed(*simulation, seed);
    ++result.runs;
    for (const scenario::ClientSpec& client : story.clients) {
      result.operations += operations_of(client);
      auto difference = first_difference(
          fold(executed_in(modelled.trace, client.name), story.lock_name),
          fold(executed_in(recording, client.name, labels), story.lock_name), result.requests);
      if (!difference) continue;
      result.differences.push_back({0, story, {}, client.name, std::move(*difference)});
      break;
    }
  }
  return result;
}

DrawnStory story_for(const std::string& lock, const StoryLimits& limits, model::Engine& engine,
                     std::uint64_t seed) {
  return Stories(lock, limits, engine).draw(seed);
}

}  // namespace lockstep::search
