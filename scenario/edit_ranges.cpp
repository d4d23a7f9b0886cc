// The durations and numbers that a scenario leaves open, and how one of them is closed.
#include <algorithm>
#include <utility>
#include <vector>

#include "scenario/edits.h"
#include "scenario/revalidation.h"
#include "scenario/scenario.h"

namespace lockstep::scenario {
namespace {

/// Calls visit(least, most, close) for each duration that is drawn; close(duration) ends that.
template <typename Visit>
class OpenRangeWalk {
 public:
  explicit OpenRangeWalk(Visit visit) : visit_(std::move(visit)) {}

  void walk(Scenario& scenario) {
    for (ClientSpec& client : scenario.clients) {
      walk_optional(client.start_ns, client.start_ns_max);
      walk_numbers(client);
      for (ThreadSpec& thread : client.threads) {
        for (Step& step : thread.steps) walk_step(step);
        if (thread.generate) walk_generate(*thread.generate);
      }
    }
    for (FaultSpec& fault : scenario.faults) {
      for (std::size_t i = 0; i < fault.open.size(); ++i) walk_fault(fault, i);
    }
  }

 private:
  void walk_numbers(ClientSpec& client) {
    if (client.rounds_max) {
      visit_(client.rounds, *client.rounds_max, [&](std::int64_t rounds) {
        client.rounds = static_cast<std::uint32_t>(rounds);
        client.rounds_max.reset();
      });
    }
    if (client.threads_min) {
      const auto most = static_cast<std::int64_t>(client.threads.size());
      visit_(*client.threads_min, most, [&](std::int64_t threads) {
        client.threads.resize(static_cast<std::size_t>(threads));
        client.threads_min.reset();
      });
    }
  }

  void walk_optional(sim::DurationNs& least, std::optional<sim::DurationNs>& most) {
    if (!most) return;
    visit_(least, *most, [&](sim::DurationNs duration_ns) {
      least = duration_ns;
      most.reset();
    });
  }

  void walk_step(Step& step) {
    if (step.lease_ns) walk_optional(*step.lease_ns, step.lease_ns_max);
    if (step.wait_ns) walk_optional(*step.wait_ns, step.wait_ns_max);
    walk_optional(step.duration_ns, step.duration_ns_max);
  }

  void walk_range(DurationRange& range) {
    if (!range.is_open()) return;
    visit_(range.min_ns, range.max_ns, [&](sim::DurationNs duration_ns) {
      range = {duration_ns, duration_ns};
    });
  }

  /// Words with the same range are closed together, as a range that is said once for all of them.
  void walk_words(GenerateSpec& generate, std::optional<sim::DurationNs> Step::*least,
                  std::optional<sim::DurationNs> Step::*most) {
    std::vector<DurationRange> ranges;
    for (const auto* words : {&generate.outside, &generate.inside}) {
      for (const GenerateSpec::WeightedStep& word : *words) {
        if (!(word.step.*most)) continue;
        const DurationRange range{*(word.step.*least), *(word.step.*most)};
        if (std::find(ranges.begin(), ranges.end(), range) == ranges.end()) ranges.push_back(range);
      }
    }
    for (const DurationRange& range : ranges) {
      visit_(range.min_ns, range.max_ns, [&](sim::DurationNs duration_ns) {
        for (auto* words : {&generate.outside, &generate.inside}) {
          for (GenerateSpec::WeightedStep& word : *words) {
            if (word.step.*least != range.min_ns || word.step.*most != range.max_ns) continue;
            word.step.*least = duration_ns;
            (word.step.*most).reset();
          }
        }
      });
    }
  }

  void walk_generate(GenerateSpec& generate) {
    walk_range(generate.think);
    walk_range(generate.hold);
    walk_words(generate, &Step::lease_ns, &Step::lease_ns_max);
    walk_words(generate, &Step::wait_ns, &Step::wait_ns_max);
  }

  void walk_fault(FaultSpec& fault, std::size_t number) {
    const OpenDuration open = fault.open[number];
    visit_(open.min_ns, open.max_ns, [&](sim::DurationNs duration_ns) {
      set_open(fault, open.what, duration_ns);
      fault.open.erase(fault.open.begin() + static_cast<std::ptrdiff_t>(number));
    });
  }

  Visit visit_;
};

}  // namespace

std::vector<OpenRange> open_ranges(const Scenario& scenario) {
  std::vector<OpenRange> ranges;
  Scenario visited = scenario;
  OpenRangeWalk walk([&ranges](sim::DurationNs least, sim::DurationNs most, const auto&) {
    ranges.push_back({least, most});
  });
  walk.walk(visited);
  return ranges;
}

Edited with_fixed_duration(const Scenario& scenario, std::size_t range,
                           sim::DurationNs duration_ns) {
  Scenario edited = scenario;
  std::size_t number = 0;
  OpenRangeWalk walk([&](sim::DurationNs, sim::DurationNs, const auto& close) {
    if (number++ == range) close(duration_ns);
  });
  walk.walk(edited);
  return revalidated(edited);
}

}  // namespace lockstep::scenario
