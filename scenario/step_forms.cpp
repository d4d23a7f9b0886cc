#include "scenario/step_forms.h"

#include <algorithm>
#include <array>

#include "checker/hold_mode.h"
#include "scenario/step_kind.h"

namespace lockstep::scenario {
namespace {

using Words = std::string_view;
constexpr auto shared = checker::HoldMode::shared;
constexpr auto exclusive = checker::HoldMode::exclusive;

constexpr std::array<Words, 1> name_only = {"name"};
constexpr std::array<Words, 2> lease_and_name = {"lease", "name"};
constexpr std::array<Words, 3> wait_lease_and_name = {"wait", "lease", "name"};
constexpr std::array<Words, 1> names_only = {"names"};
constexpr std::array<Words, 2> lease_and_names = {"lease", "names"};
constexpr std::array<Words, 3> wait_lease_and_names = {"wait", "lease", "names"};
constexpr std::array<Words, 2> permits_and_name = {"permits", "name"};
constexpr std::array<Words, 3> permits_wait_and_name = {"permits", "wait", "name"};
constexpr std::array<Words, 2> count_and_name = {"count", "name"};
constexpr std::array<Words, 2> wait_and_name = {"wait", "name"};

constexpr StepForm taking(StepKind kind, Words word, std::span<const Words> options, Words example,
                          StepKind ended_by, checker::HoldMode mode = exclusive) {
  return {kind, word, StepRole::takes, options, example, ended_by, mode};
}

constexpr StepForm giving_back(StepKind kind, Words word, std::span<const Words> options,
                               checker::HoldMode mode = exclusive) {
  return {kind, word, StepRole::gives_back, options, word, kind, mode};
}

constexpr StepForm other(StepKind kind, Words word, StepRole role, std::span<const Words> options,
                         Words example) {
  return {kind, word, role, options, example, kind};
}

constexpr std::array forms = {
    taking(StepKind::lock, "lock", lease_and_name, "lock lease=10s", StepKind::unlock),
    taking(StepKind::try_lock, "try_lock", wait_lease_and_name, "try_lock wait=1s lease=10s",
           StepKind::unlock),
    giving_back(StepKind::unlock, "unlock", name_only),
    other(StepKind::force_unlock, "force_unlock", StepRole::frees, name_only, "force_unlock"),
    other(StepKind::extend, "extend", StepRole::extends, lease_and_name, "extend lease=10s"),
    other(StepKind::is_locked, "is_locked", StepRole::asks, name_only, "is_locked"),
    other(StepKind::is_held_by_me, "is_held_by_me", StepRole::asks, name_only, "is_held_by_me"),
    other(StepKind::hold_count, "hold_count", StepRole::asks, name_only, "hold_count"),
    other(StepKind::remaining_lease, "remaining_lease", StepRole::asks, name_only,
          "remaining_lease"),
    taking(StepKind::read_lock, "read_lock", lease_and_name, "read_lock lease=10s",
           StepKind::read_unlock, shared),
    taking(StepKind::try_read_lock, "try_read_lock", wait_lease_and_name,
           "try_read_lock wait=1s lease=10s", StepKind::read_unlock, shared),
    giving_back(StepKind::read_unlock, "read_unlock", name_only, shared),
    taking(StepKind::write_lock, "write_lock", lease_and_name, "write_lock lease=10s",
           StepKind::write_unlock),
    taking(StepKind::try_write_lock, "try_write_lock", wait_lease_and_name,
           "try_write_lock wait=1s lease=10s", StepKind::write_unlock),
    giving_back(StepKind::write_unlock, "write_unlock", name_only),
    taking(StepKind::lock_all, "lock_all", lease_and_names, "lock_all names=a,b lease=10s",
           StepKind::unlock_all),
    taking(StepKind::try_lock_all, "try_lock_all", wait_lease_and_names,
           "try_lock_all names=a,b wait=1s lease=10s", StepKind::unlock_all),
    giving_back(StepKind::unlock_all, "unlock_all", names_only),
    taking(StepKind::acquire, "acquire", permits_and_name, "acquire permits=2", StepKind::release),
    taking(StepKind::try_acquire, "try_acquire", permits_wait_and_name,
           "try_acquire permits=2 wait=1s", StepKind::release),
    giving_back(StepKind::release, "release", permits_and_name),
    other(StepKind::try_set_permits, "try_set_permits", StepRole::sets, permits_and_name,
          "try_set_permits permits=5"),
    other(StepKind::try_set_count, "try_set_count", StepRole::sets, count_and_name,
          "try_set_count count=3"),
    other(StepKind::count_down, "count_down", StepRole::counts_down, name_only, "count_down"),
    other(StepKind::await, "await", StepRole::awaits, wait_and_name, "await wait=1s"),
    other(StepKind::write, "write", StepRole::none, name_only, "write"),
    StepForm{
        StepKind::sleep, "sleep", StepRole::none, {}, "sleep 5s", StepKind::sleep, exclusive, true},
    other(StepKind::crash, "crash", StepRole::none, {}, "crash"),
};

bool has_option(const StepForm& form, std::string_view option) {
  return std::find(form.options.begin(), form.options.end(), option) != form.options.end();
}

}  // namespace

std::span<const StepForm> step_forms() { return forms; }

const StepForm& form_of(StepKind kind) { return forms[static_cast<std::size_t>(kind)]; }

bool takes_wait(const StepForm& form) { return has_option(form, "wait"); }
bool takes_lease(const StepForm& form) { return has_option(form, "lease"); }
bool takes_amount(const StepForm& form) {
  return has_option(form, "permits") || has_option(form, "count");
}
bool takes_several_locks(const StepForm& form) { return has_option(form, "names"); }

static_assert(
    [] {
      for (std::size_t i = 0; i < forms.size(); ++i) {
        if (static_cast<std::size_t>(forms[i].kind) != i) return false;
      }
      return true;
    }(),
    "the forms stand in the order of their kinds");

}  // namespace lockstep::scenario
