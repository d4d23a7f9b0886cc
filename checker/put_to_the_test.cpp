#include "checker/put_to_the_test.h"

#include <algorithm>
#include <tuple>

#include "checker/observations.h"
#include "checker/property.h"

namespace lockstep::checker {
namespace {

/// An answer that took this part of the lease, or more, took a while.
constexpr TimeNs part_of_lease = 10;

bool is_earlier(const Moment& a, const Moment& b) { return a.order < b.order; }

/// Pointers to all of them, in order of their beginnings.
template <typename Each>
void put_in_order(const std::vector<Each>& all, std::vector<const Each*>& in_order) {
  in_order.clear();
  for (const Each& each : all) in_order.push_back(&each);
  const auto begins_earlier = [](const Each* a, const Each* b) {
    return a->from == b->from ? a < b : is_earlier(a->from, b->from);
  };
  if (!std::is_sorted(in_order.begin(), in_order.end(), begins_earlier)) {
    std::sort(in_order.begin(), in_order.end(), begins_earlier);
  }
}

}  // namespace

std::string_view what_puts_to_the_test(Property property) {
  switch (property) {
    case Property::mutual_exclusion:
      return "a thread asked for the lock while another had it";
    case Property::valid_grant:
      return "a lock was granted after a wait for another, or after a tenth of its lease, or with "
             "a validity";
    case Property::lease_linearizability:
      return "two threads asked for the lock and were answered";
    case Property::harm:
      return "two threads wrote to the resource, or a write was refused";
    case Property::hold_count:
      return "a hold was released, or taken once more";
    case Property::no_leak:
      return "something was taken that could be left behind";
    case Property::fencing:
      return "two threads were given tokens";
    case Property::fifo:
      return "two threads stood in the queue at once";
    case Property::permits:
      return "a thread asked for more permits than were left while some were out";
    case Property::latch:
      return "a thread came to the latch while it was closed (one that nobody has set is open)";
    case Property::no_deadlock:
      return "a thread came for a lock that another had left, or slept until what it waited for "
             "was there, and was to be served once the last fault was over";
    case Property::no_lost_wakeup:
      return "a thread slept until what it waited for was there, and was to be served once the "
             "last fault was over";
    case Property::no_starvation:
      return "a thread waited while another was granted the lock";
    case Property::truthful_answers:
      return "a release, an extension, a count_down, a question or a refusal was answered";
  }
  return "";
}

void PutToTheTest::start(const Run& run) {
  run_ = &run;
  is_contended_.reset();
  sleepers_.reset();
}

bool PutToTheTest::is(Property property) {
  switch (property) {
    case Property::mutual_exclusion:
      return is_contended();
    case Property::no_starvation:
      return is_contended() && was_overtaken();
    case Property::valid_grant:
      return has_doubtful_grant();
    case Property::lease_linearizability:
      return two_owners_acquired();
    case Property::harm:
      return two_owners_wrote();
    case Property::hold_count:
      return has_counted();
    case Property::no_leak:
      return was_in_use();
    case Property::fencing:
      return two_owners_got_tokens();
    case Property::fifo:
      return two_stood_in_queue();
    case Property::permits:
      return has_asked_for_too_much();
    case Property::latch:
      return has_been_kept();
    case Property::no_deadlock:
      return has_slept_on() || has_come_after_another();
    case Property::no_lost_wakeup:
      return has_slept_on();
    case Property::truthful_answers:
      return has_told();
  }
  return false;
}

// -- one wants what another has --

void PutToTheTest::FurthestTwo::add(NameId owner, const Moment& until) {
  if (first.owner == no_name || first.owner == owner) {
    if (first.owner == no_name || first.until < until) first = {owner, until};
  } else if (first.until < until) {
    second = first;
    first = {owner, until};
  } else if (second.owner == no_name || second.until < until) {
    second = {owner, until};
  }
}

bool PutToTheTest::FurthestTwo::is_another_beyond(NameId owner, const Moment& from) const {
  const Reach& other = first.owner == owner ? second : first;
  return other.owner != no_name && from < other.until;
}

void PutToTheTest::Furthest::add(NameId owner, HoldMode mode, const Moment& until) {
  of_all.add(owner, until);
  if (mode == HoldMode::exclusive) of_exclusive.add(owner, until);
}

bool PutToTheTest::Furthest::excludes(NameId owner, HoldMode mode, const Moment& from) const {
  const FurthestTwo& others = mode == HoldMode::exclusive ? of_all : of_exclusive;
  return others.is_another_beyond(owner, from);
}

bool PutToTheTest::is_contended() {
  if (!is_contended_) is_contended_ = find_contention();
  return *is_contended_;
}

/// Waits and beliefs are passed in order of their beginnings: of two that overlap, the second finds
/// that the first reaches beyond its beginning.
bool PutToTheTest::find_contention() {
  put_in_order(run_->observations.beliefs, beliefs_);
  put_in_order(run_->observations.waits, waits_);
  locks_.assign(run_->names.size(), LockInUse{});
  auto belief = beliefs_.begin();
  for (const Wait* wait : waits_) {
    for (; belief != beliefs_.end() && !is_earlier(wait->from, (*belief)->from); ++belief) {
      LockInUse& lock = locks_[static_cast<std::size_t>((*belief)->lock)];
      if (lock.waits.excludes((*belief)->owner, (*belief)->mode, (*belief)->from)) return true;
      lock.beliefs.add((*belief)->owner, (*belief)->mode, (*belief)->until);
    }
    LockInUse& lock = locks_[static_cast<std::size_t>(wait->lock)];
    if (lock.beliefs.excludes(wait->owner, wait->mode, wait->from)) return true;
    lock.waits.add(wait->owner, wait->mode, wait->until);
  }
  return std::any_of(belief, beliefs_.end(), [this](const Belief* later) {
    const Furthest& waits = locks_[static_cast<std::size_t>(later->lock)].waits;
    return waits.excludes(later->owner, later->mode, later->from);
  });
}

/// Whether a grant went to another while somebody waited: of who has the lock alone nobody starves.
bool PutToTheTest::was_overtaken() const {
  const Observations& observations = run_->observations;
  return std::any_of(
      observations.grants.begin(), observations.grants.end(), [&](const Grant& grant) {
        return !is_reentry(grant) &&
               std::any_of(observations.waits.begin(), observations.waits.end(),
                           [&grant](const Wait& wait) {
                             return wait.lock == grant.lock && wait.owner != grant.owner &&
                                    is_earlier(wait.from, grant.at) &&
                                    is_earlier(grant.at, wait.until);
                           });
      });
}

bool PutToTheTest::is_reentry(const Grant& grant) const {
  const auto& beliefs = run_->observations.beliefs;
  return std::any_of(beliefs.begin(), beliefs.end(), [&grant](const Belief& belief) {
    return belief.lock == grant.lock && belief.owner == grant.owner && belief.mode == grant.mode &&
           is_earlier(belief.from, grant.invoked) && is_earlier(grant.at, belief.until);
  });
}

// -- one wants what is not there --

bool PutToTheTest::has_slept() {
  if (!sleepers_) find_sleepers();
  return sleepers_->any;
}

bool PutToTheTest::has_slept_on() {
  if (!sleepers_) find_sleepers();
  return sleepers_->any_to_serve;
}

/// Whose call failed has neither passed the latch nor been kept there.
bool PutToTheTest::has_been_kept() {
  if (!has_slept()) return false;
  const std::vector<Wait>& waits = run_->observations.waits;
  return std::any_of(waits.begin(), waits.end(), [this](const Wait& wait) {
    return wait.end != WaitEnd::failed && sleep_of(wait) != Sleep::none;
  });
}

/// Where nobody had a permit, because none were ever set or all were lost, there is nothing of
/// which too many could be given out.
bool PutToTheTest::has_asked_for_too_much() {
  if (!has_slept()) return false;
  put_in_order(run_->observations.beliefs, beliefs_);
  put_in_order(run_->observations.waits, waits_);
  believed_until_.assign(run_->names.size(), Moment{});
  auto belief = beliefs_.begin();
  return std::any_of(waits_.begin(), waits_.end(), [&](const Wait* wait) {
    for (; belief != beliefs_.end() && (*belief)->from < wait->from; ++belief) {
      Moment& until = believed_until_[static_cast<std::size_t>((*belief)->lock)];
      until = later_of(until, (*belief)->until);
    }
    bool some_were_out = wait->from < believed_until_[static_cast<std::size_t>(wait->lock)];
    for (auto later = belief; !some_were_out && later != beliefs_.end(); ++later) {
      if (!((*later)->from < wait->until)) break;
      some_were_out = (*later)->lock == wait->lock;
    }
    return some_were_out && sleep_of(*wait) != Sleep::none;
  });
}

void PutToTheTest::find_sleepers() {
  sleepers_ = Sleepers{};
  const Observations& observations = run_->observations;
  availabilities_.clear();
  for (const Availability& each : observations.availability) availabilities_.push_back(&each);
  std::sort(availabilities_.begin(), availabilities_.end(),
            [](const Availability* a, const Availability* b) {
              return std::tuple(a->lock, a->at.order, a) < std::tuple(b->lock, b->at.order, b);
            });
  for (const Wait& wait : observations.waits) {
    const bool is_to_serve = !wait.is_hopeless && !(wait.until < observations.healed);
    if (sleepers_->any && !is_to_serve) continue;
    const Sleep sleep = sleep_of(wait);
    if (sleep == Sleep::none) continue;
    sleepers_->any = true;
    if (sleep != Sleep::could_end || !is_to_serve) continue;
    sleepers_->any_to_serve = true;
    return;
  }
}

/// Whether there was too little for it at some moment of the wait, and enough at a later one. It
/// looks at what happened during the wait only; a wait for what is always there is over soon. Who
/// waits for what nobody gives back can't be woken, and so shows nothing.
PutToTheTest::Sleep PutToTheTest::sleep_of(const Wait& wait) const {
  const auto is_before = [&wait](const Availability* each) {
    return std::tuple(each->lock, each->at.order) <= std::tuple(wait.lock, wait.from.order);
  };
  auto next = std::partition_point(availabilities_.begin(), availabilities_.end(), is_before);
  if (next != availabilities_.begin() && (*(next - 1))->lock == wait.lock) --next;
  const bool shares = wait.mode == HoldMode::shared;
  bool slept = false;
  bool for_another = false;
  for (; next != availabilities_.end() && (*next)->lock == wait.lock; ++next) {
    if (!is_earlier((*next)->at, wait.until)) break;
    const bool is_enough = (shares ? (*next)->shared : (*next)->exclusive) >= wait.permits;
    if (slept && is_enough) return Sleep::could_end;
    const bool is_its_own = (*next)->by == wait.owner && is_earlier(wait.from, (*next)->at);
    slept = slept || !is_enough;
    for_another = for_another || (!is_enough && !is_its_own);
  }
  // Who has taken it all itself, and was told so, has not slept.
  if (!slept || (!for_another && wait.end == WaitEnd::granted)) return Sleep::none;
  return wait.end == WaitEnd::granted ? Sleep::could_end : Sleep::without_end;
}

/// Somebody came for a lock that another had had, and might have left locked.
bool PutToTheTest::has_come_after_another() {
  const Observations& observations = run_->observations;
  put_in_order(observations.waits, waits_);
  left_.assign(run_->names.size(), Left{});
  auto change = observations.hold_changes.begin();
  for (const Wait* wait : waits_) {
    for (; change != observations.hold_changes.end() && change->at < wait->from; ++change) {
      if (change->count_after >= change->count_before) continue;
      Left& left = left_[static_cast<std::size_t>(change->lock)];
      left.by_several = left.by_several || (left.by != no_name && left.by != change->owner);
      left.by = change->owner;
    }
    const Left& left = left_[static_cast<std::size_t>(wait->lock)];
    const bool by_another = left.by_several || (left.by != no_name && left.by != wait->owner);
    if (by_another && !wait->is_hopeless && !(wait->until < observations.healed)) return true;
  }
  return false;
}

// -- grants, operations, accesses --

bool PutToTheTest::has_doubtful_grant() {
  const std::vector<Grant>& grants = run_->observations.grants;
  const bool took_long = std::any_of(grants.begin(), grants.end(), [](const Grant& grant) {
    if (grant.reported_valid_until_ns) return true;
    if (grant.true_lease_ends_ns == never_ns) return false;
    const TimeNs lease_ns = grant.true_lease_ends_ns - grant.invoked.at_ns;
    return grant.at.at_ns - grant.invoked.at_ns >= lease_ns / part_of_lease;
  });
  return took_long || (!grants.empty() && is_contended());
}

bool PutToTheTest::is_second_owner(NameId of, NameId owner) {
  NameId& first = owners_[static_cast<std::size_t>(of)];
  if (first == no_name) first = owner;
  return first != owner;
}

bool PutToTheTest::two_owners_acquired() {
  owners_.assign(run_->names.size(), no_name);
  const std::vector<Operation>& operations = run_->history.operations;
  return std::any_of(operations.begin(), operations.end(), [this](const Operation& each) {
    return each.kind == OperationKind::acquire && each.outcome_is_known() &&
           is_second_owner(each.lock, each.owner);
  });
}

bool PutToTheTest::two_owners_wrote() {
  owners_.assign(run_->names.size(), no_name);
  const std::vector<Access>& accesses = run_->observations.accesses;
  return std::any_of(accesses.begin(), accesses.end(), [this](const Access& each) {
    if (each.kind == AccessKind::refused_write) return true;
    return each.kind == AccessKind::write && is_second_owner(each.resource, each.owner);
  });
}

bool PutToTheTest::two_owners_got_tokens() {
  owners_.assign(run_->names.size(), no_name);
  const std::vector<Grant>& grants = run_->observations.grants;
  return std::any_of(grants.begin(), grants.end(), [this](const Grant& each) {
    return each.token && is_second_owner(each.lock, each.owner);
  });
}

bool PutToTheTest::two_stood_in_queue() {
  places_.clear();
  queue_lengths_.assign(run_->names.size(), 0);
  for (const QueueEvent& event : run_->observations.queue_events) {
    const bool stands = event.kind == QueueEventKind::entered || event.kind == QueueEventKind::seen;
    bool& stood = places_.at(event.owner, event.lock);
    if (stood == stands) continue;
    stood = stands;
    std::uint32_t& length = queue_lengths_[static_cast<std::size_t>(event.lock)];
    if (!stands) {
      --length;
    } else if (++length == 2) {
      return true;
    }
  }
  return false;
}

bool PutToTheTest::has_counted() const {
  const std::vector<HoldChange>& changes = run_->observations.hold_changes;
  return std::any_of(changes.begin(), changes.end(), [](const HoldChange& change) {
    const bool is_reentry = change.cause == ChangeCause::acquire && change.count_before > 0;
    return is_reentry || change.cause == ChangeCause::release;
  });
}

bool PutToTheTest::has_told() const { return !run_->observations.answers.empty(); }

bool PutToTheTest::was_in_use() const {
  const Observations& observations = run_->observations;
  return !observations.hold_changes.empty() || !observations.beliefs.empty() ||
         !observations.permits_set.empty() || !observations.latch_events.empty();
}

}  // namespace lockstep::checker
