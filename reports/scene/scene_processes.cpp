// Messages, and what happens to processes, their clocks and their data.
#include <fmt/format.h>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/scene/scene_maker.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t label_characters_max = 24;

bool is_essential(const TraceMessage& message) {
  return message.fate == Fate::lost || message.fate == Fate::waits || message.delayed_by_ns > 0 ||
         message.was_held_back;
}

/// "1 key", of what was saved or restored.
std::string keys_in(const model::RecordedEvent& event) {
  return fmt::format("{} {}", event.number("keys"), event.number("keys") == 1 ? "key" : "keys");
}

}  // namespace

// -- messages --

Flight SceneMaker::flight_of(const TraceMessage& message) const {
  Flight flight{.from = message.from,
                .to = message.to,
                .sent = message.sent,
                .ended = message.ended,
                .fate = message.fate,
                .is_reply = !replied_label(message.label).empty(),
                .label = brief(message.label, label_characters_max),
                .description = {}};
  if (message.label == "message") flight.label = "published";
  if (flight.is_reply && message.fate != Fate::lost) flight.label = "reply";
  const bool is_access = scene_.lanes[message.from].kind == LaneKind::resource ||
                         scene_.lanes[message.to].kind == LaneKind::resource;
  if (is_access || is_essential(message)) flight.importance = Importance::essential;
  flight.description = fmt::format("{} sends {} to {}", scene_.lanes[message.from].shown,
                                   brief(message.label), scene_.lanes[message.to].shown);
  if (message.delayed_by_ns > 0) {
    flight.label += fmt::format(", {} late", checker::milliseconds(message.delayed_by_ns));
  }
  if (message.was_held_back) flight.label += ", held back";
  if (message.fate == Fate::lost) {
    flight.label += " lost";
    flight.description += fmt::format("; it is lost ({})", brief(message.why_lost));
  }
  return flight;
}

void SceneMaker::on_message_sent(EventIndex index, const Event& /*event*/) {
  const TraceMessage* message = messages_.sent_at(index);
  if (message == nullptr || !message->is_shown) return;
  Flight flight = flight_of(*message);
  const std::string_view replied = replied_label(message->label);
  const auto known = executed_.find(message->from);
  Executed* const executed = known == executed_.end() ? nullptr : &executions_[known->second];
  if (!replied.empty() && executed != nullptr && executed->label == replied &&
      executed->by == message->on_behalf_of &&
      trace_.events[executed->event].at == trace_.events[index].at) {
    executed->reply = scene_.flights.size();
    flight.description += ": " + brief(executed->answer.raw, 200);
  }
  flights_.emplace(index, scene_.flights.size());
  scene_.flights.push_back(std::move(flight));
}

void SceneMaker::on_message_delivered(EventIndex index, const Event& /*event*/) {
  const TraceMessage* message = messages_.ended_at(index);
  if (message == nullptr || !message->is_shown) return;
  const auto flight = flights_.find(message->sent);
  if (flight != flights_.end()) requests_[message->to].push_back(flight->second);
}

// -- processes --

void SceneMaker::open_span(SpanKind kind, LaneIndex lane, EventIndex event) {
  const auto [open, is_new] = open_spans_.emplace(std::pair(kind, lane), scene_.spans.size());
  if (is_new) scene_.spans.push_back({kind, lane, event, std::nullopt});
}

void SceneMaker::close_span(SpanKind kind, LaneIndex lane, EventIndex event) {
  const auto open = open_spans_.find(std::pair(kind, lane));
  if (open == open_spans_.end()) return;
  scene_.spans[open->second].until = event;
  open_spans_.erase(open);
}

void SceneMaker::on_paused(EventIndex index, const Event& event) {
  const std::int64_t for_ns = event.number("for_ns");
  const std::string text = for_ns < 0 ? "paused" : "paused for " + checker::milliseconds(for_ns);
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    add_note(lane, index, text, Tone::fault, Importance::essential);
    open_span(SpanKind::paused, lane, index);
  }
}

void SceneMaker::on_resumed(EventIndex index, const Event& event) {
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    add_note(lane, index, "goes on", Tone::fault, Importance::essential);
    close_span(SpanKind::paused, lane, index);
  }
}

void SceneMaker::on_crashed(EventIndex index, const Event& event) {
  const bool was_asked_to = index > 0 && trace_.events[index - 1].actor == event.actor &&
                            trace_.events[index - 1].kind == model::trace_kind::node_shut_down;
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    add_note(lane, index, was_asked_to ? "shut down" : "crashed", Tone::fault,
             Importance::essential);
    close_span(SpanKind::paused, lane, index);
    open_span(SpanKind::crashed, lane, index);
  }
}

void SceneMaker::on_restarted(EventIndex index, const Event& event) {
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    add_note(lane, index, "restarted", Tone::fault, Importance::essential);
    close_span(SpanKind::crashed, lane, index);
  }
}

void SceneMaker::on_clock_changed(EventIndex index, const Event& event) {
  const std::int64_t by_ns = event.number("by_ns");
  const std::string text =
      by_ns != 0
          ? fmt::format("clock steps by {}{}", by_ns > 0 ? "+" : "", checker::milliseconds(by_ns))
          : fmt::format("clocks run {:+} ppm", event.number("drift_ppm"));
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    add_note(lane, index, text, Tone::fault, Importance::essential);
  }
}

void SceneMaker::on_node_promoted(EventIndex index, const Event& event) {
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    add_note(lane, index, "becomes master in place of " + brief(event.text("in_place_of")),
             Tone::fault, Importance::essential);
  }
}

void SceneMaker::on_dataset_saved(EventIndex index, const Event& event) {
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    add_note(lane, index, "saves a snapshot: " + keys_in(event), Tone::plain,
             Importance::essential);
  }
}

void SceneMaker::on_dataset_restored(EventIndex index, const Event& event) {
  const std::string_view from = event.text("from");
  std::string text = "finds nothing on its disk";
  if (from != "nothing") {
    text = keys_in(event);
    text += " from its ";
    text += brief(from);
  }
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    add_note(lane, index, text, Tone::fault, Importance::essential);
  }
}

void SceneMaker::on_disk_lost(EventIndex index, const Event& event) {
  std::string text = "lost what was not synced: ";
  text += std::to_string(event.number("bytes"));
  text += " bytes";
  for (const LaneIndex lane : lane_map_.lanes_of(event.actor)) {
    add_note(lane, index, text, Tone::fault, Importance::essential);
  }
}

}  // namespace lockstep::reports
