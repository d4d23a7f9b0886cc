#include "reports/timeline/timeline_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/text.h"
#include "checker/verdict.h"
#include "reports/scene/scene_view.h"
#include "reports/text.h"
#include "reports/timeline/timeline_causes.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t rows_in_focus_max = 20;
constexpr std::size_t lanes_listed_max = 20;
constexpr std::size_t remark_characters_max = 60;

[[noreturn]] void refuse(const std::string& message) {
  throw scenario::InputError::about("timeline", message);
}

void refuse_lane(const Scene& scene, const std::string& name) {
  const std::vector<std::string> known = lane_names(scene);
  std::vector<std::string> listed;
  for (const std::string& each : known) {
    if (listed.size() < lanes_listed_max) listed.push_back(brief(each));
  }
  const std::vector<std::string_view> views(listed.begin(), listed.end());
  refuse(fmt::format("--lanes: there is no lane {}; expected {}{}{}",
                     scenario::in_quotes(brief(name)), scenario::listed(views, "or"),
                     known.size() > listed.size() ? ", …" : "",
                     scenario::did_you_mean(name, views)));
}

bool is_violated(const search::RunRecord& example) {
  return std::any_of(example.verdicts.begin(), example.verdicts.end(), [](const auto& verdict) {
    return verdict.kind == checker::VerdictKind::violated;
  });
}

}  // namespace

Scene scene_of(const TimelineSubject& subject, const TimelineOptions& options) {
  const search::RunRecord& example = *subject.example;
  Scene scene = make_scene(example);
  mark_causes(scene, example);
  for (Lane& lane : scene.lanes) {
    const bool is_thread = lane.kind == LaneKind::client_thread;
    const auto remark = subject.remarks.find(is_thread ? lane.group : lane.name);
    if (remark != subject.remarks.end()) {
      lane.remark = brief(remark->second, remark_characters_max);
    } else if (lane.kind == LaneKind::redis) {
      lane.remark = subject.hop;
    }
  }
  if (options.focus == TimelineFocus::violation && !is_violated(example)) {
    refuse("--focus violation: nothing is violated in this run");
  }
  if (const auto unknown = unknown_lane(scene, options.view.lanes)) refuse_lane(scene, *unknown);
  const sim::TimeNs from = options.view.from_ns.value_or(0);
  const sim::TimeNs until = options.view.until_ns.value_or(sim::never_ns);
  if (from > until) {
    refuse(fmt::format("--from {} lies after --to {}", checker::milliseconds(from),
                       checker::milliseconds(until)));
  }
  const auto& events = example.trace.events;
  if (!events.empty() && from > events.back().at) {
    refuse(fmt::format("--from {}: the run ended at {}", checker::milliseconds(from),
                       checker::milliseconds(events.back().at)));
  }
  narrow(scene, example.trace, options.view);
  return scene;
}

std::string nothing_in_words(const TimelineOptions& options) {
  const SceneView& view = options.view;
  const bool is_part = !view.lanes.empty() || view.from_ns || view.until_ns;
  return is_part ? "Nothing happened in this part of the run." : "Nothing happened in this run.";
}

std::size_t rows_max_of(const TimelineOptions& options) {
  const bool is_focused = options.focus == TimelineFocus::violation;
  const std::size_t most =
      is_focused ? std::min(options.rows_max, rows_in_focus_max) : options.rows_max;
  return std::max(most, rows_least);
}

}  // namespace lockstep::reports
