// What a step of a client does.
#pragma once

#include <cstdint>

namespace lockstep::scenario {

/// All but the last three are functions of the lock's client model, under the same names;
/// step_forms.h describes each. A refused try_… skips to the step that would release the hold.
enum class StepKind : std::uint8_t {
  lock,
  try_lock,
  unlock,
  force_unlock,
  extend,
  is_locked,
  is_held_by_me,
  hold_count,
  remaining_lease,
  read_lock,
  try_read_lock,
  read_unlock,
  write_lock,
  try_write_lock,
  write_unlock,
  lock_all,
  try_lock_all,
  unlock_all,
  acquire,
  try_acquire,
  release,
  try_set_permits,
  try_set_count,
  count_down,
  await,
  write,  ///< a read-modify-write of the protected resource
  sleep,  ///< does nothing for `duration_ns` of its monotonic clock
  crash,  ///< the client's process dies here
};

}  // namespace lockstep::scenario
