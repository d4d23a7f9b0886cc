#include "app/scenarios/property_description.h"

#include "checker/property.h"

namespace lockstep::app {

std::string_view describe_property(checker::Property property) {
  switch (property) {
    case checker::Property::mutual_exclusion:
      return "no two threads believe at once that they hold the lock";
    case checker::Property::valid_grant:
      return "whoever is granted the lock really has it at that moment";
    case checker::Property::lease_linearizability:
      return "the lock service does what a lock with leases may do";
    case checker::Property::harm:
      return "no write under the lock is lost or interleaved";
    case checker::Property::hold_count:
      return "the lock is free exactly when releases match acquires";
    case checker::Property::no_leak:
      return "no key without a lease, no subscription and no renewal is left behind";
    case checker::Property::fencing:
      return "fencing tokens grow strictly in the order of grants and of holds";
    case checker::Property::fifo:
      return "grants follow the order in which waiters entered the queue";
    case checker::Property::permits:
      return "never more permits are out than exist";
    case checker::Property::latch:
      return "nobody passes before the count is zero";
    case checker::Property::no_deadlock:
      return "always some waiter gets on";
    case checker::Property::no_lost_wakeup:
      return "nobody sleeps on while the lock is free, or tries on after its wait";
    case checker::Property::no_starvation:
      return "nobody waits while others are granted the lock again and again";
    case checker::Property::truthful_answers:
      return "what a call answers was true at some instant of the call";
  }
  return "";
}

}  // namespace lockstep::app
