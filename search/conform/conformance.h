// Is a client model faithful? The same stories, played by the model and by the real client, and
// their requests compared: stories that are drawn and played on virtual time, or one that somebody
// has played and recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "scenario/program_spec.h"
#include "scenario/scenario.h"
#include "search/conform/drawn_story.h"
#include "search/conform/recording.h"
#include "search/conform/requests.h"

namespace lockstep::model {
class Engine;
}  // namespace lockstep::model

namespace lockstep::search {

struct ConformPlan {
  std::string lock;
  StoryLimits limits;
  scenario::ProgramSpec program;
  std::uint64_t first_seed = 1;
  std::uint64_t runs = 20;
  bool (*interrupted)() = nullptr;  ///< asked between runs; null: never
};

/// The first request in which a story differs.
struct ConformDifference {
  std::uint64_t seed = 0;       ///< of a drawn story
  scenario::Scenario scenario;  ///< with the client model
  std::string fault;            ///< empty: none
  std::string client;
  RequestDifference at;
};

struct Conformance {
  std::uint64_t runs = 0;
  std::uint64_t operations = 0;
  std::uint64_t requests = 0;                  ///< equal ones, polls counted once
  std::set<std::string> faults;                ///< that struck in some story
  sim::DurationNs grant_differs_ns_max = 0;    ///< of grants in drawn stories without a fault
  std::vector<ConformDifference> differences;  ///< the first of each story that has one
};

/// Throws InputError where the lock or the program is wrong.
[[nodiscard]] Conformance conform(const ConformPlan& plan, model::Engine& engine);

/// The stories are the recordings' own, played by the client model of `lock`. Throws InputError
/// where one has none, or clients that were not recorded.
[[nodiscard]] Conformance conform_recordings(const std::string& lock,
                                             std::span<const Recording> recordings,
                                             model::Engine& engine);

/// Story number `seed` for this lock, as conform() plays it.
[[nodiscard]] DrawnStory story_for(const std::string& lock, const StoryLimits& limits,
                                   model::Engine& engine, std::uint64_t seed);

}  // namespace lockstep::search
