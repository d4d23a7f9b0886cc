#include "model/simulation/moments.h"

#include <algorithm>

namespace lockstep::model {

void Moments::start_run() {
  std::fill(moments_seen_.begin(), moments_seen_.end(), 0U);
  std::fill(messages_seen_.begin(), messages_seen_.end(), 0U);
  std::fill(callbacks_seen_.begin(), callbacks_seen_.end(), 0U);
}

void Moments::note(Milestone milestone, sim::ActorId actor, std::string_view detail) {
  if (actor == sim::no_actor) return;
  const std::string& name = trace_.actor(actor).name;
  const auto found = std::find_if(moments_.begin(), moments_.end(), [&](const SeenMilestone& each) {
    return each.milestone == milestone && each.actor == name && each.detail == detail;
  });
  const auto index = static_cast<std::size_t>(found - moments_.begin());
  if (found == moments_.end()) {
    moments_.push_back({milestone, name, std::string(detail)});
    moments_seen_.push_back(0);
  }
  moments_[index].times = std::max(moments_[index].times, ++moments_seen_[index]);
}

void Moments::note(std::string_view from, std::string_view to, std::string_view label) {
  const auto found = std::find_if(messages_.begin(), messages_.end(), [&](const SentMessage& each) {
    return each.from == from && each.to == to && each.label == label;
  });
  const auto index = static_cast<std::size_t>(found - messages_.begin());
  if (found == messages_.end()) {
    messages_.push_back({std::string(from), std::string(to), std::string(label)});
    messages_seen_.push_back(0);
    const bool is_known = std::any_of(pairs_.begin(), pairs_.end(), [&](const auto& pair) {
      return (pair.first == from && pair.second == to) || (pair.first == to && pair.second == from);
    });
    if (!is_known) pairs_.emplace_back(from, to);
  }
  messages_[index].times = std::max(messages_[index].times, ++messages_seen_[index]);
}

void Moments::on_due(std::string_view client, CallbackKind kind, std::string_view name) {
  const auto found =
      std::find_if(callbacks_.begin(), callbacks_.end(), [&](const DueCallback& each) {
        return each.client == client && each.kind == kind && each.name == name;
      });
  const auto index = static_cast<std::size_t>(found - callbacks_.begin());
  if (found == callbacks_.end()) {
    callbacks_.push_back({std::string(client), kind, std::string(name)});
    callbacks_seen_.push_back(0);
  }
  callbacks_[index].times = std::max(callbacks_[index].times, ++callbacks_seen_[index]);
}

void Moments::end_run(sim::TimeNs ended_ns, sim::DurationNs longest_lease_ns) {
  ended_ns_ = std::max(ended_ns_, ended_ns);
  longest_lease_ns_ = std::max(longest_lease_ns_, longest_lease_ns);
}

}  // namespace lockstep::model
