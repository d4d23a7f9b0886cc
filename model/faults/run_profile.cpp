#include "model/faults/run_profile.h"

#include <algorithm>

#include "scenario/milestones.h"

namespace lockstep::model {
namespace {

/// Counts one more of what `is_it` knows, which `make` makes where there is none yet; returns
/// whether it did.
template <typename Seen, typename IsIt, typename Make>
bool count(std::vector<Seen>& list, IsIt is_it, Make make) {
  const auto found = std::find_if(list.begin(), list.end(), is_it);
  const bool is_new = found == list.end();
  Seen& seen = is_new ? list.emplace_back(make()) : *found;
  seen.times = std::max(seen.times, ++seen.seen);
  return is_new;
}

template <typename Seen>
void forget_run(std::vector<Seen>& list) {
  for (Seen& each : list) each.seen = 0;
}

/// Whether a file's `when` can name what a client model logged: as words, one blank between them,
/// and not as if it said how often ("… for the 2nd time").
bool can_be_written(std::string_view logged) {
  return !logged.empty() && logged.front() != ' ' && logged.back() != ' ' &&
         logged.find_first_of("\t\n\r\f\v") == std::string_view::npos &&
         logged.find("  ") == std::string_view::npos &&
         logged.find("for the") == std::string_view::npos;
}

}  // namespace

void RunProfile::start_run() {
  forget_run(milestones_);
  forget_run(messages_);
  forget_run(callbacks_);
}

void RunProfile::note(scenario::Milestone milestone, sim::ActorId actor, std::string_view detail) {
  if (actor == sim::no_actor) return;
  if (milestone == scenario::Milestone::logged && !can_be_written(detail)) return;
  const std::string& name = trace_.actor(actor).name;
  count(
      milestones_,
      [&](const SeenMilestone& each) {
        return each.milestone == milestone && each.actor == name && each.detail == detail;
      },
      [&] {
        return SeenMilestone{milestone, name, std::string(detail)};
      });
}

void RunProfile::note(std::string_view from, std::string_view to, std::string_view label) {
  const bool is_new = count(
      messages_,
      [&](const SentMessage& each) {
        return each.from == from && each.to == to && each.label == label;
      },
      [&] {
        return SentMessage{std::string(from), std::string(to), std::string(label)};
      });
  if (!is_new) return;
  const bool is_known = std::any_of(pairs_.begin(), pairs_.end(), [&](const auto& pair) {
    return (pair.first == from && pair.second == to) || (pair.first == to && pair.second == from);
  });
  if (!is_known) pairs_.emplace_back(from, to);
}

void RunProfile::on_due(std::string_view client, scenario::CallbackKind kind,
                        std::string_view name) {
  count(
      callbacks_,
      [&](const DueCallback& each) {
        return each.client == client && each.kind == kind && each.name == name;
      },
      [&] {
        return DueCallback{std::string(client), kind, std::string(name)};
      });
}

void RunProfile::end_run(sim::TimeNs ended_ns, sim::DurationNs longest_lease_ns) {
  ended_ns_ = std::max(ended_ns_, ended_ns);
  longest_lease_ns_ = std::max(longest_lease_ns_, longest_lease_ns);
}

}  // namespace lockstep::model
