// What this machine does not let the library inside real clients do, found by trying.
#pragma once

namespace lockstep::live {

/// Whether a process that asks for it (PR_SET_TSC) is stopped when it reads the time stamp counter.
/// Some virtual machines say that it will be and let it read on.
[[nodiscard]] bool can_forbid_time_stamps();

}  // namespace lockstep::live
