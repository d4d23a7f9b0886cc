#include "reports/timeline/timeline_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause.h"
#include "reports/cause/cause_parts.h"
#include "reports/scene/scene_lane_map.h"
#include "reports/scene/scene_quorum.h"
#include "reports/scene/verdict_words.h"
#include "reports/text.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t marks_max = 4;
constexpr std::size_t mark_characters_max = 80;

std::string change_of(const Cause& cause) {
  if (cause.before.empty() || cause.after.empty()) return {};
  return fmt::format(" from {} to {}", cause.before, cause.after);
}

/// Empty: there is nothing to point at.
std::string mark_of(const Cause& cause) {
  const std::string victims = cause.victim.empty() ? std::string() : cause.victim + "'s ";
  switch (cause.kind) {
    case CauseKind::lease_ended:
      return victims + "lease ends here";
    case CauseKind::lease_shortened:
      if (cause.culprit.empty()) return victims + "lease is cut" + change_of(cause);
      return cause.culprit + " cuts " + (cause.victim == cause.culprit ? "its own " : victims) +
             "lease" + change_of(cause);
    case CauseKind::clock:
      return "the clock ends " + victims + "lease too soon";
    case CauseKind::removed:
      return fmt::format("{} removes {}lock",
                         cause.operation.empty() ? cause.culprit : cause.operation,
                         cause.victim == cause.culprit ? "its own " : victims);
    case CauseKind::erased:
      return victims + "key is erased";
    case CauseKind::lost_by_server:
      return victims + "key is not here";
    case CauseKind::old_master:
      return "no master any more, yet it still executes " + cause.operation;
    case CauseKind::believed_refused:
      return "believes, though it was refused";
    case CauseKind::unknown_grant:
      return "granted, and nobody knows";
    case CauseKind::granted_beside:
      return fmt::format("granted beside {}", cause.victim);
    case CauseKind::executed_twice:
      return fmt::format("{} runs a second time", cause.operation);
    case CauseKind::late_reply:
      return "the reply is read too late";
    case CauseKind::split_vote:
      return "the vote is split";
    case CauseKind::message_lost:
      return cause.victim.empty() ? "a message is lost" : cause.victim + " never hears of it";
    case CauseKind::never_woken:
      return fmt::format("nobody wakes {}", cause.victim);
    case CauseKind::late_return:
      return fmt::format("{} was to be back by now", cause.victim);
    case CauseKind::woken_one_lost:
      return "the one that was woken is gone";
    case CauseKind::left_behind:
      return fmt::format("{} leaves this behind", cause.culprit);
    case CauseKind::held:
      return fmt::format("{} goes on holding it", cause.culprit);
    case CauseKind::waits_for_itself:
      return "waits for itself";
    case CauseKind::place_lost:
      if (cause.operation.empty()) return cause.culprit + " is the first in the queue";
      return victims + "place in the queue changes" + change_of(cause);
    case CauseKind::overtaken:
      return fmt::format("{} overtakes {}", cause.culprit, cause.victim);
    case CauseKind::count_wrong:
      return "the count goes wrong" + change_of(cause);
    case CauseKind::answer_untrue:
    case CauseKind::unknown:
      return {};
  }
  return {};
}

/// Whoever was granted the lock by an old master was refused by nobody.
bool was_granted_by_an_old_master(const std::vector<Cause>& causes, const Cause& believed) {
  return std::any_of(causes.begin(), causes.end(), [&](const Cause& other) {
    return other.kind == CauseKind::old_master && other.culprit == believed.culprit &&
           other.at_ns <= believed.at_ns;
  });
}

/// Who took for its own what it had lost, as it had just set the lease of whoever has it now: that
/// is where it did not look.
bool comes_of_a_cut(const std::vector<Cause>& causes, const Cause& mistaken) {
  return mistaken.mistake && std::ranges::any_of(causes, [&](const Cause& other) {
           return other.kind == CauseKind::lease_shortened &&
                  other.culprit == mistaken.mistake->who && other.at_ns <= mistaken.mistake->at_ns;
         });
}

/// The first event from this instant on; none: the run was over.
std::optional<EventIndex> event_from(const model::RecordedTrace& trace, sim::TimeNs at) {
  const auto found = std::lower_bound(
      trace.events.begin(), trace.events.end(), at,
      [](const model::RecordedEvent& event, sim::TimeNs time) { return event.at < time; });
  if (found == trace.events.end()) return std::nullopt;
  return static_cast<EventIndex>(found - trace.events.begin());
}

std::optional<LaneIndex> lane_of(const LaneMap& lanes, const Cause& cause) {
  const std::string& mistaken = cause.mistake ? cause.mistake->who : cause.server;
  for (const std::string& name : {mistaken, cause.culprit, cause.victim}) {
    if (name.empty()) continue;
    if (const auto lane = lanes.lane_named(name)) return lane;
  }
  return std::nullopt;
}

/// The node that executed something in this instant, where this one did not: of a majority, a trace
/// names the first node, whichever turned the scale.
LaneIndex lane_that_acted(const LaneMap& lanes, const model::RecordedTrace& trace, LaneIndex lane,
                          sim::TimeNs at) {
  if (lanes.lanes()[lane].kind != LaneKind::redis) return lane;
  std::optional<LaneIndex> other;
  for (auto index = event_from(trace, at);
       index && *index < trace.events.size() && trace.events[*index].at == at; ++*index) {
    const model::RecordedEvent& event = trace.events[*index];
    const bool is_command = event.kind == model::trace_kind::command_executed &&
                            event.number("writes") > 0 && !event.text("on_behalf_of").empty();
    if (!is_command) continue;
    const auto acted = lanes.lane_of(event.actor);
    if (acted == lane) return lane;
    if (acted) other = acted;
  }
  return other.value_or(lane);
}

/// Of this lane in this instant, where there is one: its other words stand beside.
EventIndex event_at_lane(const Scene& scene, const model::RecordedTrace& trace, LaneIndex lane,
                         EventIndex event) {
  for (const Note& note : scene.notes) {
    const bool is_meant =
        note.lane == lane && trace.events[note.event].at == trace.events[event].at;
    if (is_meant) event = std::max(event, note.event);
  }
  return event;
}

/// Of an answer that is not so the mark says how many nodes of a vote did what was asked.
void tell_lost_votes(Scene& scene, const search::RunRecord& example) {
  for (const checker::Verdict& verdict : example.verdicts) {
    const bool is_it = verdict.kind == checker::VerdictKind::violated &&
                       verdict.property == checker::Property::truthful_answers;
    if (!is_it) continue;
    const CauseFacts facts(example);
    for (const checker::Evidence& answered : verdict.evidence) {
      const bool is_yes = answered.what.find(", answered yes at ") != std::string::npos;
      if (answered.who == checker::no_name || !is_yes || !answered.until) continue;
      const auto vote = lost_vote(facts, example.judged->names.text(answered.who),
                                  answered.from.at_ns, answered.until->at_ns);
      if (!vote) continue;
      checker::Verdict one = verdict;
      one.evidence = {answered};
      const std::string said = mark_in_words(one, example.judged->names);
      const std::string truth = fmt::format("{} of {} nodes did", vote->done.size(), vote->nodes);
      for (Note& note : scene.notes) {
        const bool is_its =
            note.text == said && example.trace.events[note.event].at == answered.until->at_ns;
        if (is_its) note.text = mark_in_words(one, example.judged->names, truth);
      }
    }
  }
}

}  // namespace

void mark_causes(Scene& scene, const search::RunRecord& example) {
  tell_lost_votes(scene, example);
  const model::RecordedTrace& trace = example.trace;
  const LaneMap lanes(trace.actors);
  const bool counts_majorities = QuorumKeys(trace, lanes).count();
  std::vector<std::pair<std::string, sim::TimeNs>> marked;
  const std::vector<Cause> causes = find_causes(example, example.verdicts);
  for (const Cause& cause : causes) {
    std::string words = cause.mistake ? cause.mistake->what : mark_of(cause);
    const sim::TimeNs at_ns = cause.mistake ? cause.mistake->at_ns : cause.at_ns;
    if (cause.kind == CauseKind::believed_refused && was_granted_by_an_old_master(causes, cause)) {
      words = "believes what the old master said";
    }
    const auto named = lane_of(lanes, cause);
    const auto event = event_from(trace, at_ns);
    if (words.empty() || !named || !event || at_ns <= 0 || comes_of_a_cut(causes, cause)) continue;
    const LaneIndex lane =
        counts_majorities ? lane_that_acted(lanes, trace, *named, at_ns) : *named;
    if (trace.events[*event].at != at_ns) {
      words += fmt::format(", at {} ms", milliseconds_number(at_ns));
    }
    const std::pair mark(words, at_ns);
    if (std::find(marked.begin(), marked.end(), mark) != marked.end()) continue;
    if (marked.size() == marks_max) break;
    marked.push_back(mark);
    if (cause.kind == CauseKind::lease_shortened) {
      // The cause says it better.
      std::erase_if(scene.notes, [&](const Note& note) {
        return note.kind == NoteKind::lease_cut && note.lane == lane &&
               trace.events[note.event].at == at_ns;
      });
    }
    scene.notes.push_back(
        {.lane = lane,
         .event = event_at_lane(scene, trace, lane, *event),
         .text = brief("\u25c6 cause: " + words, mark_characters_max),
         .detail = cause.says.empty() ? std::string() : brief(cause.says.front(), 300),
         .tone = Tone::bad,
         .importance = Importance::essential,
         .kind = NoteKind::wrong});
    scene.kept.push_back(trace.events[*event].at);
  }
  std::stable_sort(scene.notes.begin(), scene.notes.end(),
                   [](const Note& one, const Note& other) { return one.event < other.event; });
}

}  // namespace lockstep::reports
