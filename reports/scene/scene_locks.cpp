// What becomes of the lock, and what happens to the resource.
#include <fmt/format.h>

#include <algorithm>

#include "checker/text.h"
#include "reports/scene/scene_maker.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {

std::size_t SceneMaker::lock_index(std::string_view name) {
  const auto found = std::find(scene_.locks.begin(), scene_.locks.end(), name);
  const auto index = static_cast<std::size_t>(found - scene_.locks.begin());
  if (found == scene_.locks.end()) {
    scene_.locks.emplace_back(name);
    locks_.emplace_back();
  }
  return index;
}

std::string SceneMaker::at_lock(std::size_t lock) const {
  if (scene_.locks.size() == 1) return "the lock";
  return "\u201C" + brief(scene_.locks[lock], 24) + "\u201D";
}

// -- the lock's true state --

std::string SceneMaker::change_in_words(const Event& event, const LockState& before,
                                        const LockState& after) const {
  const auto node = lane_map_.lane_of(event.actor);
  const bool is_crashed = node && open_spans_.contains({SpanKind::crashed, *node});
  const std::string cause(event.text("cause"));
  const std::string by = brief(event.text("by"));
  std::string owners;
  for (const Holder& holder : before.holders) {
    owners += (owners.empty() ? "" : ", ") + brief(holder.owner);
  }
  if (cause == "expiry" && after.holders.empty()) return "the lease of " + owners + " is over";
  std::string words = after.holders == before.holders && !after.holders.empty()
                          ? "lease of " + owners + " renewed"
                          : brief(holders_in_words(after.holders));
  if (after.holders.empty() && cause == "failover") {
    words = is_crashed ? owners + "'s lock is gone with it" : "free: does not know of " + owners;
  }
  if (after.holders.empty() && cause == "eviction") words = owners + "'s lock is evicted";
  if (after.holders.empty() && cause == "other") words = "free: deleted by an operator";
  const bool takes_away =
      std::any_of(before.holders.begin(), before.holders.end(), [&](const Holder& holder) {
        return holder.owner != event.text("by") && !holds(after.holders, holder.owner);
      });
  if (takes_away && !by.empty()) words += fmt::format(": {} took it from {}", by, owners);
  return words;
}

void SceneMaker::make_essential(LaneIndex lane) {
  const auto known = executed_.find(lane);
  if (known == executed_.end()) return;
  const Executed& executed = executions_[known->second];
  if (executed.request) scene_.flights[*executed.request].importance = Importance::essential;
  if (executed.reply) scene_.flights[*executed.reply].importance = Importance::essential;
}

Note& SceneMaker::note_change(LaneIndex lane, EventIndex index, std::string text, Tone tone,
                              Importance importance) {
  const Event& event = trace_.events[index];
  const auto known = executed_.find(lane);
  const Executed* const executed = known == executed_.end() ? nullptr : &executions_[known->second];
  const bool is_of_command = executed != nullptr && !event.text("by").empty() &&
                             trace_.events[executed->event].at == event.at;
  if (!is_of_command || scene_.notes[executed->note].event != executed->event) {
    return add_note(lane, index, std::move(text), Tone::plain, importance);
  }
  Note& note = scene_.notes[executed->note];
  if (importance == Importance::essential) make_essential(lane);
  note.text = std::move(text);
  note.tone = tone;
  note.importance = importance;
  return note;
}

void SceneMaker::on_number_changed(EventIndex index, const Event& event) {
  const auto lane = lane_map_.lane_of(event.actor);
  if (!lane) return;
  const std::size_t lock = lock_index(event.text("lock"));
  const std::int64_t left = event.number("left");
  std::string text = left < 0 ? std::string("the key is gone") : fmt::format("{} left", left);
  if (scene_.locks.size() > 1) text = at_lock(lock) + " " + text;
  note_change(*lane, index, std::move(text), Tone::plain, Importance::essential).kind =
      NoteKind::count;
  if (Executed* const executed = executed_now(index, event.text("by"))) {
    executed->answer.effect = CommandEffect::counted;
    executed->answer.left = left;
  }
}

/// In addition to what becomes of the lock: a grant takes its owner off the queue.
void SceneMaker::on_queue_changed(EventIndex index, const Event& event) {
  const auto lane = lane_map_.lane_of(event.actor);
  if (!lane) return;
  const std::size_t lock = lock_index(event.text("lock"));
  const std::string owners = brief(event.text("owners"));
  std::string text = owners.empty() ? std::string("nobody queues") : "queue: " + owners;
  if (scene_.locks.size() > 1) text = at_lock(lock) + " " + text;
  add_note(*lane, index, std::move(text), Tone::quiet, Importance::essential).kind =
      NoteKind::queue;
  make_essential(*lane);
  Executed* const executed = executed_now(index, event.text("by"));
  if (executed != nullptr) {
    executed->answer.has_queued = event.text("owners").find(executed->by) != std::string_view::npos;
  }
}

namespace {

NoteKind note_kind_of(std::string_view cause, CommandEffect effect, bool same_holders) {
  if (effect == CommandEffect::took_away) return NoteKind::taking_away;
  if (same_holders || cause == "renewal") return NoteKind::renewal;
  if (cause == "acquire") return NoteKind::grant;
  if (cause == "release") return NoteKind::release;
  if (cause == "expiry") return NoteKind::expiry;
  return NoteKind::loss;
}

}  // namespace

/// Of who caused the change.
CommandEffect SceneMaker::effect_of(const Event& event, const LockState& before,
                                    const LockState& after) const {
  const std::string_view by = event.text("by");
  const std::string_view cause = event.text("cause");
  const bool had_it = holds(before.holders, by);
  const bool has_it = holds(after.holders, by);
  if (cause == "acquire" && has_it) {
    return had_it ? CommandEffect::granted_again : CommandEffect::granted;
  }
  if (cause == "renewal" && has_it) return CommandEffect::renewed;
  if (had_it) return has_it ? CommandEffect::released_once : CommandEffect::released;
  const bool takes_away = std::any_of(
      before.holders.begin(), before.holders.end(),
      [&](const Holder& holder) { return !by.empty() && !holds(after.holders, holder.owner); });
  return takes_away ? CommandEffect::took_away : CommandEffect::none;
}

void SceneMaker::on_lock_changed(EventIndex index, const Event& event) {
  const auto lane = lane_map_.lane_of(event.actor);
  if (!lane) return;
  const std::size_t lock = lock_index(event.text("lock"));
  const LockState before = locks_[lock];
  locks_[lock] = {holders_from(event.text("holders")), event.number("lease_ends_ns")};
  const LockState& after = locks_[lock];
  if (quorum_keys_.count()) return note_majority(index, lock, before, after);
  const bool same_holders = after.holders == before.holders;
  const Importance importance = same_holders ? Importance::routine : Importance::essential;
  std::string text = change_in_words(event, before, after);
  if (scene_.locks.size() > 1) text = at_lock(lock) + " " + text;
  const bool takes_away = text.find(" took it from ") != std::string::npos;
  const CommandEffect effect = effect_of(event, before, after);
  Note& note =
      note_change(*lane, index, std::move(text), takes_away ? Tone::bad : Tone::plain, importance);
  note.kind = note_kind_of(event.text("cause"), takes_away ? CommandEffect::took_away : effect,
                           same_holders);
  note.actor = brief(event.text("by"));
  if (scene_.locks.size() > 1) note.actor += " at " + at_lock(lock);
  note_effect(index, event.text("by"), effect);
  if (Executed* const executed = executed_now(index, event.text("by"))) {
    if (effect == CommandEffect::took_away) {
      executed->answer.taken_from = before.holders.front().owner;
    }
  }
  if (!after.holders.empty() && (!same_holders || before.lease_ends_ns != after.lease_ends_ns)) {
    const std::string until = after.lease_ends_ns < 0
                                  ? "without an end"
                                  : "until " + checker::milliseconds(after.lease_ends_ns);
    add_note(*lane, index, until, Tone::quiet, importance);
  }
  move_truths(index, *lane, lock, after.holders);
}

void SceneMaker::note_majority(EventIndex index, std::size_t lock, const LockState& before,
                               const LockState& after) {
  const std::string name = scene_.locks.size() > 1 ? " for " + at_lock(lock) : std::string();
  for (const Holder& holder : before.holders) {
    const auto lane = lane_map_.lane_named(holder.owner);
    const bool gave_it_back = trace_.events[index].text("by") == holder.owner;
    if (!lane || gave_it_back || holds(after.holders, holder.owner)) continue;
    const bool believes = open_beliefs_.contains({*lane, lock, holder.is_reader});
    add_note(*lane, index,
             believes ? "\u2717 its majority" + name + " is gone, unnoticed"
                      : "its majority" + name + " is gone",
             believes ? Tone::bad : Tone::quiet, Importance::essential)
        .kind = NoteKind::majority;
  }
  for (const Holder& holder : after.holders) {
    const auto lane = lane_map_.lane_named(holder.owner);
    if (!lane || holds(before.holders, holder.owner)) continue;
    const bool asks = busy_.contains(*lane);
    add_note(*lane, index, "has a majority of nodes" + name + (asks ? "" : ", unnoticed"),
             asks ? Tone::quiet : Tone::bad, Importance::essential)
        .kind = NoteKind::majority;
  }
  move_truths(index, std::nullopt, lock, after.holders);
}

void SceneMaker::move_node_key(EventIndex index, const NodeKeyChange& change) {
  std::string text =
      brief(change.began) + (change.is_renewal ? " keeps this node" : " has this node");
  if (change.lease_ends_ns >= 0) text += " until " + checker::milliseconds(change.lease_ends_ns);
  if (change.is_renewal) {
    Note& note = note_node_key(index, change.node, std::move(text));
    note.kind = NoteKind::renewal;
    note.actor = brief(change.began);
    note_effect(index, change.began, CommandEffect::renewed);
    return;
  }
  const std::pair place(change.node, change.key);
  const auto open = open_node_keys_.find(place);
  if (open != open_node_keys_.end()) {
    scene_.bars[open->second].until = index;
    scene_.bars[open->second].until_ns = change.ended_ns;
    open_node_keys_.erase(open);
  }
  if (change.by_clock) {
    add_note(change.node, index, brief(change.ended) + "'s key has expired by it", Tone::bad,
             Importance::essential);
  }
  if (change.began.empty()) return note_node_key_ended(index, change);
  const auto lock = lock_index(change.key);
  open_node_keys_[place] = scene_.bars.size();
  scene_.bars.push_back(
      {BarKind::truth, change.node, lock, lane_map_.lane_named(change.began), index, std::nullopt});
  Note& note = note_node_key(index, change.node, std::move(text));
  note.kind = NoteKind::grant;
  note.actor = brief(change.began);
  note_effect(index, change.began, CommandEffect::granted);
}

/// Its bar ends, which says enough; a fold counts it.
void SceneMaker::note_node_key_ended(EventIndex index, const NodeKeyChange& change) {
  const auto known = executed_.find(change.node);
  const bool is_of_command = known != executed_.end() && executions_[known->second].event == index;
  if (!is_of_command) {
    Note& note = add_note(change.node, index, {}, Tone::plain, Importance::essential);
    note.kind = trace_.events[index].kind == sim::trace_kind::process_crashed ? NoteKind::fault
                                                                              : NoteKind::expiry;
    return;
  }
  Executed& executed = executions_[known->second];
  const bool is_own = executed.by == change.ended;
  executed.answer.effect = is_own ? CommandEffect::released : CommandEffect::took_away;
  if (!is_own) executed.answer.taken_from = change.ended;
  scene_.notes[executed.note].kind = is_own ? NoteKind::release : NoteKind::taking_away;
  scene_.notes[executed.note].importance = Importance::essential;
  make_essential(change.node);
}

/// Where a command did it, its note says it.
Note& SceneMaker::note_node_key(EventIndex index, LaneIndex node, std::string text) {
  const auto known = executed_.find(node);
  const bool is_told = known != executed_.end() && executions_[known->second].event == index &&
                       executions_[known->second].note < scene_.notes.size();
  if (!is_told) return add_note(node, index, std::move(text), Tone::plain, Importance::essential);
  Note& note = scene_.notes[executions_[known->second].note];
  note.text = std::move(text);
  note.tone = Tone::plain;
  note.importance = Importance::essential;
  make_essential(node);
  return note;
}

/// `node`: which has it; none: a majority has, and each node's part is told by itself.
void SceneMaker::move_truths(EventIndex index, std::optional<LaneIndex> node, std::size_t lock,
                             const std::vector<Holder>& holders) {
  for (auto open = open_truths_.begin(); open != open_truths_.end();) {
    const bool is_over = open->first.second == lock && !holds(holders, open->first.first);
    if (is_over) {
      for (const std::size_t bar : open->second) scene_.bars[bar].until = index;
    }
    open = is_over ? open_truths_.erase(open) : std::next(open);
  }
  for (const Holder& holder : holders) {
    std::vector<std::size_t>& bars = open_truths_[{holder.owner, lock}];
    if (!bars.empty() && (!node || scene_.bars[bars.front()].lane == *node)) continue;
    for (const std::size_t bar : bars) scene_.bars[bar].until = index;  // it moved to another node
    const auto owner = lane_map_.lane_named(holder.owner);
    bars.clear();
    if (node) {
      bars.push_back(scene_.bars.size());
      scene_.bars.push_back({BarKind::truth, *node, lock, owner, index, std::nullopt});
    }
    if (!owner) continue;
    bars.push_back(scene_.bars.size());
    scene_.bars.push_back({BarKind::truth, *owner, lock, owner, index, std::nullopt});
  }
}

// -- the resource --

void SceneMaker::on_resource_read(EventIndex index, const Event& event) {
  const auto lane = lane_map_.lane_of(event.actor);
  if (!lane) return;
  add_note(*lane, index,
           fmt::format("{} reads version {}", brief(event.text("by")), event.number("version")),
           Tone::plain, Importance::routine)
      .kind = NoteKind::read;
}

void SceneMaker::on_resource_written(EventIndex index, const Event& event) {
  const auto lane = lane_map_.lane_of(event.actor);
  if (!lane) return;
  const std::int64_t based_on = event.number("based_on");
  const std::int64_t version = event.number("version");
  const bool loses_an_update = based_on + 1 < version;
  std::string text = fmt::format("{} writes version {}", brief(event.text("by")), version);
  if (event.number("token", -1) >= 0) text += fmt::format(", token {}", event.number("token"));
  add_note(*lane, index, std::move(text), Tone::plain, Importance::essential).kind =
      NoteKind::write;
  if (loses_an_update) {
    add_note(*lane, index,
             fmt::format("\u2717 based on {}, version {} is lost", based_on, version - 1),
             Tone::bad, Importance::essential);
  }
}

void SceneMaker::on_resource_refused(EventIndex index, const Event& event) {
  const auto lane = lane_map_.lane_of(event.actor);
  if (!lane) return;
  add_note(*lane, index,
           fmt::format("refuses {}: token {} < {}", brief(event.text("by")), event.number("token"),
                       event.number("highest_token")),
           Tone::good, Importance::essential)
      .kind = NoteKind::write;
}

}  // namespace lockstep::reports
