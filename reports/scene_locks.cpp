// What nodes execute, what becomes of the lock by it, and what happens to the resource.
#include <fmt/format.h>

#include <algorithm>

#include "checker/text.h"
#include "reports/scene_maker.h"
#include "reports/text.h"

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

// -- commands --

void SceneMaker::on_command_executed(EventIndex index, const Event& event) {
  const auto lane = cast_.lane_of(event.actor);
  if (!lane || event.text("on_behalf_of").empty()) return;  // a sentinel that watches
  Executed executed{.event = index,
                    .note = scene_.notes.size(),
                    .label = std::string(event.text("label")),
                    .by = std::string(event.text("on_behalf_of")),
                    .reply = std::string(event.text("reply")),
                    .request = std::nullopt};
  std::vector<std::size_t>& waiting = requests_[*lane];
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const Letter* letter = letters_.sent_at(scene_.flights[waiting[i]].sent);
    if (letter->label != executed.label || letter->on_behalf_of != executed.by) continue;
    executed.request = waiting[i];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  // Who asks for what another holds finds this out here.
  std::string text;
  for (std::size_t i = 0; i < locks_.size() && !executed.by.empty(); ++i) {
    const std::vector<Holder>& holders = locks_[i].holders;
    const bool is_meant = event.text("arguments").find(scene_.locks[i]) != std::string_view::npos;
    if (is_meant && !holders.empty() && !holds(holders, executed.by)) {
      text = "held by " + brief(holders.front().owner);
    }
  }
  if (parts_.count()) {
    const std::string_view arguments = event.text("arguments");
    const std::string owner = parts_.owner(*lane, arguments.substr(0, arguments.find(' ')));
    const bool is_refused = event.number("writes") == 0 && !owner.empty() && owner != executed.by;
    text = is_refused ? "held by " + brief(owner) : std::string();
  }
  if (!executed.request) text.clear();  // its messages are not shown: the background
  Note& note = add_note(*lane, index, std::move(text), Tone::quiet, Importance::routine);
  note.detail = fmt::format("{} executes {} for {}: {} {} \u2192 {}", scene_.lanes[*lane].shown,
                            brief(executed.label), brief(executed.by), brief(event.text("command")),
                            brief(event.text("arguments"), 200), brief(executed.reply, 100));
  executed_[*lane] = std::move(executed);
}

// -- the lock's true state --

std::string SceneMaker::change_in_words(const Event& event, const LockState& before,
                                        const LockState& after) const {
  const auto node = cast_.lane_of(event.actor);
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
  const auto executed = executed_.find(lane);
  if (executed == executed_.end()) return;
  if (executed->second.request) {
    scene_.flights[*executed->second.request].importance = Importance::essential;
  }
  if (!scene_.flights.empty() && scene_.flights.back().from == lane) {
    scene_.flights.back().importance = Importance::essential;  // the reply
  }
}

void SceneMaker::tell_change(LaneIndex lane, EventIndex index, std::string text, Tone tone,
                             Importance importance) {
  const Event& event = trace_.events[index];
  const auto executed = executed_.find(lane);
  const bool is_of_command = executed != executed_.end() && !event.text("by").empty() &&
                             trace_.events[executed->second.event].at == event.at;
  if (!is_of_command || scene_.notes[executed->second.note].event != executed->second.event) {
    add_note(lane, index, std::move(text), Tone::plain, importance);
    return;
  }
  Note& note = scene_.notes[executed->second.note];
  if (importance == Importance::essential) make_essential(lane);
  note.text = std::move(text);
  note.tone = tone;
  note.importance = importance;
}

void SceneMaker::on_number_changed(EventIndex index, const Event& event) {
  const auto lane = cast_.lane_of(event.actor);
  if (!lane) return;
  const std::size_t lock = lock_index(event.text("lock"));
  const std::int64_t left = event.number("left");
  std::string text = left < 0 ? std::string("the key is gone") : fmt::format("{} left", left);
  if (scene_.locks.size() > 1) text = at_lock(lock) + " " + text;
  tell_change(*lane, index, std::move(text), Tone::plain, Importance::essential);
}

/// In addition to what becomes of the lock: a grant takes its owner off the queue.
void SceneMaker::on_queue_changed(EventIndex index, const Event& event) {
  const auto lane = cast_.lane_of(event.actor);
  if (!lane) return;
  const std::size_t lock = lock_index(event.text("lock"));
  const std::string owners = brief(event.text("owners"));
  std::string text = owners.empty() ? std::string("nobody queues") : "queue: " + owners;
  if (scene_.locks.size() > 1) text = at_lock(lock) + " " + text;
  add_note(*lane, index, std::move(text), Tone::quiet, Importance::essential);
  make_essential(*lane);
}

void SceneMaker::on_lock_changed(EventIndex index, const Event& event) {
  const auto lane = cast_.lane_of(event.actor);
  if (!lane) return;
  const std::size_t lock = lock_index(event.text("lock"));
  const LockState before = locks_[lock];
  locks_[lock] = {holders_from(event.text("holders")), event.number("lease_ends_ns")};
  const LockState& after = locks_[lock];
  if (parts_.count()) return tell_majority(index, lock, before, after);
  const bool same_holders = after.holders == before.holders;
  const Importance importance = same_holders ? Importance::routine : Importance::essential;
  std::string text = change_in_words(event, before, after);
  if (scene_.locks.size() > 1) text = at_lock(lock) + " " + text;
  const bool takes_away = text.find(" took it from ") != std::string::npos;
  tell_change(*lane, index, std::move(text), takes_away ? Tone::bad : Tone::plain, importance);
  if (!after.holders.empty() && (!same_holders || before.lease_ends_ns != after.lease_ends_ns)) {
    const std::string until = after.lease_ends_ns < 0
                                  ? "without an end"
                                  : "until " + checker::milliseconds(after.lease_ends_ns);
    add_note(*lane, index, until, Tone::quiet, importance);
  }
  move_truths(index, *lane, lock, after.holders);
}

void SceneMaker::tell_majority(EventIndex index, std::size_t lock, const LockState& before,
                               const LockState& after) {
  const std::string name = scene_.locks.size() > 1 ? " for " + at_lock(lock) : std::string();
  for (const Holder& holder : before.holders) {
    const auto lane = cast_.lane_named(holder.owner);
    const bool gave_it_back = trace_.events[index].text("by") == holder.owner;
    if (!lane || gave_it_back || holds(after.holders, holder.owner)) continue;
    const bool believes = open_beliefs_.contains({*lane, lock, holder.is_reader});
    add_note(*lane, index,
             believes ? "\u2717 its majority" + name + " is gone, unnoticed"
                      : "its majority" + name + " is gone",
             believes ? Tone::bad : Tone::quiet, Importance::essential);
  }
  for (const Holder& holder : after.holders) {
    const auto lane = cast_.lane_named(holder.owner);
    if (!lane || holds(before.holders, holder.owner)) continue;
    const bool asks = busy_.contains(*lane);
    add_note(*lane, index, "has a majority of nodes" + name + (asks ? "" : ", unnoticed"),
             asks ? Tone::quiet : Tone::bad, Importance::essential);
  }
  move_truths(index, std::nullopt, lock, after.holders);
}

void SceneMaker::move_part(EventIndex index, const PartChange& change) {
  std::string text =
      brief(change.began) + (change.is_renewal ? " keeps this node" : " has this node");
  if (change.lease_ends_ns >= 0) text += " until " + checker::milliseconds(change.lease_ends_ns);
  if (change.is_renewal) return tell_part(index, change.node, std::move(text));
  const std::pair place(change.node, change.key);
  const auto open = open_parts_.find(place);
  if (open != open_parts_.end()) {
    scene_.bars[open->second].until = index;
    open_parts_.erase(open);
  }
  if (change.by_clock) {
    add_note(change.node, index, brief(change.ended) + "'s key has expired by it", Tone::bad,
             Importance::essential);
  }
  if (change.began.empty()) return;
  const auto lock = lock_index(change.key);
  open_parts_[place] = scene_.bars.size();
  scene_.bars.push_back(
      {BarKind::truth, change.node, lock, cast_.lane_named(change.began), index, std::nullopt});
  tell_part(index, change.node, std::move(text));
}

/// Where a command did it, its note says it.
void SceneMaker::tell_part(EventIndex index, LaneIndex node, std::string text) {
  const auto executed = executed_.find(node);
  const bool is_told = executed != executed_.end() && executed->second.event == index &&
                       executed->second.note < scene_.notes.size();
  if (!is_told) {
    add_note(node, index, std::move(text), Tone::plain, Importance::essential);
    return;
  }
  Note& note = scene_.notes[executed->second.note];
  note.text = std::move(text);
  note.tone = Tone::plain;
  note.importance = Importance::essential;
  make_essential(node);
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
    const auto owner = cast_.lane_named(holder.owner);
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
  const auto lane = cast_.lane_of(event.actor);
  if (!lane) return;
  add_note(*lane, index,
           fmt::format("{} reads version {}", brief(event.text("by")), event.number("version")),
           Tone::plain, Importance::routine);
}

void SceneMaker::on_resource_written(EventIndex index, const Event& event) {
  const auto lane = cast_.lane_of(event.actor);
  if (!lane) return;
  const std::int64_t based_on = event.number("based_on");
  const std::int64_t version = event.number("version");
  const bool loses_an_update = based_on + 1 < version;
  std::string text = fmt::format("{} writes version {}", brief(event.text("by")), version);
  if (event.number("token", -1) >= 0) text += fmt::format(", token {}", event.number("token"));
  add_note(*lane, index, std::move(text), Tone::plain, Importance::essential);
  if (loses_an_update) {
    add_note(*lane, index,
             fmt::format("\u2717 based on {}: version {} is lost", based_on, version - 1),
             Tone::bad, Importance::essential);
  }
}

void SceneMaker::on_resource_refused(EventIndex index, const Event& event) {
  const auto lane = cast_.lane_of(event.actor);
  if (!lane) return;
  add_note(*lane, index,
           fmt::format("refuses {}: token {} < {}", brief(event.text("by")), event.number("token"),
                       event.number("highest_token")),
           Tone::good, Importance::essential);
}

}  // namespace lockstep::reports
