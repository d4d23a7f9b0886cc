// A host and its clocks as a part of a state.
//
// A timer is named by its place in the order in which timers of one deadline fire: that of the
// deadlines, then of the starts. What a clock shows counts only as far as somebody looks at it
// (DigestGrain): where nobody reads a clock, a step of it that has no effect is none.
//
// Not state: anchor_reading_ns_ (the reading is written), name_ (the actor's), event,
// resume_event_, work_at_ (they are among the events), generation, free_timers_, last_pause_,
// next_timer_sequence_ (numbers to come are new ones), rearmed_ (memory), draining_ (never between
// two events).
#include <algorithm>

#include "sim/digest.h"
#include "sim/host.h"

namespace lockstep::sim {
namespace {

constexpr std::int64_t millionths = 1'000'000;
__extension__ using Exact = __int128;

}  // namespace

void Clock::digest_into(Digest& digest, DurationNs grain_ns) const {
  const std::int64_t reading_ns = reading_at(digest.now());
  const std::int64_t remainder_ns = grain_ns == 0 ? reading_ns : reading_ns % grain_ns;
  const Exact elapsed_ns = digest.now() - anchor_true_ns_;
  digest.add(remainder_ns);
  digest.add(static_cast<std::int64_t>((elapsed_ns * rate_ppm_ + anchor_fraction_) % millionths));
  digest.add(rate_ppm_);
  digest.add(thawed_rate_ppm_);
}

void Host::digest_into(Digest& digest) const {
  digest.add(state_);
  digest.add(slowness_ns_);
  wall_clock_.digest_into(digest, digest.grain().wall_clock_ns);
  if (digest.grain().compares_wall_clocks) {
    digest.add(wall_clock_.reading_at(digest.now()) - digest.now());
  }
  monotonic_clock_.digest_into(digest, digest.grain().reads_monotonic_clocks ? 0 : 1);

  std::vector<std::uint32_t>& order = digest.memory();
  for (std::uint32_t slot = 0; slot < timers_.size(); ++slot) {
    if (timers_[slot].state != TimerState::unused) order.push_back(slot);
  }
  std::sort(order.begin(), order.end(), [this](std::uint32_t one, std::uint32_t other) {
    const Timer& first = timers_[one];
    const Timer& second = timers_[other];
    return std::pair(first.deadline_reading_ns, first.sequence) <
           std::pair(second.deadline_reading_ns, second.sequence);
  });
  const std::int64_t reading_ns = monotonic_clock_.reading_at(digest.now());
  digest.add(order.size());
  for (const std::uint32_t slot : order) {
    const Timer& timer = timers_[slot];
    digest.name(NamedKind::timer, static_cast<std::uint64_t>(actor_), slot);
    digest.add(timer.state);
    digest.add(timer.kind);
    const bool is_ahead = timer.state == TimerState::armed && timer.deadline_reading_ns != never_ns;
    digest.add(is_ahead ? std::max<std::int64_t>(timer.deadline_reading_ns - reading_ns, 0) : -1);
    digest_cookie(digest, timer.cookie);
  }

  digest.add(pauses_.size());
  for (const Pause& pause : pauses_) {
    digest.name(NamedKind::pause, static_cast<std::uint64_t>(actor_),
                static_cast<std::uint64_t>(pause.id));
    digest.add_instant(pause.until);
  }
  if (state_ == HostState::paused) digest.add_instant(paused_until_);
  digest.add(work_event_.valid());
  if (work_event_.valid()) digest.add(work_kind_);

  for (std::size_t i = inbox_next_; i < inbox_.size(); ++i) {
    const Incoming& incoming = inbox_[i].incoming;
    const bool is_timer = inbox_[i].timer != TimerId{};
    if (is_timer && find(inbox_[i].timer) == nullptr) continue;
    digest.add(incoming.kind);
    digest.add_connection(incoming.connection);
    if (is_timer) {
      digest_timer(digest, inbox_[i].timer);
    } else if (incoming.kind == Incoming::Kind::message) {
      digest_payload(digest, incoming.connection, incoming.argument);
    } else if (incoming.kind == Incoming::Kind::resumed_work) {
      digest_work(digest, incoming.argument);
    }
  }
  digest.add(~std::uint64_t{0});  // the inbox ends
}

void Host::digest_timer(Digest& digest, TimerId timer) const {
  const bool is_there = find(timer) != nullptr;
  digest.add(is_there ? 2 : timer == TimerId{} ? 0 : 1);
  if (!is_there) return;
  digest.name(NamedKind::timer, static_cast<std::uint64_t>(actor_),
              static_cast<std::uint32_t>(timer) & 0xffffU);
}

void Host::digest_payload(Digest& digest, ConnectionId /*connection*/, Payload /*payload*/) const {
  digest.mark_unmergeable();
}

void Host::digest_cookie(Digest& digest, std::uint64_t cookie) const { digest.add(cookie); }

void Host::digest_work(Digest& digest, std::uint64_t cookie) const { digest.add(cookie); }

void Host::digest_event(Digest& digest, std::uint32_t code, std::uint64_t argument) const {
  digest.add(actor_);
  digest.add(code);
  const TimerId timer{static_cast<std::uint32_t>(argument)};
  if (timer != TimerId{}) digest_timer(digest, timer);
}

}  // namespace lockstep::sim
