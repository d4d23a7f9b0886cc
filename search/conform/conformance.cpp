#include "search/conform/conformance.h"

#include <algorithm>

#include "checker/observations.h"
#include "model/engine/engine.h"
#include "model/lock/lock_package.h"
#include "search/conform/drawn_story.h"
#include "search/runs/run_record.h"
#include "search/runs/with_programs.h"

namespace lockstep::search {
namespace {

constexpr std::uint32_t quorum_masters = 3;
/// Nobody counts a few polls more or less.
constexpr std::uint64_t free_polls = 3;

bool is_alike(std::uint64_t one, std::uint64_t other) {
  const auto [least, most] = std::minmax(one, other);
  return most <= least + least / 2 + free_polls;
}

std::optional<SentRequest> at(const std::vector<SentRequest>& requests, std::size_t index) {
  return index < requests.size() ? std::optional(requests[index]) : std::nullopt;
}

class Comparison {
 public:
  Comparison(const ConformPlan& plan, model::Engine& engine) : plan_(plan), engine_(engine) {
    const auto simulation = engine.prepare(draw_story(plan.lock, {}, 1, 1).scenario);
    const model::LockPackage& lock = simulation->lock();
    offered_ = engine.offered(lock);
    masters_ = lock.state_nodes == model::StateNodes::quorum ? quorum_masters : 1;
  }

  Conformance make() {
    for (std::uint64_t i = 0; i < plan_.runs; ++i) {
      if (plan_.interrupted != nullptr && plan_.interrupted()) break;
      compare(plan_.first_seed + i);
    }
    return std::move(result_);
  }

 private:
  void compare(std::uint64_t seed) {
    const DrawnStory story = draw_story(plan_.lock, offered_, masters_, seed);
    const RunRecord modelled = record_seed(*engine_.prepare(story.scenario), seed);
    const RunRecord real =
        record_seed(*engine_.prepare(with_programs(story.scenario, plan_.program)), seed);
    ++result_.runs;
    result_.operations += story.operations;
    if (!story.fault.empty()) result_.faults.insert(story.fault);
    for (const scenario::ClientSpec& client : story.scenario.clients) {
      if (!compare(story, seed, client.name, modelled, real)) return;
      if (story.fault.empty()) compare_grants(client.name, modelled, real);
    }
  }

  bool compare(const DrawnStory& story, std::uint64_t seed, const std::string& client,
               const RunRecord& modelled, const RunRecord& real) {
    const auto expected = requests_of(modelled.trace, client, story.scenario.lock_name);
    const auto found = requests_of(real.trace, client, story.scenario.lock_name);
    for (std::size_t i = 0; i < std::max(expected.size(), found.size()); ++i) {
      const bool is_same = i < expected.size() && i < found.size() &&
                           expected[i].text == found[i].text &&
                           is_alike(expected[i].count, found[i].count);
      if (is_same) {
        ++result_.requests;
        continue;
      }
      result_.differences.push_back(
          {seed, story.scenario, story.fault, client, i + 1, at(expected, i), at(found, i)});
      return false;
    }
    return true;
  }

  void compare_grants(const std::string& client, const RunRecord& modelled, const RunRecord& real) {
    const auto expected = grants_of(modelled.trace, client);
    const auto found = grants_of(real.trace, client);
    for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i) {
      const sim::DurationNs by_ns =
          expected[i] > found[i] ? expected[i] - found[i] : found[i] - expected[i];
      result_.grant_differs_ns_max = std::max(result_.grant_differs_ns_max, by_ns);
    }
  }

  const ConformPlan& plan_;
  model::Engine& engine_;
  std::vector<scenario::StepKind> offered_;
  std::uint32_t masters_ = 1;
  Conformance result_;
};

}  // namespace

Conformance conform(const ConformPlan& plan, model::Engine& engine) {
  return Comparison(plan, engine).make();
}

}  // namespace lockstep::search
