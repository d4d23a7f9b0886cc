#include "sim/host.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/trace_kinds.h"

namespace lockstep::sim {
namespace {

constexpr std::uint32_t resume_code = 0;
constexpr std::uint32_t timer_code = 1;
constexpr std::uint32_t work_code = 2;
[[maybe_unused]] constexpr std::size_t timers_max = 65'536;

constexpr TimerId timer_id(std::uint32_t slot, std::uint16_t generation) {
  return TimerId{(std::uint32_t{generation} << 16) | slot};
}

constexpr std::uint32_t slot_of(TimerId id) { return static_cast<std::uint32_t>(id) & 0xffff; }

/// one + other for other ≥ 0, and never_ns where that is more than there is.
constexpr std::int64_t saturating_add(std::int64_t one, std::int64_t other) {
  return other >= never_ns - std::max<std::int64_t>(one, 0) ? never_ns : one + other;
}

}  // namespace

Host::Host(std::string name, ActorId actor, EventQueue& queue, Trace& trace)
    : name_(std::move(name)), actor_(actor), queue_(queue), trace_(trace) {}

// -- the inbox --

void Host::deliver(const Incoming& incoming) { handle_or_enqueue(incoming, TimerId{}); }

void Host::handle_or_enqueue(const Incoming& incoming, TimerId timer) {
  if (state_ == HostState::crashed) {
    if (incoming.kind == Incoming::Kind::message) on_dropped(incoming.argument);
  } else if (handles_at_once()) {
    on_incoming(incoming);
  } else {
    inbox_.push_back({incoming, timer});
    if (state_ == HostState::running && !draining_) plan_work(kind_of(timer));
  }
}

// A handler may pause, resume, crash or restart its host, and add to the inbox: so each round
// starts from the members. A resume() inside comes back here at once, and this loop goes on.
void Host::drain_inbox() {
  if (draining_) return;
  draining_ = true;
  while (state_ == HostState::running && slowness_ns_ == 0 && handle_next()) {
  }
  draining_ = false;
  go_on();
}

/// Handles one thing; false where nothing waits.
bool Host::handle_next() {
  while (inbox_next_ < inbox_.size()) {
    const Waiting next = inbox_[inbox_next_++];
    if (is_cancelled(next)) continue;
    if (next.timer != TimerId{}) release(slot_of(next.timer));
    on_incoming(next.incoming);
    return true;
  }
  return false;
}

/// After something was handled: forgets an inbox that is empty, or plans when the next is done.
void Host::go_on() {
  while (inbox_next_ < inbox_.size() && is_cancelled(inbox_[inbox_next_])) ++inbox_next_;
  if (inbox_next_ == inbox_.size()) {
    inbox_.clear();
    inbox_next_ = 0;
    return;
  }
  if (state_ != HostState::running) return;
  if (slowness_ns_ == 0) return drain_inbox();
  const bool all_daemons = std::all_of(
      inbox_.begin() + static_cast<std::ptrdiff_t>(inbox_next_), inbox_.end(),
      [this](const Waiting& waiting) { return kind_of(waiting.timer) == EventKind::daemon; });
  plan_work(all_daemons ? EventKind::daemon : EventKind::normal);
}

/// A timer that was cancelled while it waited.
bool Host::is_cancelled(const Waiting& waiting) {
  return waiting.timer != TimerId{} && find(waiting.timer) == nullptr;
}

EventKind Host::kind_of(TimerId timer) {
  const Timer* const found = timer == TimerId{} ? nullptr : find(timer);
  return found == nullptr ? EventKind::normal : found->kind;
}

// A daemon's work does not keep a run alive, work that others wait for does.
void Host::plan_work(EventKind kind) {
  if (work_event_.valid()) {
    if (work_kind_ == EventKind::normal || kind == EventKind::daemon) return;
    queue_.cancel(work_event_);
  } else {
    work_at_ = now() + slowness_ns_;
  }
  work_kind_ = kind;
  work_event_ = queue_.schedule(work_at_, *this, work_code, 0, kind);
}

void Host::work_is_done() {
  work_event_ = {};
  draining_ = true;
  handle_next();
  draining_ = false;
  go_on();
}

void Host::stop_work() {
  queue_.cancel(work_event_);
  work_event_ = {};
}

void Host::set_slowness(DurationNs by_ns) {
  assert(by_ns >= 0);
  if (by_ns == slowness_ns_) return;
  slowness_ns_ = by_ns;
  trace_.emit(now(), trace_kind::process_slowed, actor_, {{"by_ns", by_ns}});
  if (by_ns > 0 || state_ != HostState::running) return;
  stop_work();
  drain_inbox();
}

void Host::drop_inbox() {
  for (; inbox_next_ < inbox_.size(); ++inbox_next_) {
    const Incoming& dropped = inbox_[inbox_next_].incoming;
    if (dropped.kind == Incoming::Kind::message) on_dropped(dropped.argument);
  }
  inbox_.clear();
  inbox_next_ = 0;
}

// -- timers --

TimerId Host::start_timer(DurationNs after_ns, std::uint64_t cookie, EventKind kind) {
  assert(after_ns >= 0);
  if (state_ == HostState::crashed) return TimerId{};
  if (free_timers_.empty()) {
    assert(timers_.size() < timers_max);
    free_timers_.push_back(static_cast<std::uint32_t>(timers_.size()));
    timers_.emplace_back();
  }
  const std::uint32_t slot = free_timers_.back();
  free_timers_.pop_back();
  Timer& timer = timers_[slot];
  timer.deadline_reading_ns = saturating_add(monotonic_ns(), after_ns);
  timer.cookie = cookie;
  timer.sequence = next_timer_sequence_++;
  timer.kind = kind;
  timer.state = TimerState::armed;
  arm(slot);
  return timer_id(slot, timer.generation);
}

void Host::cancel_timer(TimerId id) {
  Timer* const timer = find(id);
  if (timer == nullptr) return;
  queue_.cancel(timer->event);
  release(slot_of(id));
}

void Host::arm(std::uint32_t slot) {
  Timer& timer = timers_[slot];
  timer.event = {};
  if (timer.deadline_reading_ns == never_ns) return;
  const TimeNs at = std::max(now(), monotonic_clock_.true_time_of(timer.deadline_reading_ns));
  if (at == never_ns) return;
  const auto id = static_cast<std::uint32_t>(timer_id(slot, timer.generation));
  timer.event = queue_.schedule(at, *this, timer_code, id, timer.kind);
}

void Host::set_monotonic_drift(std::int64_t drift_ppm) {
  monotonic_clock_.set_drift(now(), drift_ppm);
  rearm_timers();
}

void Host::step_monotonic(DurationNs by_ns) {
  assert(by_ns >= 0);
  monotonic_clock_.step(now(), by_ns);
  rearm_timers();
}

void Host::freeze_monotonic() {
  monotonic_clock_.freeze(now());
  rearm_timers();
}

void Host::thaw_monotonic() {
  monotonic_clock_.thaw(now());
  rearm_timers();
}

void Host::rearm_timers() {
  rearmed_.clear();
  for (std::uint32_t slot = 0; slot < timers_.size(); ++slot) {
    if (timers_[slot].state == TimerState::armed) rearmed_.push_back(slot);
  }
  // Timers that come due at one instant fire in the order of their deadlines, then of their starts.
  std::sort(rearmed_.begin(), rearmed_.end(), [this](std::uint32_t one, std::uint32_t other) {
    const Timer& first = timers_[one];
    const Timer& second = timers_[other];
    return std::pair(first.deadline_reading_ns, first.sequence) <
           std::pair(second.deadline_reading_ns, second.sequence);
  });
  for (const std::uint32_t slot : rearmed_) {
    queue_.cancel(timers_[slot].event);
    arm(slot);
  }
}

void Host::timer_is_due(TimerId id) {
  Timer* const timer = find(id);
  assert(timer != nullptr && timer->state == TimerState::armed);
  const Incoming incoming{Incoming::Kind::timer, ConnectionId{}, timer->cookie};
  if (handles_at_once()) {
    release(slot_of(id));
  } else {
    timer->state = TimerState::waiting;
    timer->event = {};
  }
  handle_or_enqueue(incoming, id);
}

Host::Timer* Host::find(TimerId id) { return const_cast<Timer*>(std::as_const(*this).find(id)); }

const Host::Timer* Host::find(TimerId id) const {
  const std::uint32_t slot = slot_of(id);
  if (slot >= timers_.size()) return nullptr;
  const Timer& timer = timers_[slot];
  if (timer.state == TimerState::unused || timer_id(slot, timer.generation) != id) return nullptr;
  return &timer;
}

void Host::release(std::uint32_t slot) {
  Timer& timer = timers_[slot];
  timer.state = TimerState::unused;
  timer.event = {};
  ++timer.generation;
  if (timer.generation != 0) free_timers_.push_back(slot);  // else its ids are used up
}

void Host::release_all_timers() {
  for (std::uint32_t slot = 0; slot < timers_.size(); ++slot) {
    if (timers_[slot].state == TimerState::unused) continue;
    queue_.cancel(timers_[slot].event);
    release(slot);
  }
}

// -- what happens to the process --

PauseId Host::pause(DurationNs for_ns) {
  assert(for_ns > 0);
  if (state_ == HostState::crashed) return PauseId{};
  trace_.emit(now(), trace_kind::process_paused, actor_,
              {{"for_ns", for_ns == never_ns ? DurationNs{-1} : for_ns}});
  const PauseId id{++last_pause_};
  const TimeNs until = saturating_add(now(), for_ns);
  pauses_.push_back({id, until});
  if (state_ == HostState::paused && until <= paused_until_) return id;
  state_ = HostState::paused;
  stop_work();
  resume_at(until);
  return id;
}

void Host::resume_at(TimeNs until) {
  paused_until_ = until;
  queue_.cancel(resume_event_);
  resume_event_ = {};
  if (until != never_ns) resume_event_ = queue_.schedule(until, *this, resume_code);
}

void Host::forget_pauses() {
  pauses_.clear();
  queue_.cancel(resume_event_);
  resume_event_ = {};
}

void Host::end_pause(PauseId id) {
  if (std::erase_if(pauses_, [id](const Pause& pause) { return pause.id == id; }) == 0) return;
  TimeNs until = now();
  for (const Pause& other : pauses_) until = std::max(until, other.until);
  if (until == now()) return resume();
  if (until < paused_until_) resume_at(until);
}

void Host::resume() {
  if (state_ != HostState::paused) return;
  forget_pauses();
  state_ = HostState::running;
  trace_.emit(now(), trace_kind::process_resumed, actor_, {});
  drain_inbox();
}

void Host::crash() {
  if (state_ == HostState::crashed) return;
  forget_pauses();
  stop_work();
  state_ = HostState::crashed;
  trace_.emit(now(), trace_kind::process_crashed, actor_, {});
  release_all_timers();
  drop_inbox();
  on_crash();
}

void Host::restart() {
  if (state_ != HostState::crashed) return;
  state_ = HostState::running;
  trace_.emit(now(), trace_kind::process_restarted, actor_, {});
  on_start();
}

void Host::reset(Clock wall, Clock monotonic) {
  assert(!draining_);
  forget_pauses();
  last_pause_ = 0;
  stop_work();
  slowness_ns_ = 0;
  release_all_timers();
  timers_.clear();
  free_timers_.clear();
  next_timer_sequence_ = 0;
  inbox_.clear();
  inbox_next_ = 0;
  state_ = HostState::running;
  wall_clock_ = wall;
  monotonic_clock_ = monotonic;
}

void Host::on_event(std::uint32_t code, std::uint64_t argument) {
  if (code == resume_code) {
    resume();
  } else if (code == work_code) {
    work_is_done();
  } else {
    timer_is_due(TimerId{static_cast<std::uint32_t>(argument)});
  }
}

}  // namespace lockstep::sim
