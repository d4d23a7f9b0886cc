// What there is to see of a client: the steps of its threads and what they wait for, its tasks and
// what it listens to. What its threads believe, the trace tells.
#include <fmt/format.h>

#include "model/client/client_components.h"
#include "model/host_view.h"
#include "redis/values/value_text.h"
#include "scenario/topology_kind.h"

namespace lockstep::model {
namespace {

/// "2 of 3: write".
std::string step_text(std::size_t step, std::size_t steps, std::string_view text) {
  return fmt::format("{} of {}: {}", step + 1, steps, redis::cut_text(text));
}

/// What a coroutine waits for, in words; empty: nothing.
std::string waits_for(const Fiber& fiber, std::size_t shard_count) {
  if (fiber.is_postponed) return "a callback that is held back";
  if (fiber.state == Fiber::State::ready) return "its turn";
  if (fiber.state != Fiber::State::waiting) return {};
  const Interaction& asked = fiber.interaction;
  const std::string at =
      shard_count > 1 ? fmt::format(" of shard {}", asked.shard + 1) : std::string();
  switch (asked.kind) {
    case Interaction::Kind::none:
      return {};
    case Interaction::Kind::call: {
      std::string labels;
      for (std::size_t i = 0; i < asked.command_count && i < 3; ++i) {
        labels += (i > 0 ? ", " : "") + redis::cut_text(asked.commands[i].label);
      }
      const std::string again =
          fiber.attempt > 1 ? fmt::format(", attempt {}", fiber.attempt) : std::string();
      const std::string_view what = fiber.is_sent ? "the reply to" : "its turn to send";
      return fmt::format("{} {}{}{}", what, labels, at, again);
    }
    case Interaction::Kind::subscribe:
      return "its subscription to " + redis::cut_text(asked.text);
    case Interaction::Kind::wait_message:
      return "a message on " + redis::cut_text(asked.text);
    case Interaction::Kind::unsubscribe:
      return "the end of its subscription to " + redis::cut_text(asked.text);
    case Interaction::Kind::wait_signal:
      return "the local semaphore " + redis::cut_text(asked.text);
    case Interaction::Kind::sleep:
      return "the end of a sleep";
  }
  return {};
}

}  // namespace

void ClientComponents::look(HostView& view) const {
  if (process.is_dead()) return;
  workload.look(view, discovery->shard_count());
  for (const std::uint32_t index : tasks.live_fibers()) {
    const Fiber& fiber = fibers[index];
    view.add(fiber.actor, fmt::format("task {} {}", fiber.task_name, fiber.task.value_or(0)),
             waits_for(fiber, discovery->shard_count()));
  }
  for (const std::string& channel : subscriptions.live()) {
    view.add(process.host.actor(), "listens to " + redis::cut_text(channel), "yes");
  }
  if (process.environment.kind != scenario::TopologyKind::sentinel &&
      process.environment.kind != scenario::TopologyKind::cluster) {
    return;
  }
  for (std::size_t shard = 0; shard < discovery->shard_count(); ++shard) {
    const std::optional<sim::HostId> master = discovery->master_of(shard);
    const std::string name = discovery->shard_count() == 1
                                 ? std::string("master it knows")
                                 : fmt::format("master it knows of shard {}", shard + 1);
    view.add(process.host.actor(), name,
             master ? process.environment.network.host(*master).name() : std::string("none"));
  }
}

void Workload::look(HostView& view, std::size_t shard_count) const {
  for (const Thread& thread : threads_) {
    if (thread.is_finished) {
      view.add(thread.actor, "step", "all done");
    } else if (thread.next_step < thread.steps.size()) {
      view.add(thread.actor, "step",
               step_text(thread.next_step, thread.steps.size(), current(thread).text));
    }
    if (thread.has_turn && !thread.is_finished) {
      view.add(thread.actor, "waits for", "its turn");
    } else if (thread.access != Access::none) {
      view.add(thread.actor, "waits for", "the resource");
    } else if (thread.fiber) {
      const std::string reason = waits_for(fibers_[*thread.fiber], shard_count);
      if (!reason.empty()) view.add(thread.actor, "waits for", reason);
    }
    for (std::size_t place = 0; place < thread.holds.size(); ++place) {
      if (thread.holds[place].count < 2) continue;
      view.add(thread.actor,
               fmt::format("holds of {}{}", redis::cut_text(locks_[place / 2].name),
                           place % 2 == 0 ? "" : " (shared)"),
               std::to_string(thread.holds[place].count));
    }
    const auto number = static_cast<std::uint32_t>(&thread - threads_.data());
    view.add(thread.actor, "its name in keys", std::string(process_.owner_text(number)));
    if (thread.token >= 0) {
      view.add(thread.actor, "token of its last grant", std::to_string(thread.token));
    }
  }
}

}  // namespace lockstep::model
