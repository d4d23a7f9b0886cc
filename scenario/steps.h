// The steps of a client's thread, written as sentences: "try_lock wait=1s lease=10s name=orders".
//
//   step := word [duration] (" " option "=" value)…
//
// The words, and the options of each, are in step_forms.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.h"
#include "scenario/text/located_text.h"

namespace lockstep::scenario {

/// Reads one step. Throws InputError at the word that is wrong.
[[nodiscard]] Step read_step(const LocatedText& text, std::string_view default_lock_name);

/// Which step gives back what the step at `from` takes.
struct ReleaseMatch {
  std::size_t end;  ///< the place behind it; the steps' number where there is none
  bool is_exact;    ///< false: it gives back more than is taken from `from` on
};
/// REQUIRES: the step at `from` takes something.
[[nodiscard]] ReleaseMatch matching_release(const std::vector<Step>& steps, std::size_t from);

/// Throws InputError at a step that gives back what no step before it could have taken, or, besides
/// what a step has taken that may be refused, more: then a refusal could not skip it.
void require_locks_before_unlocks(const std::vector<Step>& steps);

/// A lock's name is part of a key: some characters without blanks. Throws InputError.
void require_lock_name(const LocatedText& name);

/// The step as it would be written: "lock lease=10s"; the name only where it is another lock.
[[nodiscard]] std::string write_step(const Step& step, std::string_view default_lock_name);

/// "5s", or "5s..10s" where there is another end.
[[nodiscard]] std::string write_range(sim::DurationNs least_ns,
                                      std::optional<sim::DurationNs> most_ns);

[[nodiscard]] std::string_view to_string(StepKind kind);

}  // namespace lockstep::scenario
