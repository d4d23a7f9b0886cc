// The steps that a drawn turn may consist of, with their leases and waits.
#pragma once

#include <cstdint>

#include "scenario/step_kind.h"
#include "search/campaign/workload_draft.h"

namespace lockstep::search {

/// The steps that wait, that only try, and that release.
struct Words {
  scenario::StepKind waits;
  scenario::StepKind tries;
  scenario::StepKind gives_back;
};
inline constexpr Words exclusive{scenario::StepKind::lock, scenario::StepKind::try_lock,
                                 scenario::StepKind::unlock};
inline constexpr Words writing{scenario::StepKind::write_lock, scenario::StepKind::try_write_lock,
                               scenario::StepKind::write_unlock};
inline constexpr Words reading{scenario::StepKind::read_lock, scenario::StepKind::try_read_lock,
                               scenario::StepKind::read_unlock};
inline constexpr Words together{scenario::StepKind::lock_all, scenario::StepKind::try_lock_all,
                                scenario::StepKind::unlock_all};

/// Whether callers ask for leases.
enum class Leases : std::uint8_t { none, some, all };
/// Whether there are tries, and whether they wait.
enum class Tries : std::uint8_t { none, once, waiting };

struct MixOf {
  Leases leases = Leases::none;
  Tries tries = Tries::once;
  TimeRange lease;
  TimeRange wait;
  TimeRange extension = {};  ///< none: nobody extends
};

}  // namespace lockstep::search
