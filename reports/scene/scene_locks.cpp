#include "reports/scene/scene_locks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/text.h"

namespace lockstep::reports {

void SceneLocks::see(EventIndex index, const Event& event) {
  namespace model_kind = model::trace_kind;
  static const Handlers<SceneLocks> handlers{
      {model_kind::lock_changed, &SceneLocks::on_lock_changed},
      {model_kind::number_changed, &SceneLocks::on_number_changed},
      {model_kind::queue_changed, &SceneLocks::on_queue_changed},
  };
  dispatch(*this, handlers, index, event);
}

namespace {

bool is_set_by_another(const model::RecordedEvent& event, const LockState& before) {
  return !event.text("by").empty() && !holds(before.holders, event.text("by"));
}

bool is_shorter(const LockState& before, const LockState& after) {
  return after.lease_ends_ns >= 0 &&
         (before.lease_ends_ns < 0 || after.lease_ends_ns < before.lease_ends_ns);
}

}  // namespace

std::string SceneLocks::change_in_words(const Event& event, const LockState& before,
                                        const LockState& after) const {
  const auto node = draft_.lane_map.lane_of(event.actor);
  const bool is_crashed = node && draft_.is_open(SpanKind::crashed, *node);
  const std::string cause(event.text("cause"));
  const std::string by = brief(event.text("by"));
  std::string owners;
  std::vector<std::string_view> named;  // who writes and reads is one
  for (const Holder& holder : before.holders) {
    if (std::find(named.begin(), named.end(), holder.owner) != named.end()) continue;
    named.push_back(holder.owner);
    owners += (owners.empty() ? "" : ", ") + brief(holder.owner);
  }
  if (cause == "expiry" && after.holders.empty()) return "the lease of " + owners + " is over";
  const bool same_holders = after.holders == before.holders && !after.holders.empty();
  std::string words =
      same_holders ? "lease of " + owners + " renewed" : brief(holders_in_words(after.holders));
  if (same_holders && is_set_by_another(event, before)) {
    words = lease_set_by_another(event.text("by"), before.holders.front().owner,
                                 is_shorter(before, after));
  }
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

void SceneLocks::on_number_changed(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  const std::size_t lock = draft_.lock_index(event.text("lock"));
  const std::int64_t left = event.number("left");
  std::string text = left < 0 ? std::string("the key is gone") : fmt::format("{} left", left);
  if (draft_.scene.locks.size() > 1) text = draft_.at_lock(lock) + " " + text;
  commands_.note_change(*lane, index, std::move(text), Tone::plain, Importance::essential).kind =
      NoteKind::count;
  if (Executed* const executed = commands_.executed_now(index, event.text("by"))) {
    executed->answer.effect = CommandEffect::counted;
    executed->answer.left = left;
  }
}

/// In addition to what becomes of the lock: a grant takes its owner off the queue.
void SceneLocks::on_queue_changed(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  const std::size_t lock = draft_.lock_index(event.text("lock"));
  const std::string owners = brief(event.text("owners"));
  std::string text = owners.empty() ? std::string("nobody queues") : "queue: " + owners;
  if (draft_.scene.locks.size() > 1) text = draft_.at_lock(lock) + " " + text;
  draft_.add_note(*lane, index, std::move(text), Tone::quiet, Importance::essential).kind =
      NoteKind::queue;
  commands_.make_essential(*lane);
  Executed* const executed = commands_.executed_now(index, event.text("by"));
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
CommandEffect SceneLocks::effect_of(const Event& event, const LockState& before,
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

void SceneLocks::on_lock_changed(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  const std::size_t lock = draft_.lock_index(event.text("lock"));
  const LockState before = draft_.locks[lock];
  draft_.locks[lock] = {holders_from(event.text("holders")), event.number("lease_ends_ns")};
  const LockState& after = draft_.locks[lock];
  if (quorum_keys_.count()) return note_majority(index, lock, before, after);
  const bool same_holders = after.holders == before.holders;
  const bool is_cut = same_holders && !after.holders.empty() && is_set_by_another(event, before) &&
                      is_shorter(before, after);
  const Importance importance =
      same_holders && !is_cut ? Importance::routine : Importance::essential;
  std::string text = change_in_words(event, before, after);
  if (draft_.scene.locks.size() > 1) text = draft_.at_lock(lock) + " " + text;
  const bool takes_away = text.find(" took it from ") != std::string::npos;
  const CommandEffect effect = effect_of(event, before, after);
  Note& note = commands_.note_change(*lane, index, std::move(text),
                                     takes_away || is_cut ? Tone::bad : Tone::plain, importance);
  note.kind = note_kind_of(event.text("cause"), takes_away ? CommandEffect::took_away : effect,
                           same_holders);
  if (is_cut) note.kind = NoteKind::lease_cut;
  note.actor = brief(event.text("by"));
  if (draft_.scene.locks.size() > 1) note.actor += " at " + draft_.at_lock(lock);
  commands_.note_effect(index, event.text("by"), effect);
  if (Executed* const executed = commands_.executed_now(index, event.text("by"))) {
    if (effect == CommandEffect::took_away) {
      executed->answer.taken_from = before.holders.front().owner;
    }
  }
  if (!after.holders.empty() && (!same_holders || before.lease_ends_ns != after.lease_ends_ns)) {
    const std::string until = after.lease_ends_ns < 0
                                  ? "without an end"
                                  : "until " + checker::milliseconds(after.lease_ends_ns);
    draft_.add_note(*lane, index, until, Tone::quiet, importance);
  }
  move_truths(index, *lane, lock, after.holders);
}

void SceneLocks::note_majority(EventIndex index, std::size_t lock, const LockState& before,
                               const LockState& after) {
  const std::string name =
      draft_.scene.locks.size() > 1 ? " for " + draft_.at_lock(lock) : std::string();
  for (const Holder& holder : before.holders) {
    const auto lane = draft_.lane_map.lane_named(holder.owner);
    const bool gave_it_back = draft_.trace.events[index].text("by") == holder.owner;
    if (!lane || gave_it_back || holds(after.holders, holder.owner)) continue;
    const bool believes = clients_.believes(*lane, lock, holder.is_reader);
    draft_
        .add_note(*lane, index,
                  believes ? "\u2717 its majority" + name + " is gone, unnoticed"
                           : "its majority" + name + " is gone",
                  believes ? Tone::bad : Tone::quiet, Importance::essential)
        .kind = NoteKind::majority;
  }
  for (const Holder& holder : after.holders) {
    const auto lane = draft_.lane_map.lane_named(holder.owner);
    if (!lane || holds(before.holders, holder.owner)) continue;
    const bool asks = clients_.is_busy(*lane);
    draft_
        .add_note(*lane, index, "has a majority of nodes" + name + (asks ? "" : ", unnoticed"),
                  asks ? Tone::quiet : Tone::bad, Importance::essential)
        .kind = NoteKind::majority;
  }
  move_truths(index, std::nullopt, lock, after.holders);
}

/// `node`: which has it; none: a majority has, and each node's part is told by itself.
void SceneLocks::move_truths(EventIndex index, std::optional<LaneIndex> node, std::size_t lock,
                             const std::vector<Holder>& holders) {
  for (auto open = open_truths_.begin(); open != open_truths_.end();) {
    const bool is_over = open->first.second == lock && !holds(holders, open->first.first);
    if (is_over) {
      for (const std::size_t bar : open->second) draft_.scene.bars[bar].until = index;
    }
    open = is_over ? open_truths_.erase(open) : std::next(open);
  }
  for (const Holder& holder : holders) {
    std::vector<std::size_t>& bars = open_truths_[{holder.owner, lock}];
    if (!bars.empty() && (!node || draft_.scene.bars[bars.front()].lane == *node)) continue;
    for (const std::size_t bar : bars)
      draft_.scene.bars[bar].until = index;  // it moved to another node
    const auto owner = draft_.lane_map.lane_named(holder.owner);
    bars.clear();
    if (node) {
      bars.push_back(draft_.scene.bars.size());
      draft_.scene.bars.push_back({BarKind::truth, *node, lock, owner, index, std::nullopt});
    }
    if (!owner) continue;
    bars.push_back(draft_.scene.bars.size());
    draft_.scene.bars.push_back({BarKind::truth, *owner, lock, owner, index, std::nullopt});
  }
}

}  // namespace lockstep::reports
