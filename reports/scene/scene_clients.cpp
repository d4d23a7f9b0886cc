#include "reports/scene/scene_clients.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t detail_characters_max = 36;
constexpr std::size_t joined_locks_characters_max = 120;

/// The mode of a reader's belief.
constexpr std::string_view shared = "shared";
constexpr std::string_view extension = "extend";

bool is_sleep(std::string_view step) { return step.starts_with("sleep"); }

bool is_digit_of_id(char character) {
  return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'f');
}

/// Whose commands have this id: it names its owner to the servers. One that none of them has is
/// known to nobody but its owner, so that it is the speaker's: "4c…7e:1" of "a/1". Empty: it is no
/// owner's.
std::string owner_of_id(const model::RecordedTrace& trace, std::string_view id,
                        std::string_view speaker) {
  for (const model::RecordedEvent& event : trace.events) {
    const bool names_it =
        event.kind == model::trace_kind::command_executed && has_word(event.text("arguments"), id);
    if (names_it) return brief(event.text("on_behalf_of"));
  }
  const std::string_view thread = speaker.substr(std::min(speaker.rfind('/'), speaker.size()));
  const bool is_of_thread = thread.size() > 1 && id.ends_with(":" + std::string(thread.substr(1)));
  return is_of_thread ? brief(speaker) : std::string();
}

/// Ids that name a client by its name, and other tokens by their beginnings: what is said of them
/// matters more.
std::string with_names(std::string_view text, const model::RecordedTrace& trace,
                       std::string_view speaker) {
  constexpr std::size_t id_min = 16;
  constexpr std::size_t id_shown = 6;
  std::string shown;
  while (!text.empty()) {
    const auto after = std::find_if_not(text.begin(), text.end(), is_digit_of_id);
    const auto length = static_cast<std::size_t>(after - text.begin());
    const std::string_view word = text.substr(0, text.find(' '));
    const std::string owner = length < id_min ? std::string() : owner_of_id(trace, word, speaker);
    if (!owner.empty()) {
      shown += owner;
      text.remove_prefix(word.size());
      continue;
    }
    const bool is_id = length >= id_min;
    shown += text.substr(0, is_id ? id_shown : std::max<std::size_t>(length, 1));
    if (is_id) shown += "\u2026";
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

/// "lock" of "lock lease=10s".
std::string_view verb_of(std::string_view step) { return step.substr(0, step.find(' ')); }

/// "✓ believes it holds the lock", "✓ believes it may read the lock", ….
std::string belief_in_words(const model::RecordedEvent& event, const std::string& lock) {
  if (event.text("mode") == shared) return "\u2713 believes it may read " + lock;
  const std::int64_t permits = event.number("permits", 1);
  if (permits == 1) return "\u2713 believes it holds " + lock;
  return fmt::format("\u2713 believes it holds {} permits of {}", permits, lock);
}

std::string why_it_ended(std::string_view why) {
  if (why == "told") return "is told that it lost the lock";
  if (why == "validity") return "its validity is over: gives the lock up";
  if (why == "released" || why == "crashed" || why == "run-over") return {};
  return "believes it no longer";
}

}  // namespace

void SceneClients::see(EventIndex index, const Event& event) {
  namespace model_kind = model::trace_kind;
  static const Handlers<SceneClients> handlers{
      {model_kind::step_invoked, &SceneClients::on_step_invoked},
      {model_kind::service_invoked, &SceneClients::on_service_invoked},
      {model_kind::step_completed, &SceneClients::on_step_completed},
      {model_kind::belief_began, &SceneClients::on_belief_began},
      {model_kind::belief_ended, &SceneClients::on_belief_ended},
      {model_kind::call_timed_out, &SceneClients::on_call_timed_out},
      {model_kind::call_retried, &SceneClients::on_call_retried},
      {model_kind::call_queued, &SceneClients::on_call_queued},
      {model_kind::call_resent, &SceneClients::on_call_resent},
      {model_kind::client_failed, &SceneClients::on_client_failed},
      {model_kind::client_logged, &SceneClients::on_client_logged},
  };
  dispatch(*this, handlers, index, event);
}

bool SceneClients::believes(LaneIndex thread, std::size_t lock, bool reads) const {
  return open_beliefs_.contains({thread, lock, reads});
}

bool SceneClients::acquires(LaneIndex thread) const {
  const auto service = services_.find(thread);
  return service != services_.end() && service->second.starts_with("acquire");
}

void SceneClients::on_step_invoked(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  const std::string step = brief(event.text("step"));
  if (!is_sleep(step)) busy_.insert(*lane);
  if (is_sleep(step)) {
    draft_.add_note(*lane, index, step, Tone::quiet, Importance::routine);
  } else {
    draft_.add_note(*lane, index, step, Tone::plain, Importance::essential);
    asked_[*lane] = draft_.scene.notes.size() - 1;
  }
}

void SceneClients::on_service_invoked(EventIndex /*index*/, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  services_[*lane] = event.text("kind");
  const auto asked = asked_.find(*lane);
  if (asked == asked_.end()) return;
  Note& note = draft_.scene.notes[asked->second];
  asked_.erase(asked);
  const std::int64_t lease_ms = event.number("lease_ms");
  const bool is_unsaid = event.text("kind").starts_with("acquire") && lease_ms > 0 &&
                         lease_ms < sim::never_ns / sim::millisecond_ns &&
                         note.text.find("lease=") == std::string::npos;
  if (is_unsaid && are_leases_told_) {
    note.text += ", lease " + checker::milliseconds(lease_ms * sim::millisecond_ns);
  }
}

void SceneClients::on_step_completed(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  busy_.erase(*lane);
  const std::string step = brief(event.text("step"));
  const std::string_view outcome = event.text("outcome");
  const std::string detail =
      brief(with_names(event.text("detail"), draft_.trace, draft_.scene.lanes[*lane].name),
            detail_characters_max);
  const std::string tail = detail.empty() ? std::string() : ": " + detail;
  if (outcome == "ok") {
    if (is_sleep(step)) return;
    const bool is_extension = verb_of(step) == extension;
    draft_.add_note(*lane, index, fmt::format("\u2713 {}", verb_of(step)), Tone::good,
                    is_extension ? Importance::essential : Importance::routine);
    if (is_extension) extended_[*lane] = draft_.scene.notes.size() - 1;
  } else {
    const bool is_failure = outcome == "fail";
    const std::string words = is_failure ? fmt::format("\u2717 {}{}", verb_of(step), tail)
                                         : fmt::format("? {} unknown{}", verb_of(step), tail);
    Note& note = draft_.add_note(*lane, index, words, Tone::plain, Importance::essential);
    note.kind = NoteKind::failed_step;
    note.actor = draft_.scene.lanes[*lane].shown;
  }
}

void SceneClients::on_belief_began(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  const std::size_t lock = draft_.lock_index(event.text("lock"));
  // "✓ lock" has just been said of the same moment: this says it better. Of several locks at once
  // one note says it.
  bool is_one_more = false;
  if (!draft_.scene.notes.empty()) {
    Note& last = draft_.scene.notes.back();
    const Event& said = draft_.trace.events[last.event];
    const bool is_joined = last.lane == *lane && last.event + 1 == index && said.at == event.at &&
                           last.tone == Tone::good;
    is_one_more = is_joined && said.kind == event.kind && said.text("mode") == event.text("mode");
    if (is_one_more) {
      last.text = shortened(last.text + ", " + draft_.at_lock(lock), joined_locks_characters_max);
      last.event = index;
    } else if (is_joined) {
      extended_.erase(*lane);
      draft_.scene.notes.pop_back();
    }
  }
  if (!is_one_more) {
    draft_
        .add_note(*lane, index, belief_in_words(event, draft_.at_lock(lock)), Tone::good,
                  Importance::essential)
        .kind = NoteKind::belief;
  }
  open_beliefs_[{*lane, lock, event.text("mode") == shared}] = draft_.scene.bars.size();
  draft_.scene.bars.push_back({BarKind::belief, *lane, lock, *lane, index, std::nullopt});
}

void SceneClients::on_belief_ended(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  const std::size_t lock = draft_.lock_index(event.text("lock"));
  const auto open = open_beliefs_.find({*lane, lock, event.text("mode") == shared});
  if (open != open_beliefs_.end()) {
    draft_.scene.bars[open->second].until = index;
    open_beliefs_.erase(open);
  }
  draft_.add_note(*lane, index, why_it_ended(event.text("why")), Tone::plain, Importance::essential)
      .kind = NoteKind::belief;
  const auto extended = extended_.find(*lane);
  if (extended == extended_.end()) return;
  // From when on the client counted shows in when it stopped.
  if (event.text("why") == "validity" && draft_.scene.locks.size() == 1) {
    draft_.scene.notes[extended->second].text += ", valid until " + checker::milliseconds(event.at);
  }
  extended_.erase(extended);
}

void SceneClients::on_call_timed_out(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  draft_.add_note(*lane, index, "no reply to " + brief(event.text("label")) + " in time",
                  Tone::plain, Importance::routine);
}

void SceneClients::on_call_queued(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  draft_.add_note(*lane, index, brief(event.text("label")) + " waits for a connection", Tone::plain,
                  Importance::routine);
}

void SceneClients::on_call_resent(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  draft_.add_note(*lane, index, brief(event.text("label")) + " again, on the next connection",
                  Tone::plain, Importance::routine);
}

void SceneClients::on_call_retried(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  draft_.add_note(
      *lane, index,
      fmt::format("{} again, attempt {}", brief(event.text("label")), event.number("attempt")),
      Tone::plain, Importance::routine);
}

void SceneClients::on_client_failed(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  draft_
      .add_note(*lane, index, "fails: " + brief(event.text("error"), detail_characters_max),
                Tone::bad, Importance::essential)
      .detail = brief(event.text("error"), 200);
}

void SceneClients::on_client_logged(EventIndex index, const Event& event) {
  const auto lane = draft_.lane_map.lane_of(event.actor);
  if (!lane) return;
  draft_.add_note(*lane, index,
                  "\u201C" + brief(event.text("text"), detail_characters_max) + "\u201D",
                  Tone::quiet, Importance::routine);
}

}  // namespace lockstep::reports
