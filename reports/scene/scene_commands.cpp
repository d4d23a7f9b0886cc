// What nodes execute, what it did to the lock, and what they answered.
#include <fmt/format.h>

#include <algorithm>

#include "reports/scene/scene_maker.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

constexpr std::string_view reply_label = "reply";
constexpr std::size_t raw_characters_max = 24;

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

}  // namespace

Answer SceneMaker::answer_to(LaneIndex node, const Event& event) const {
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
  for (std::size_t i = 0; i < locks_.size(); ++i) {
    const LockState& lock = locks_[i];
    if (lock.holders.empty() || !are_about(arguments, scene_.locks[i])) continue;
    answer.had_it = answer.had_it || holds(lock.holders, by);
    if (holds(lock.holders, by)) continue;
    answer.other = lock.holders.front().owner;
    answer.others_left_ms =
        lock.lease_ends_ns < 0 ? -1 : (lock.lease_ends_ns - event.at) / sim::millisecond_ns;
  }
  return answer;
}

void SceneMaker::on_command_executed(EventIndex index, const Event& event) {
  const auto lane = lane_map_.lane_of(event.actor);
  if (!lane || event.text("on_behalf_of").empty()) return;  // a sentinel that watches
  Executed executed{.event = index,
                    .note = scene_.notes.size(),
                    .label = std::string(event.text("label")),
                    .by = std::string(event.text("on_behalf_of")),
                    .request = std::nullopt,
                    .reply = std::nullopt,
                    .tidies_up = false,
                    .answer = answer_to(*lane, event)};
  if (const auto thread = lane_map_.lane_named(executed.by)) {
    const auto service = services_.find(*thread);
    executed.tidies_up = service != services_.end() && service->second.starts_with("acquire");
  }
  std::vector<std::size_t>& waiting = requests_[*lane];
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const TraceMessage* message = messages_.sent_at(scene_.flights[waiting[i]].sent);
    if (message->label != executed.label || message->on_behalf_of != executed.by) continue;
    executed.request = waiting[i];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  Note& note = add_note(*lane, index, {}, Tone::quiet, Importance::routine);
  note.actor = brief(executed.by);
  note.detail = fmt::format("{} executes {} for {}: {} {} \u2192 {}", scene_.lanes[*lane].shown,
                            brief(executed.label), note.actor, brief(event.text("command")),
                            brief(event.text("arguments"), 200), brief(executed.answer.raw, 100));
  executed_[*lane] = executions_.size();
  executions_.push_back(std::move(executed));
}

SceneMaker::Executed* SceneMaker::executed_now(EventIndex index, std::string_view by) {
  if (by.empty() || executions_.empty()) return nullptr;
  Executed& last = executions_.back();
  const bool is_now = trace_.events[last.event].at == trace_.events[index].at;
  return is_now && last.by == by ? &last : nullptr;
}

void SceneMaker::note_effect(EventIndex index, std::string_view by, CommandEffect effect) {
  if (Executed* const executed = executed_now(index, by)) executed->answer.effect = effect;
}

void SceneMaker::note_replies() {
  CommandRoles roles;
  for (const Executed& executed : executions_) roles.learn(executed.label, executed.answer.effect);
  for (const Executed& executed : executions_) {
    const CommandRole role = roles.of(executed.label);
    const bool is_ineffective = was_ineffective(executed.answer) && executed.request;
    if (is_ineffective) note_ineffective_command(executed, role);
    if (!executed.reply) continue;
    const Note& note = scene_.notes[executed.note];
    const bool is_essential =
        note.event == executed.event && note.importance == Importance::essential;
    if (is_essential) scene_.flights[*executed.reply].importance = Importance::essential;
    Flight& reply = scene_.flights[*executed.reply];
    if (reply.fate == Fate::lost || !reply.label.starts_with(reply_label)) continue;
    const auto words = reply_in_words(executed.answer, role);
    const std::string raw = brief(executed.answer.raw, raw_characters_max);
    const std::string told = words ? brief(*words, raw_characters_max * 2) : raw;
    if (!told.empty()) reply.label.replace(0, reply_label.size(), told);
  }
}

/// Who asks for what another holds finds this out here.
void SceneMaker::note_ineffective_command(const Executed& executed, CommandRole role) {
  Note& note = scene_.notes[executed.note];
  if (note.event != executed.event || !note.text.empty()) return;
  const Answer& answer = executed.answer;
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
  if (answer.other.empty()) {
    if (role == CommandRole::asks && !answer.had_it) note.kind = NoteKind::refused_attempt;
    return;
  }
  note.text = "held by " + brief(answer.other);
  note.kind = NoteKind::refused_attempt;
}

}  // namespace lockstep::reports
