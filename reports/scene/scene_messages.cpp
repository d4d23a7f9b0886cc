#include "reports/scene/scene_messages.h"

#include <algorithm>
#include <array>

#include "model/trace_vocabulary.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

/// What every run is full of and no reviewer asks for, unless a fault strikes it.
constexpr std::array<std::string_view, 14> background_labels{
    "subscribe",     "unsubscribe",     "psync",       "full synchronisation",
    "acknowledge",   "acknowledge now", "role",        "get-master-addr-by-name",
    "cluster slots", "gossip ping",     "gossip pong", "fail",
    "update",        "vote request"};

bool is_background(std::string_view label) {
  const std::string_view replied = replied_label(label);
  return std::find(background_labels.begin(), background_labels.end(),
                   replied.empty() ? label : replied) != background_labels.end();
}

bool tells_of_a_failover(const model::RecordedTrace& trace) {
  return std::any_of(trace.events.begin(), trace.events.end(), [](const auto& event) {
    return event.kind == model::trace_kind::node_promoted;
  });
}

/// Sentinels watch all the time; what comes of it is told in notes.
bool is_watching(const TraceMessage& message, const LaneMap& lane_map) {
  return lane_map.lanes()[message.from].kind == LaneKind::sentinel ||
         lane_map.lanes()[message.to].kind == LaneKind::sentinel;
}

bool is_shown(const TraceMessage& message, const LaneMap& lane_map, bool with_replication) {
  const bool was_struck = message.delayed_by_ns > 0 || message.was_held_back ||
                          message.why_lost == "dropped" || message.why_lost == "connection-reset";
  if (was_struck) return true;
  if (is_background(message.label) || is_watching(message, lane_map)) return false;
  return message.label != "replication" || with_replication;
}

}  // namespace

std::string_view replied_label(std::string_view label) {
  constexpr std::string_view prefix = "reply to ";
  return label.starts_with(prefix) ? label.substr(prefix.size()) : std::string_view();
}

TraceMessages::TraceMessages(const model::RecordedTrace& trace, const LaneMap& lane_map) {
  for (EventIndex event = 0; event < trace.events.size(); ++event) read(trace, lane_map, event);
  const bool with_replication = tells_of_a_failover(trace);
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    TraceMessage& message = messages_[i];
    message.is_shown = is_shown(message, lane_map, with_replication);
    by_sending_.emplace(message.sent, i);
    if (message.fate == Fate::under_way) {
      message.ended = trace.events.size() - 1;
    } else {
      by_end_.emplace(message.ended, i);
    }
  }
}

void TraceMessages::read(const model::RecordedTrace& trace, const LaneMap& lane_map,
                         EventIndex event) {
  const model::RecordedEvent& told = trace.events[event];
  if (told.kind == sim::trace_kind::message_sent) {
    const std::string_view by = told.text("on_behalf_of");
    const auto from = lane_map.lane_of(told.actor, by);
    const std::span<const LaneIndex> receivers = lane_map.lanes_of(told.text("to"));
    if (!from || receivers.empty()) return;
    const auto thread = std::find_if(receivers.begin(), receivers.end(), [&](LaneIndex lane) {
      return lane_map.lanes()[lane].name == by;
    });
    TraceMessage message{.number = told.number("message"),
                         .from = *from,
                         .to = thread == receivers.end() ? receivers.front() : *thread,
                         .sent = event,
                         .ended = event,
                         .label = std::string(told.text("label")),
                         .on_behalf_of = std::string(by),
                         .why_lost = {}};
    by_number_[message.number] = messages_.size();
    messages_.push_back(std::move(message));
    return;
  }
  const bool is_delivered = told.kind == sim::trace_kind::message_delivered;
  const bool is_lost = told.kind == sim::trace_kind::message_lost;
  const bool is_held_back = told.kind == sim::trace_kind::message_held;
  if (!is_delivered && !is_lost && !is_held_back && told.kind != sim::trace_kind::message_delayed)
    return;
  const auto found = by_number_.find(told.number("message"));
  if (found == by_number_.end()) return;
  TraceMessage& message = messages_[found->second];
  if (is_delivered || is_lost) message.ended = event;
  if (is_delivered) message.fate = told.number("waits") != 0 ? Fate::waits : Fate::arrived;
  if (is_lost) message.fate = Fate::lost;
  if (is_lost) message.why_lost = told.text("why");
  if (is_held_back) message.was_held_back = true;
  if (told.kind == sim::trace_kind::message_delayed) message.delayed_by_ns = told.number("by_ns");
}

const TraceMessage* TraceMessages::sent_at(EventIndex event) const {
  const auto found = by_sending_.find(event);
  return found == by_sending_.end() ? nullptr : &messages_[found->second];
}

const TraceMessage* TraceMessages::ended_at(EventIndex event) const {
  const auto found = by_end_.find(event);
  return found == by_end_.end() ? nullptr : &messages_[found->second];
}

std::size_t TraceMessages::left_out() const {
  return static_cast<std::size_t>(
      std::count_if(messages_.begin(), messages_.end(),
                    [](const TraceMessage& message) { return !message.is_shown; }));
}

}  // namespace lockstep::reports
