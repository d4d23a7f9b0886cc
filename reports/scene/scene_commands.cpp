#include "reports/scene/scene_commands.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

constexpr std::string_view reply_label = "reply";
constexpr std::size_t raw_characters_max = 24;
constexpr std::size_t error_characters_max = 80;

/// Whether the arguments name the lock, or a key that is made of its name: "{orders}:queue".
bool are_about(std::string_view arguments, std::string_view lock) {
  const auto is_of_a_name = [](char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '_' || character == '-';
  };
  for (std::size_t at = arguments.find(lock); at != std::string_view::npos;
       at = arguments.find(lock, at + 1)) {
    const std::size_t end = at + lock.size();
    const bool begins = at == 0 || !is_of_a_name(arguments[at - 1]);
    if (begins && (end == arguments.size() || !is_of_a_name(arguments[end]))) return true;
  }
  return false;
}

constexpr std::size_t label_characters_max = 24;

bool is_essential(const TraceMessage& message) {
  return message.fate == Fate::lost || message.fate == Fate::waits || message.delayed_by_ns > 0 ||
         message.was_held_back;
}

}  // namespace

void SceneCommands::see(EventIndex index, const Event& event) {
  namespace model_kind = model::trace_kind;
  namespace sim_kind = sim::trace_kind;
  static const Handlers<SceneCommands> handlers{
      {sim_kind::message_sent, &SceneCommands::on_message_sent},
      {sim_kind::message_delivered, &SceneCommands::on_message_delivered},
      {model_kind::command_executed, &SceneCommands::on_command_executed},
  };
  dispatch(*this, handlers, index, event);
}

Flight SceneCommands::flight_of(const TraceMessage& message) const {
  Flight flight{.from = message.from,
                .to = message.to,
                .sent = message.sent,
                .ended = message.ended,
                .fate = message.fate,
                .is_reply = !replied_label(message.label).empty(),
                .label = brief(message.label, label_characters_max),
                .description = {}};
  if (message.label == "message") flight.label = "published";
  if (flight.is_reply) {  // in quotes: there is a command "client"
    flight.label = message.fate != Fate::lost
                       ? std::string(reply_label)
                       : fmt::format("reply to \"{}\"",
                                     brief(replied_label(message.label), label_characters_max));
  }
  const bool is_access = draft_.scene.lanes[message.from].kind == LaneKind::resource ||
                         draft_.scene.lanes[message.to].kind == LaneKind::resource;
  if (is_access || is_essential(message)) flight.importance = Importance::essential;
  flight.description = fmt::format("{} sends {} to {}", draft_.scene.lanes[message.from].shown,
                                   brief(message.label), draft_.scene.lanes[message.to].shown);
  if (message.delayed_by_ns > 0) {
    flight.label += fmt::format(", {} late", checker::milliseconds(message.delayed_by_ns));
  }
  if (message.was_held_back) flight.label += ", held back";
  const bool is_unread = message.why_lost == "connection-closed";
  if (is_unread) {
    flight.label += flight.is_reply ? " too late" : ", connection closed";
    flight.description += "; by then its connection is closed";
  } else if (message.fate == Fate::lost) {
    flight.label += " lost";
    flight.description += fmt::format("; it is lost ({})", brief(message.why_lost));
  }
  return flight;
}

void SceneCommands::on_message_sent(EventIndex index, const Event& /*event*/) {
  const TraceMessage* message = messages_.sent_at(index);
  if (message == nullptr || !message->is_shown) return;
  Flight flight = flight_of(*message);
  const std::string_view replied = replied_label(message->label);
  const auto known = executed_.find(message->from);
  Executed* const executed = known == executed_.end() ? nullptr : &executions_[known->second];
  if (!replied.empty() && executed != nullptr && executed->label == replied &&
      executed->by == message->on_behalf_of &&
      draft_.trace.events[executed->event].at == draft_.trace.events[index].at) {
    executed->reply = draft_.scene.flights.size();
    flight.description += ": " + brief(executed->answer.raw, 200);
  }
  flights_.emplace(index, draft_.scene.flights.size());
  draft_.scene.flights.push_back(std::move(flight));
}

void SceneCommands::on_message_delivered(EventIndex index, const Event& /*event*/) {
  const TraceMessage* message = messages_.ended_at(index);
  if (message == nullptr || !message->is_shown) return;
  const auto flight = flights_.find(message->sent);
  if (flight != flights_.end()) requests_[message->to].push_back(flight->second);
}

Answer SceneCommands::answer_to(LaneIndex node, const Event& event) const {
  Answer answer{.command = std::string(event.text("command")),
                .raw = std::string(event.text("reply")),
                .has_written = event.number("writes") > 0,
                .other = {},
                .taken_from = {}};
  const std::string_view by = event.text("on_behalf_of");
  const std::string_view arguments = event.text("arguments");
  if (quorum_keys_.count()) {
    const std::string owner = quorum_keys_.owner(node, arguments.substr(0, arguments.find(' ')));
    answer.had_it = owner == by;
    // Before this command's own effect: the first to ask for a key is told here, too.
    const bool is_refused = event.number("writes") == 0 && !owner.empty() && owner != by;
    if (is_refused) answer.other = owner;
    return answer;
  }
  for (std::size_t i = 0; i < draft_.locks.size(); ++i) {
    const LockState& lock = draft_.locks[i];
    if (lock.holders.empty() || !are_about(arguments, draft_.scene.locks[i])) continue;
    answer.had_it = answer.had_it || holds(lock.holders, by);
    if (holds(lock.holders, by)) continue;
    answer.other = lock.holders.front().owner;
    answer.others_left_ms =
        lock.lease_ends_ns < 0 ? -1 : (lock.lease_ends_ns - event.at) / sim::millisecond_ns;
  }
  return answer;
}

void SceneCommands::on_command_executed(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane || event.text("on_behalf_of").empty()) return;  // a sentinel that watches
  Executed executed{.event = index,
                    .note = draft_.scene.notes.size(),
                    .label = std::string(event.text("label")),
                    .by = std::string(event.text("on_behalf_of")),
                    .request = std::nullopt,
                    .reply = std::nullopt,
                    .tidies_up = false,
                    .answer = answer_to(*lane, event)};
  const auto thread = draft_.lane_map.lane_named(executed.by);
  executed.tidies_up = thread && clients_.acquires(*thread);
  std::vector<std::size_t>& waiting = requests_[*lane];
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const TraceMessage* message = messages_.sent_at(draft_.scene.flights[waiting[i]].sent);
    if (message->label != executed.label || message->on_behalf_of != executed.by) continue;
    executed.request = waiting[i];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  Note& note = draft_.add_note(*lane, index, {}, Tone::quiet, Importance::routine);
  note.actor = brief(executed.by);
  note.detail =
      fmt::format("{} executes {} for {}: {} {} \u2192 {}", draft_.scene.lanes[*lane].shown,
                  brief(executed.label), note.actor, brief(event.text("command")),
                  brief(event.text("arguments"), 200), brief(executed.answer.raw, 100));
  executed_[*lane] = executions_.size();
  executions_.push_back(std::move(executed));
}

Executed* SceneCommands::executed_now(EventIndex index, std::string_view by) {
  if (by.empty() || executions_.empty()) return nullptr;
  Executed& last = executions_.back();
  const bool is_now = draft_.trace.events[last.event].at == draft_.trace.events[index].at;
  return is_now && last.by == by ? &last : nullptr;
}

void SceneCommands::note_effect(EventIndex index, std::string_view by, CommandEffect effect) {
  if (Executed* const executed = executed_now(index, by)) executed->answer.effect = effect;
}

void SceneCommands::note_replies() {
  CommandRoles roles;
  for (const Executed& executed : executions_) {
    roles.learn(executed.label, executed.answer.effect, executed.answer.raw);
  }
  std::set<std::string> with_errors;  // labels: the first error of each is shown
  for (Executed& executed : executions_) {
    const CommandRole role = roles.of(executed.label);
    executed.answer.is_reply_of_grants =
        roles.is_reply_of_grants(executed.label, executed.answer.raw);
    const bool is_ineffective = was_ineffective(executed.answer) && executed.request;
    const bool is_failure = is_error(executed.answer) && !is_made_good(executed.answer);
    if (is_failure && with_errors.count(executed.label) == 0) {
      if (note_error(executed)) with_errors.insert(executed.label);
    } else if (is_ineffective)
      note_ineffective_command(executed, role);
    if (!executed.reply) continue;
    const Note& note = draft_.scene.notes[executed.note];
    const bool is_essential =
        note.event == executed.event && note.importance == Importance::essential;
    if (is_essential) draft_.scene.flights[*executed.reply].importance = Importance::essential;
    Flight& reply = draft_.scene.flights[*executed.reply];
    if (reply.fate == Fate::lost || !reply.label.starts_with(reply_label)) continue;
    const auto words = reply_in_words(executed.answer, role);
    const std::string raw = brief(executed.answer.raw, raw_characters_max);
    const std::string told = words ? brief(*words, raw_characters_max * 2) : raw;
    if (!told.empty()) reply.label.replace(0, reply_label.size(), told);
  }
}

bool SceneCommands::note_error(const Executed& executed) {
  Note& note = draft_.scene.notes[executed.note];
  if (note.event != executed.event || !note.text.empty()) return false;
  note.text = brief(executed.answer.raw, error_characters_max);
  note.tone = Tone::plain;
  note.importance = Importance::essential;
  if (executed.request) draft_.scene.flights[*executed.request].importance = Importance::essential;
  draft_.scene.kept.push_back(draft_.trace.events[executed.event].at);
  return true;
}

/// Who asks for what another holds finds this out here.
void SceneCommands::note_ineffective_command(const Executed& executed, CommandRole role) {
  Note& note = draft_.scene.notes[executed.note];
  if (note.event != executed.event || !note.text.empty()) return;
  const Answer& answer = executed.answer;
  if (is_error(answer)) return;
  const bool needs_it = role == CommandRole::gives_back || role == CommandRole::renews;
  if (needs_it && !answer.had_it) {
    note.text = "not " + note.actor + "'s";
    if (!answer.other.empty()) note.text += ": " + brief(answer.other) + " has it";
    if (executed.tidies_up) return;
    note.kind = NoteKind::ineffective_call;
    // Who had a majority gives back at all nodes, also where it had nothing.
    if (quorum_keys_.count()) return;
    note.tone = Tone::plain;
    note.importance = Importance::essential;
    return;
  }
  if (!answer.other.empty()) {
    note.text = "held by " + brief(answer.other);
  } else if (!is_refused_attempt(answer, role)) {
    return;
  } else if (answer.had_it) {
    note.text = note.actor + " has it already";
  }
  note.kind = NoteKind::refused_attempt;
}

void SceneCommands::make_essential(LaneIndex lane) {
  const auto known = executed_.find(lane);
  if (known == executed_.end()) return;
  const Executed& executed = executions_[known->second];
  if (executed.request) draft_.scene.flights[*executed.request].importance = Importance::essential;
  if (executed.reply) draft_.scene.flights[*executed.reply].importance = Importance::essential;
}

Note& SceneCommands::note_change(LaneIndex lane, EventIndex index, std::string text, Tone tone,
                                 Importance importance) {
  const Event& event = draft_.trace.events[index];
  const auto known = executed_.find(lane);
  const Executed* const executed = known == executed_.end() ? nullptr : &executions_[known->second];
  const bool is_of_command = executed != nullptr && !event.text("by").empty() &&
                             draft_.trace.events[executed->event].at == event.at;
  if (!is_of_command || draft_.scene.notes[executed->note].event != executed->event) {
    return draft_.add_note(lane, index, std::move(text), tone, importance);
  }
  Note& note = draft_.scene.notes[executed->note];
  if (importance == Importance::essential) make_essential(lane);
  note.text = std::move(text);
  note.tone = tone;
  note.importance = importance;
  return note;
}

/// Where a command did it, its note says it.
Note& SceneCommands::note_node_key(EventIndex index, LaneIndex node, std::string text) {
  const auto known = executed_.find(node);
  const bool is_told = known != executed_.end() && executions_[known->second].event == index &&
                       executions_[known->second].note < draft_.scene.notes.size();
  if (!is_told)
    return draft_.add_note(node, index, std::move(text), Tone::plain, Importance::essential);
  Note& note = draft_.scene.notes[executions_[known->second].note];
  note.text = std::move(text);
  note.tone = Tone::plain;
  note.importance = Importance::essential;
  make_essential(node);
  return note;
}

Executed* SceneCommands::executed_at(LaneIndex node, EventIndex index) {
  const auto known = executed_.find(node);
  const bool is_it = known != executed_.end() && executions_[known->second].event == index;
  return is_it ? &executions_[known->second] : nullptr;
}

}  // namespace lockstep::reports
