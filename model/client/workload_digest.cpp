// Where the threads of a client are in their steps, and what they believe, as a part of a state.
//
// Not state: actor, name, owner, spec, locks_ (the same in all runs), drawn (its steps are
// written), invoked, count_down, waits, tells_validity, has_untrue_grant, shares_call (what the
// history is told).
#include "model/client/client_process.h"
#include "model/client/workload.h"

namespace lockstep::model {

std::vector<std::uint32_t> Workload::live_fibers() const {
  std::vector<std::uint32_t> live;
  for (const Thread& thread : threads_) {
    if (thread.fiber) live.push_back(*thread.fiber);
  }
  return live;
}

void Workload::digest_into(sim::Digest& digest) const {
  for (const Thread& thread : threads_) {
    digest.add(thread.is_finished);
    digest.add(thread.has_turn);
    digest.add(thread.next_step);
    digest.add(thread.skip_until > thread.next_step);
    if (thread.skip_until > thread.next_step) {
      digest.add(thread.skip_from);
      digest.add(thread.skip_until);
    }
    digest.add(thread.rounds_left);
    digest.add(thread.fiber.has_value());
    if (thread.fiber) process_.digest_fiber(digest, *thread.fiber);
    for (const Hold& hold : thread.holds) {
      digest.add(hold.count);
      digest.add(hold.believed);
      process_.host.digest_timer(digest, hold.validity);
      digest.add(hold.has_validity);
      if (hold.is_outlived) digest.add(hold.is_outlived);
    }
    process_.host.digest_timer(digest, thread.sleep);
    digest.add(thread.token);
    digest.add_connection(thread.resource);
    digest.add(thread.resource_is_open);
    digest.add(thread.access);
    if (thread.access == Access::write) digest.add(thread.version);  // a read brings another
    if (!thread.is_open) continue;
    digest.add(thread.steps.size());
    for (const PreparedStep& step : thread.steps) {
      digest.add(std::string_view(step.text));
      digest.add(std::string_view(step.lock_text));
    }
  }
}

}  // namespace lockstep::model
