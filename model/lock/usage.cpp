#include "model/lock/usage.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "checker/property.h"

namespace lockstep::model {
namespace {

constexpr std::array forms = {
    UsageForm{Usage::one_order, "one-order", "several locks are taken in one order"},
    UsageForm{
        Usage::equal_waits, "equal-waits",
        "everybody waits equally long, or comes within the lease under which the queue began"},
    UsageForm{Usage::equal_permits, "equal-permits",
              "the threads of a client ask for equally many permits"},
    UsageForm{Usage::permits_not_nested, "permits-not-nested",
              "a thread asks for permits only when it has none"},
    UsageForm{Usage::nobody_forces, "nobody-forces", "nobody forces a release"},
    UsageForm{Usage::holds_within_lease, "holds-within-lease",
              "a hold ends within the lease that its caller asked for"},
    UsageForm{Usage::lease_beyond_wait, "lease-beyond-wait",
              "a lease is longer than the wait for the lock"},
    UsageForm{Usage::unleased_reentry, "unleased-reentry",
              "who takes a lock once more asks for no lease"},
    UsageForm{Usage::reentry_no_shorter, "reentry-no-shorter",
              "who takes a lock once more asks for no shorter lease"},
    UsageForm{Usage::leases_not_mixed, "leases-not-mixed",
              "of one lock all holds have a lease of their callers', or none has"},
    UsageForm{Usage::extension_no_shorter, "extension-no-shorter",
              "an extension asks for no less than the lease before it"},
    UsageForm{Usage::enough_count_downs, "enough-count-downs",
              "a latch is counted down as often as was set before it is set again"},
    UsageForm{Usage::clocks_agree, "clocks-agree",
              "the wall clocks of all clients show the same time"},
};

static_assert(
    [] {
      for (std::size_t i = 0; i < forms.size(); ++i) {
        if (static_cast<std::size_t>(forms[i].usage) != i) return false;
      }
      return true;
    }(),
    "the forms stand in the order of their usages");

}  // namespace

std::span<const UsageForm> usage_forms() { return forms; }

const UsageForm& form_of(Usage usage) { return forms[static_cast<std::size_t>(usage)]; }

std::optional<Usage> find_usage(std::string_view word) {
  const auto found = std::find_if(forms.begin(), forms.end(),
                                  [word](const UsageForm& form) { return form.word == word; });
  if (found == forms.end()) return std::nullopt;
  return found->usage;
}

bool is_needed_for(Usage usage, checker::Property promise) {
  using checker::Property;
  const bool is_of_progress = promise == Property::no_deadlock ||
                              promise == Property::no_lost_wakeup ||
                              promise == Property::no_starvation;
  switch (usage) {
    case Usage::one_order:
    case Usage::equal_permits:
    case Usage::permits_not_nested:
      return is_of_progress;
    case Usage::equal_waits:
    case Usage::clocks_agree:
      return is_of_progress || promise == Property::fifo;
    case Usage::enough_count_downs:
      return is_of_progress || promise == Property::latch || promise == Property::no_leak ||
             promise == Property::truthful_answers;
    case Usage::nobody_forces:
      // Whose lock was freed goes on believing; but the next one has to be told, and who asks.
      return !is_of_progress && promise != Property::no_leak && promise != Property::permits &&
             promise != Property::latch && promise != Property::fencing &&
             promise != Property::truthful_answers;
    case Usage::holds_within_lease:
      // Whether its lease is over is what an owner asks for.
      return promise != Property::no_leak && promise != Property::permits &&
             promise != Property::latch && promise != Property::fencing &&
             promise != Property::truthful_answers;
    case Usage::lease_beyond_wait:
    case Usage::unleased_reentry:
    case Usage::reentry_no_shorter:
    case Usage::leases_not_mixed:
    case Usage::extension_no_shorter:
      return promise != Property::no_leak && promise != Property::permits &&
             promise != Property::latch && promise != Property::fencing;
  }
  return true;
}

}  // namespace lockstep::model
