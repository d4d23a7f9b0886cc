// The steps of a client's thread, written as sentences: "try_lock wait=1s lease=10s name=orders".
//
//   step := word [duration] (" " option "=" value)…
//
// The words, and the options of each, are in step_forms.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/time.h"

namespace lockstep::scenario {

struct LocatedText;
struct Step;
enum class StepKind : std::uint8_t;

/// Reads one step. Throws InputError at the word that is wrong.
[[nodiscard]] Step read_step(const LocatedText& text, std::string_view default_lock_name);

/// The step that releases what the step at `from` takes.
struct ReleaseMatch {
  std::size_t end;  ///< the index behind it; the number of steps if there is none
  bool is_exact;    ///< false: it releases more than was taken since `from`
};
/// REQUIRES: the step at `from` takes a hold.
[[nodiscard]] ReleaseMatch matching_release(const std::vector<Step>& steps, std::size_t from);

/// Throws InputError at a step that releases what no earlier step can have taken, or that releases
/// more than one refusable step has taken: a refusal could not skip it.
void require_locks_before_unlocks(const std::vector<Step>& steps);

/// A lock's name is part of a key: not empty, without blanks. Throws InputError.
void require_lock_name(const LocatedText& name);

/// The step as it would be written: "lock lease=10s"; the name only where it is another lock.
[[nodiscard]] std::string write_step(const Step& step, std::string_view default_lock_name);

/// "5s", or "5s..10s" with an upper end.
[[nodiscard]] std::string write_range(sim::DurationNs least_ns,
                                      std::optional<sim::DurationNs> most_ns);

[[nodiscard]] std::string_view to_string(StepKind kind);

}  // namespace lockstep::scenario
