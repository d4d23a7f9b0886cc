// For each kind of fault a story in scenarios/faults: there it strikes, the trace shows it, the
// timeline draws it, and without it the run is another.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/engine/engine.h"
#include "model/trace_vocabulary.h"
#include "reports/scene/scene.h"
#include "reports/text.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/run_record.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t lines_max = 60;

std::filesystem::path story_of(const scenario::FaultForm& form) {
  std::string name(form.word);
  std::replace(name.begin(), name.end(), '_', '-');
  return std::filesystem::path(source_folder()) / "scenarios" / "faults" / (name + ".toml");
}

std::vector<const model::RecordedEvent*> events_of(const search::RunRecord& example,
                                                   std::string_view kind, std::size_t fault) {
  std::vector<const model::RecordedEvent*> found;
  for (const model::RecordedEvent& event : example.trace.events) {
    const bool is_its =
        event.kind == kind && event.number("fault") == static_cast<std::int64_t>(fault);
    if (is_its) found.push_back(&event);
  }
  return found;
}

/// The story of one kind, prepared and run once.
class FaultStory : public testing::TestWithParam<scenario::FaultForm> {
 protected:
  void SetUp() override {
    const std::filesystem::path file = story_of(GetParam());
    ASSERT_TRUE(std::filesystem::exists(file))
        << "no story tells of the fault '" << GetParam().word << "'; expected " << file;
    scenario = scenario::load_scenario(file);
    const auto found =
        std::find_if(scenario.faults.begin(), scenario.faults.end(),
                     [](const scenario::FaultSpec& each) { return each.kind == GetParam().kind; });
    ASSERT_NE(found, scenario.faults.end()) << file << " is of something else";
    fault = static_cast<std::size_t>(found - scenario.faults.begin());
    simulation = engine.prepare(scenario);
    example = search::record_seed(*simulation, 1);
  }

  [[nodiscard]] const scenario::FaultSpec& spec() const { return scenario.faults[fault]; }

  model::Engine engine{{support::script_folder()}};
  scenario::Scenario scenario;
  std::size_t fault = 0;
  std::unique_ptr<model::Simulation> simulation;
  search::RunRecord example;
};

TEST_P(FaultStory, IsShort) {
  const auto lines = std::count(scenario.text.begin(), scenario.text.end(), '\n');
  EXPECT_LT(static_cast<std::size_t>(lines), lines_max);
}

TEST_P(FaultStory, StrikesAndShowsInTheTrace) {
  const auto struck = events_of(example, model::trace_kind::fault_struck, fault);
  ASSERT_FALSE(struck.empty());
  EXPECT_FALSE(struck.front()->text("what").empty());
  const auto ended = events_of(example, model::trace_kind::fault_ended, fault);
  const bool is_lasting = scenario::lasts(GetParam());
  EXPECT_EQ(struck.front()->number("lasts"), is_lasting ? 1 : 0);
  if (!is_lasting) {
    EXPECT_TRUE(ended.empty());
    return;
  }
  ASSERT_TRUE(spec().for_ns) << "a story tells how the fault ends, too";
  ASSERT_EQ(ended.size(), struck.size());
  EXPECT_EQ(ended.front()->at - struck.front()->at, *spec().for_ns);
}

TEST_P(FaultStory, IsDrawnInTheTimeline) {
  const Scene scene = make_scene(example);
  const auto struck = events_of(example, model::trace_kind::fault_struck, fault);
  ASSERT_FALSE(struck.empty());
  const std::string what = brief(struck.front()->text("what"), 120);
  const bool is_noted = std::any_of(scene.notes.begin(), scene.notes.end(), [&](const Note& note) {
    return scene.lanes[note.lane].kind == LaneKind::faults && note.text == what &&
           note.tone == Tone::fault;
  });
  EXPECT_TRUE(is_noted) << what;
  if (!scenario::lasts(GetParam())) return;
  const bool has_span = std::any_of(scene.spans.begin(), scene.spans.end(), [&](const Span& span) {
    return span.until && example.trace.events[span.from].at == struck.front()->at &&
           example.trace.events[*span.until].at <= struck.front()->at + *spec().for_ns &&
           *span.until > span.from;
  });
  EXPECT_TRUE(has_span) << what;
}

TEST_P(FaultStory, IsAnotherWithoutIt) {
  scenario::Scenario without = scenario;
  without.faults.erase(without.faults.begin() + static_cast<std::ptrdiff_t>(fault));
  const auto other = engine.prepare(without);
  EXPECT_NE(search::record_seed(*other, 1).trace.hash, example.trace.hash);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FaultStory,
                         testing::ValuesIn(scenario::fault_forms().begin(),
                                           scenario::fault_forms().end()),
                         [](const testing::TestParamInfo<scenario::FaultForm>& parameter) {
                           return std::string(parameter.param.word);
                         });

}  // namespace
}  // namespace lockstep::reports
