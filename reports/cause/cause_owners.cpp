// Whose doing an event is, where a lock is owned by threads, and where by whole processes; and by
// whose doing a process ended.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "model/trace_vocabulary.h"
#include "reports/cause/cause_facts.h"
#include "reports/text.h"
#include "search/runs/run_record.h"

namespace lockstep::reports {
namespace {

/// Whether it may stand in the name of a lock, so that "lock" is not in "lock2".
bool is_of_a_name(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_' ||
         character == '-';
}

}  // namespace

bool names_lock(std::string_view text, std::string_view lock) {
  if (lock.empty()) return false;
  for (std::size_t at = text.find(lock); at != std::string_view::npos;
       at = text.find(lock, at + 1)) {
    const std::size_t end = at + lock.size();
    const bool begins = at == 0 || !is_of_a_name(text[at - 1]);
    if (begins && (end == text.size() || !is_of_a_name(text[end]))) return true;
  }
  return false;
}

void CauseFacts::find_owners() {
  std::vector<std::string> processes;
  for (const sim::Actor& actor : example_.trace.actors) {
    if (actor.kind == "client-thread") process_of_[brief(actor.name)] = brief(actor.group);
    if (actor.kind == "client") processes.push_back(actor.name);
  }
  const auto is_process = [&](std::string_view name) {
    return std::find(processes.begin(), processes.end(), name) != processes.end();
  };
  for (const Event& event : events()) {
    if (event.kind != model::trace_kind::lock_changed &&
        event.kind != model::trace_kind::number_changed)
      continue;
    processes_own_ = processes_own_ || is_process(event.text("by"));
  }
}

bool CauseFacts::is_of(std::string_view actor, std::string_view owner) const {
  if (actor == owner) return true;
  const auto process = process_of_.find(actor);
  return process != process_of_.end() && process->second == owner;
}

bool CauseFacts::is_for(const Event& event, std::string_view owner) const {
  return is_of(event.text("on_behalf_of"), owner);
}

bool CauseFacts::is_by(const Event& event, std::string_view owner) const {
  const auto index = static_cast<std::size_t>(event.actor);
  const auto& actors = example_.trace.actors;
  if (index >= actors.size()) return false;
  const std::string& actor = actors[index].name;
  return is_of(actor, owner) || brief(actor) == owner;
}

std::string CauseFacts::owner_of(std::string_view thread) const {
  const auto process = process_of_.find(thread);
  return processes_own_ && process != process_of_.end() ? process->second : std::string(thread);
}

std::vector<std::string> CauseFacts::owners() const {
  std::vector<std::string> names;
  for (const sim::Actor& actor : example_.trace.actors) {
    if (actor.kind != "client-thread") continue;
    std::string name = owner_of(actor.name);
    // The threads of a process stand together.
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  return names;
}

std::string_view how_ended(const std::vector<model::RecordedEvent>& events,
                           const model::RecordedEvent& crashed) {
  if (&crashed == events.data()) return "crashed";
  const model::RecordedEvent& before = *(&crashed - 1);
  const bool was_asked_to =
      before.actor == crashed.actor && before.kind == model::trace_kind::node_shut_down;
  return was_asked_to ? "was shut down" : "crashed";
}

}  // namespace lockstep::reports
