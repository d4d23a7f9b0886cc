#include "reports/scene/scene_maker.h"

#include <algorithm>
#include <array>

#include "checker/text.h"
#include "model/cluster/cluster_trace.h"
#include "model/trace_vocabulary.h"
#include "reports/scene/verdict_words.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t joined_characters_max = 40;
constexpr std::size_t note_characters_max = 120;

}  // namespace

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
      {sim_kind::direction_cut, &SceneMaker::on_direction_cut},
      {sim_kind::direction_healed, &SceneMaker::on_direction_healed},
      {sim_kind::link_slowed, &SceneMaker::on_link_slowed},
      {sim_kind::listening_stopped, &SceneMaker::on_listening_stopped},
      {sim_kind::listening_again, &SceneMaker::on_listening_again},
      {sim_kind::process_slowed, &SceneMaker::on_slowed},
      {model_kind::fault_struck, &SceneMaker::on_fault_struck},
      {model_kind::fault_ended, &SceneMaker::on_fault_ended},
      {model_kind::clock_changed, &SceneMaker::on_clock_changed},
      {model_kind::node_promoted, &SceneMaker::on_node_promoted},
      {model_kind::sentinel_event, &SceneMaker::on_sentinel_event},
      {model_kind::master_learnt, &SceneMaker::on_master_learnt},
      {model_kind::cluster_suspected, &SceneMaker::on_cluster_step},
      {model_kind::cluster_failed, &SceneMaker::on_cluster_step},
      {model_kind::cluster_recovered, &SceneMaker::on_cluster_step},
      {model_kind::cluster_hindered, &SceneMaker::on_cluster_step},
      {model_kind::cluster_vote_requested, &SceneMaker::on_cluster_step},
      {model_kind::cluster_voted, &SceneMaker::on_cluster_step},
      {model_kind::cluster_elected, &SceneMaker::on_cluster_step},
      {model_kind::cluster_slots_moved, &SceneMaker::on_cluster_step},
      {model_kind::cluster_state, &SceneMaker::on_cluster_step},
      {model_kind::dataset_saved, &SceneMaker::on_dataset_saved},
      {model_kind::dataset_restored, &SceneMaker::on_dataset_restored},
      {model_kind::disk_lost, &SceneMaker::on_disk_lost},
      {model_kind::step_invoked, &SceneMaker::on_step_invoked},
      {model_kind::service_invoked, &SceneMaker::on_service_invoked},
      {model_kind::step_completed, &SceneMaker::on_step_completed},
      {model_kind::belief_began, &SceneMaker::on_belief_began},
      {model_kind::belief_ended, &SceneMaker::on_belief_ended},
      {model_kind::call_timed_out, &SceneMaker::on_call_timed_out},
      {model_kind::call_retried, &SceneMaker::on_call_retried},
      {model_kind::client_failed, &SceneMaker::on_client_failed},
      {model_kind::client_logged, &SceneMaker::on_client_logged},
      {model_kind::command_executed, &SceneMaker::on_command_executed},
      {model_kind::lock_changed, &SceneMaker::on_lock_changed},
      {model_kind::number_changed, &SceneMaker::on_number_changed},
      {model_kind::queue_changed, &SceneMaker::on_queue_changed},
      {model_kind::resource_read, &SceneMaker::on_resource_read},
      {model_kind::resource_written, &SceneMaker::on_resource_written},
      {model_kind::resource_refused, &SceneMaker::on_resource_refused},
  };
  return table;
}

SceneMaker::SceneMaker(const search::RunRecord& example)
    : example_(example),
      trace_(example.trace),
      lane_map_(example.trace.actors),
      messages_(example.trace, lane_map_),
      quorum_keys_(example.trace, lane_map_) {
  scene_.lanes = lane_map_.lanes();
  find_locks();
}

void SceneMaker::find_locks() {
  for (const Event& event : trace_.events) {
    const std::string_view lock = event.text("lock");
    if (!lock.empty()) static_cast<void>(lock_index(lock));
  }
}

Scene SceneMaker::make() {
  for (EventIndex index = 0; index < trace_.events.size(); ++index) see(index);
  note_ends_of_faults();
  note_replies();
  add_verdicts();
  join_pipelines();
  std::stable_sort(scene_.notes.begin(), scene_.notes.end(),
                   [](const Note& one, const Note& other) { return one.event < other.event; });
  scene_.messages_left_out = messages_.left_out();
  return std::move(scene_);
}

void SceneMaker::see(EventIndex index) {
  const Event& event = trace_.events[index];
  const auto handler = handlers().find(event.kind);
  if (handler != handlers().end()) (this->*handler->second)(index, event);
  for (const NodeKeyChange& change : quorum_keys_.see(event)) move_node_key(index, change);
}

Note& SceneMaker::add_note(LaneIndex lane, EventIndex event, std::string text, Tone tone,
                           Importance importance) {
  scene_.notes.push_back({lane, event, shortened(text, note_characters_max), {}, tone, importance});
  if (tone == Tone::fault) scene_.notes.back().kind = NoteKind::fault;
  if (tone == Tone::bad) scene_.notes.back().kind = NoteKind::wrong;
  return scene_.notes.back();
}

namespace {

/// The last event of this moment's instant. None in an empty trace.
std::optional<EventIndex> last_event_at(const model::RecordedTrace& trace,
                                        const checker::Moment& moment) {
  const auto after = std::upper_bound(
      trace.events.begin(), trace.events.end(), moment.at_ns,
      [](sim::TimeNs at, const model::RecordedEvent& event) { return at < event.at; });
  if (after == trace.events.begin()) return std::nullopt;
  return static_cast<EventIndex>(after - trace.events.begin()) - 1;
}

}  // namespace

void SceneMaker::add_verdicts() {
  for (const checker::Verdict& verdict : example_.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated || verdict.evidence.empty()) continue;
    const auto lane_of = [&](std::size_t evidence) -> std::optional<LaneIndex> {
      const checker::NameId who = verdict.evidence[evidence].who;
      if (who == checker::no_name) return lane_before(verdict.evidence[evidence].from);
      return lane_map_.lane_named(example_.names.text(who));
    };
    if (verdict.overlap_from_ns && verdict.overlap_until_ns && verdict.evidence.size() >= 2) {
      const auto one = lane_of(0);
      const auto other = lane_of(1);
      if (one && other && !scene_.overlap) {
        scene_.overlap = Overlap{*one, *other, *verdict.overlap_from_ns, *verdict.overlap_until_ns};
      }
      continue;
    }
    // Of these the second is what did it (the write, the passage); of the others the first broke.
    const bool is_second = verdict.property == checker::Property::harm ||
                           verdict.property == checker::Property::latch ||
                           verdict.property == checker::Property::fencing;
    const std::size_t which = is_second ? std::min<std::size_t>(1, verdict.evidence.size() - 1) : 0;
    const auto lane = lane_of(which);
    const checker::Evidence& evidence = verdict.evidence[which];
    const auto event = last_event_at(trace_, evidence.until.value_or(evidence.from));
    if (!lane || !event) continue;
    if (verdict.property == checker::Property::harm && mark_harm(*lane, *event, verdict)) continue;
    add_note(*lane, *event, mark_in_words(verdict, example_.names), Tone::bad,
             Importance::essential)
        .detail = brief(verdict.summary, 300);
    mark_wait(verdict);
  }
}

/// At the write itself, where the resource has one of that instant.
bool SceneMaker::mark_harm(LaneIndex writer, EventIndex last, const checker::Verdict& verdict) {
  const std::string_view by = lane_map_.lanes()[writer].name;
  for (EventIndex index = last + 1; index-- > 0;) {
    const Event& event = trace_.events[index];
    if (event.at != trace_.events[last].at) break;
    const auto lane = lane_map_.lane_of(event.actor);
    const bool is_meant =
        event.kind == model::trace_kind::resource_written && lane && event.text("by") == by;
    if (!is_meant) continue;
    const std::string mark = mark_in_words(verdict, example_.names);
    const std::string summary = brief(verdict.summary, 300);
    for (Note& note : scene_.notes) {  // what it lost has been said already
      if (note.event != index || note.tone != Tone::bad) continue;
      constexpr std::string_view cross = "\u2717 ";
      if (note.text.starts_with(cross)) note.text.erase(0, cross.size());
      note.text = mark + ": " + note.text;
      note.detail = summary;
      return true;
    }
    add_note(*lane, index, mark, Tone::bad, Importance::essential).detail = summary;
    return true;
  }
  return false;
}

void SceneMaker::mark_wait(const checker::Verdict& verdict) {
  using checker::Property;
  const bool is_wait = verdict.property == Property::no_deadlock ||
                       verdict.property == Property::no_lost_wakeup ||
                       verdict.property == Property::no_starvation;
  for (const checker::Evidence& evidence : verdict.evidence) {
    if (!is_wait || !evidence.until || evidence.who == checker::no_name) continue;
    const auto lane = lane_map_.lane_named(example_.names.text(evidence.who));
    const auto event = last_event_at(trace_, *evidence.until);
    if (!lane || !event) continue;
    scene_.violation_spans.push_back({*lane, evidence.from.at_ns, evidence.until->at_ns});
    add_note(*lane, *event,
             "waited " + checker::milliseconds(evidence.until->at_ns - evidence.from.at_ns),
             Tone::bad, Importance::essential);
  }
}

std::optional<LaneIndex> SceneMaker::lane_before(const checker::Moment& moment) const {
  const std::uint64_t end = std::min<std::uint64_t>(moment.order, trace_.events.size());
  for (auto index = static_cast<EventIndex>(end); index-- > 0;) {
    if (trace_.events[index].at != moment.at_ns) break;
    if (const auto lane = lane_map_.lane_of(trace_.events[index].actor)) return lane;
  }
  return std::nullopt;
}

/// Messages that leave and arrive together are drawn as one.
void SceneMaker::join_pipelines() {
  std::map<std::array<std::int64_t, 5>, std::size_t> first;
  std::vector<Flight> joined;
  for (Flight& flight : scene_.flights) {
    const std::array<std::int64_t, 5> journey{
        static_cast<std::int64_t>(flight.from), static_cast<std::int64_t>(flight.to),
        trace_.events[flight.sent].at, trace_.events[flight.ended].at,
        static_cast<std::int64_t>(flight.fate)};
    const auto [known, is_new] = first.emplace(journey, joined.size());
    if (is_new || flight.fate == Fate::under_way) {
      joined.push_back(std::move(flight));
      continue;
    }
    Flight& together = joined[known->second];
    together.label = shortened(together.label + " + " + flight.label, joined_characters_max);
    together.description += "; " + flight.description;
    together.importance = std::max(together.importance, flight.importance);
  }
  scene_.flights = std::move(joined);
}

sim::TimeNs end_of(const Bar& bar, const model::RecordedTrace& trace) {
  return bar.until_ns >= 0 ? bar.until_ns : trace.events[*bar.until].at;
}

Scene make_scene(const search::RunRecord& example) { return SceneMaker(example).make(); }

}  // namespace lockstep::reports
