#include "model/engine/run_loop.h"

#include <algorithm>

#include "model/client/client.h"

namespace lockstep::model {
namespace {

/// A client that only sleeps leaves no event, and would go on to the horizon.
constexpr std::uint64_t steps_per_event_max = 8;

}  // namespace

void RunLoop::start_run() {
  clients_finished_at_ns_ = sim::never_ns;
  last_step_at_ns_ = -1;
}

RunEnd RunLoop::run_to_end() {
  sim::EventQueue& queue = context_.queue;
  std::uint64_t steps = 0;
  while (queue.normal_pending() > 0) {
    if (queue.next_at() > limits_.horizon_ns) return RunEnd::horizon;
    if (context_.trace.event_count() >= limits_.events_max) return RunEnd::event_limit;
    if (steps++ / steps_per_event_max >= limits_.events_max) return RunEnd::event_limit;
    if (step_listener_ != nullptr && step_listener_->before_step() == StepListener::Next::end_run) {
      return RunEnd::stopped;
    }
    queue.run_next();
    last_step_at_ns_ = queue.now();
    if (clients_finished_at_ns_ == sim::never_ns && clients_finished()) {
      clients_finished_at_ns_ = queue.now();
    }
  }
  return RunEnd::at_rest;
}

/// Asked after each event: first of the client that was not finished the last time.
bool RunLoop::clients_finished() {
  if (unfinished_client_ < clients_.size() && !clients_[unfinished_client_]->finished())
    return false;
  const auto at_work = std::find_if(clients_.begin(), clients_.end(),
                                    [](const Client* client) { return !client->finished(); });
  unfinished_client_ = static_cast<std::size_t>(at_work - clients_.begin());
  return at_work == clients_.end();
}

NextStep RunLoop::next_step() {
  NextStep step;
  step.at = context_.queue.next_at();
  if (step.at == sim::never_ns) return step;
  const sim::PendingEvent event = context_.queue.next_event();
  step.is_first_of_instant = event.at > last_step_at_ns_;
  sim::Network& network = context_.network;
  if (const auto host = network.host_of(event)) step.host = network.host(*host).name();
  return step;
}

sim::TimeNs RunLoop::next_instant() {
  const sim::TimeNs next_ns = context_.queue.next_at();
  return next_ns == sim::never_ns ? context_.queue.now() : next_ns;
}

sim::TimeNs RunLoop::workload_ended_at() const {
  const bool are_finished = clients_finished_at_ns_ != sim::never_ns;
  return are_finished ? clients_finished_at_ns_ : context_.queue.now();
}

// A lease may be as long as 64 bits allow: a sum of two overflows.
bool RunLoop::is_long_over(sim::DurationNs lease_ns) const {
  return clients_finished_at_ns_ != sim::never_ns &&
         context_.queue.now() - clients_finished_at_ns_ - lease_ns > lease_ns;
}

/// Not state: step_listener_ (the same in all runs), unfinished_client_ (where one looks first).
void RunLoop::digest_into(sim::Digest& digest, sim::DurationNs lease_ns) const {
  // What strikes by the clock may strike before the event.
  digest.add(digest.now() > last_step_at_ns_);
  const bool are_finished = clients_finished_at_ns_ != sim::never_ns;
  digest.add(are_finished);
  if (!are_finished) return;
  const sim::DurationNs since_ns = digest.now() - clients_finished_at_ns_ - lease_ns;
  digest.add(std::min(since_ns, lease_ns + 1));  // to tell when it is long over
}

}  // namespace lockstep::model
