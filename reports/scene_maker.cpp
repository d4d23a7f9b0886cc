#include "reports/scene_maker.h"

#include <algorithm>
#include <array>

#include "model/trace_vocabulary.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {

const std::map<std::string_view, SceneMaker::Handler>& SceneMaker::handlers() {
  namespace model_kind = model::trace_kind;
  namespace sim_kind = sim::trace_kind;
  static const std::map<std::string_view, Handler> table{
      {sim_kind::message_sent, &SceneMaker::on_message_sent},
      {sim_kind::message_delivered, &SceneMaker::on_message_delivered},
      {sim_kind::process_paused, &SceneMaker::on_paused},
      {sim_kind::process_resumed, &SceneMaker::on_resumed},
      {sim_kind::process_crashed, &SceneMaker::on_crashed},
      {sim_kind::process_restarted, &SceneMaker::on_restarted},
      {sim_kind::network_cut, &SceneMaker::on_cut},
      {sim_kind::network_healed, &SceneMaker::on_healed},
      {model_kind::fault_struck, &SceneMaker::on_fault_struck},
      {model_kind::clock_changed, &SceneMaker::on_clock_changed},
      {model_kind::node_promoted, &SceneMaker::on_node_promoted},
      {model_kind::step_invoked, &SceneMaker::on_step_invoked},
      {model_kind::step_completed, &SceneMaker::on_step_completed},
      {model_kind::belief_began, &SceneMaker::on_belief_began},
      {model_kind::belief_ended, &SceneMaker::on_belief_ended},
      {model_kind::call_timed_out, &SceneMaker::on_call_timed_out},
      {model_kind::call_retried, &SceneMaker::on_call_retried},
      {model_kind::client_failed, &SceneMaker::on_client_failed},
      {model_kind::command_executed, &SceneMaker::on_command_executed},
      {model_kind::lock_changed, &SceneMaker::on_lock_changed},
      {model_kind::resource_read, &SceneMaker::on_resource_read},
      {model_kind::resource_written, &SceneMaker::on_resource_written},
      {model_kind::resource_refused, &SceneMaker::on_resource_refused},
  };
  return table;
}

SceneMaker::SceneMaker(const search::Example& example)
    : example_(example),
      trace_(example.trace),
      cast_(example.trace.actors),
      letters_(example.trace, cast_) {
  scene_.lanes = cast_.lanes();
}

Scene SceneMaker::make() {
  for (EventIndex index = 0; index < trace_.events.size(); ++index) see(index);
  add_verdicts();
  std::stable_sort(scene_.notes.begin(), scene_.notes.end(),
                   [](const Note& one, const Note& other) { return one.event < other.event; });
  scene_.messages_left_out = letters_.left_out();
  return std::move(scene_);
}

void SceneMaker::see(EventIndex index) {
  const Event& event = trace_.events[index];
  const auto handler = handlers().find(event.kind);
  if (handler != handlers().end()) (this->*handler->second)(index, event);
}

Note& SceneMaker::add_note(LaneIndex lane, EventIndex event, std::string text, Tone tone,
                           Importance importance) {
  scene_.notes.push_back({lane, event, std::move(text), {}, tone, importance});
  return scene_.notes.back();
}

namespace {

/// The event at this moment, or the one before it. None in an empty trace.
std::optional<EventIndex> event_at(const model::RecordedTrace& trace,
                                   const checker::Moment& moment) {
  if (trace.events.empty()) return std::nullopt;
  const auto order =
      static_cast<std::size_t>(std::min<std::uint64_t>(moment.order, trace.events.size() - 1));
  return order;
}

}  // namespace

void SceneMaker::add_verdicts() {
  for (const checker::Verdict& verdict : example_.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated || verdict.evidence.empty()) continue;
    const auto lane_of = [&](std::size_t evidence) -> std::optional<LaneIndex> {
      const checker::NameId who = verdict.evidence[evidence].who;
      if (who == checker::no_name) return std::nullopt;
      return cast_.lane_named(example_.names.text(who));
    };
    if (verdict.overlap_from_ns && verdict.overlap_until_ns && verdict.evidence.size() >= 2) {
      const auto one = lane_of(0);
      const auto other = lane_of(1);
      if (one && other && !scene_.overlap) {
        scene_.overlap = Overlap{*one, *other, *verdict.overlap_from_ns, *verdict.overlap_until_ns};
      }
      continue;
    }
    const std::size_t last = verdict.evidence.size() - 1;
    const auto lane = lane_of(last);
    const checker::Evidence& evidence = verdict.evidence[last];
    const auto event = event_at(trace_, evidence.until.value_or(evidence.from));
    if (!lane || !event) continue;
    add_note(*lane, *event, "\u2717 " + std::string(checker::to_string(verdict.property)),
             Tone::bad, Importance::essential)
        .detail = harmless(verdict.summary);
  }
}

Scene make_scene(const search::Example& example) { return SceneMaker(example).make(); }

}  // namespace lockstep::reports
